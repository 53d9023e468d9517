//! The human agent: a person finds the prompt in one file and puts the answer into another.
//!
//! Invariant: a response is never written to, moved or removed by us. As long as it is missing, empty or no text,
//! the call waits; it is not failed, and nothing is charged for it. No link is followed, neither at a file nor at a
//! folder that we make or use.
//! Absent here: what an answer means. Whoever seats a person may give them a page of their own, and make a reply of
//! what they write; an answer that cannot become one is waited for, with what is wrong with it.
//!
//! A response counts once it has words. Editors that write a new file and rename it, and those that lock nothing
//! and truncate first, are both safe as long as the command is run again after saving, which is what the prompt
//! asks for. A file that changes while it is read is waited for. A half that was saved on purpose is read as it is;
//! where it cannot be understood, the workflow asks for it to be repaired, in files of their own. The same question
//! has the same files however often it is asked.

mod folders;
mod names;
mod prompt;
mod response;

use futures::FutureExt;
use names::Names;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::Failure;
use redraft_workflows::Prompt;
use response::Response;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Lets a person play a role through files in a folder.
#[derive(Debug, Clone)]
pub struct Human {
    root: PathBuf,
    inner: PathBuf,
    words: Words,
}

/// How a call is put to a person, and how their answer becomes a reply.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// The prompt as a person reads it; `None` for the prompt as it is.
    pub page: fn(&Prompt) -> Option<Prompt>,
    /// The reply that an answer stands for, or what to write instead.
    pub reply: fn(&Prompt, &str) -> Result<String, String>,
}

impl Words {
    /// The prompt and the answer as they are.
    pub const PLAIN: Self = Self { page: |_| None, reply: |_, text| Ok(text.to_owned()) };
}

/// Why a prompt cannot be handed to a person.
#[derive(Debug, thiserror::Error)]
pub enum HumanError {
    /// It cannot be written.
    #[error("{path}: the prompt for a person cannot be written: {source}", path = path.display())]
    Write {
        /// The prompt.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A link stands where a folder or the prompt has to.
    #[error(
        "{path} is a link, and no link is followed to hand a prompt to a person; remove it",
        path = path.display()
    )]
    Link {
        /// The link.
        path: PathBuf,
    },
}

impl Human {
    /// A person who looks into this folder. It belongs to one run: names within it do not name the run.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { root: folder.into(), inner: PathBuf::new(), words: Words::PLAIN }
    }

    /// As [`Human::new`], for a folder below `root`; neither `root` nor anything below it may be a link.
    pub fn below(root: impl Into<PathBuf>, inner: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), inner: inner.into(), words: Words::PLAIN }
    }

    /// The same, told and understood in these words.
    #[must_use]
    pub fn with_words(self, words: Words) -> Self {
        Self { words, ..self }
    }

    fn reply(&self, call: &Call) -> Result<Answer, NoAnswer> {
        let names = Names::of(call);
        let folder = self.root.join(&self.inner);
        let place = folder.join(&names.response);
        let page = (self.words.page)(&call.prompt);
        let text = prompt::document(call, page.as_ref().unwrap_or(&call.prompt), &place);
        self.hand_over(&folder.join(&names.prompt), text.as_bytes())?;
        match response::read(&place) {
            Response::Words(text) => match (self.words.reply)(&call.prompt, &text) {
                Ok(reply) => Ok(Answer::text(reply)),
                Err(why) => Err(waits_for_better(&place, &why)),
            },
            Response::Missing => Err(NoAnswer::Waits(format!("an answer in {}", place.display()))),
            Response::Unusable(why) => Err(waits_for_better(&place, &why)),
        }
    }

    fn hand_over(&self, prompt: &Path, text: &[u8]) -> Result<(), HumanError> {
        let failed = |source| HumanError::Write { path: prompt.to_owned(), source };
        let links =
            [folders::make(&self.root, &self.inner).map_err(failed)?, folders::link(prompt)];
        if let Some(path) = links.into_iter().flatten().next() {
            return Err(HumanError::Link { path });
        }
        write_durably(prompt, text).map_err(failed)
    }
}

fn waits_for_better(place: &Path, why: &str) -> NoAnswer {
    NoAnswer::Waits(format!("an answer in {}: {why}", place.display()))
}

impl Agent for Human {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        std::future::ready(self.reply(call)).boxed()
    }

    fn costs_nothing(&self) -> bool {
        true
    }
}

impl From<HumanError> for NoAnswer {
    fn from(error: HumanError) -> Self {
        AttemptError::new(Failure::Permanent, error.to_string()).into()
    }
}

/// Writes the file in one step where it is not there or different, and makes it last. Its folder is there.
fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    if is_file && fs::read(path)? == bytes {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".redraft-tmp-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}
