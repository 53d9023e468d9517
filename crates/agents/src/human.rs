//! The human agent: a person finds the prompt in one file and puts the answer into another.
//!
//! Invariant: a response is never written to, moved or removed by us. As long as it is missing, empty or no text,
//! the call waits; it is not failed, and nothing is charged for it.
//! Absent here: how a person is told, what an answer means, and how a text is made JSON; the workflow's reader
//! decides what it takes.
//!
//! A response counts once it has words. Editors that write a new file and rename it, and those that lock nothing
//! and truncate first, are both safe as long as the command is run again after saving, which is what the prompt
//! asks for. A file that changes while it is read is waited for. A half that was saved on purpose is read as it is;
//! where it cannot be understood, the workflow asks again, in files of their own.

mod names;
mod prompt;
mod response;

use futures::FutureExt;
use names::Names;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::Failure;
use response::Response;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Lets a person play a role through files in a folder.
#[derive(Debug, Clone)]
pub struct Human {
    folder: PathBuf,
}

/// Why a prompt cannot be handed to a person.
#[derive(Debug, thiserror::Error)]
#[error("{path}: the prompt for a person cannot be written: {source}", path = path.display())]
pub struct HumanError {
    path: PathBuf,
    source: io::Error,
}

impl Human {
    /// A person who looks into this folder. It belongs to one run: names within it do not name the run.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    fn reply(&self, call: &Call) -> Result<Answer, NoAnswer> {
        let names = Names::of(call);
        let place = self.folder.join(&names.response);
        let prompt = self.folder.join(&names.prompt);
        let text = prompt::document(call, &place);
        write_durably(&prompt, text.as_bytes())
            .map_err(|source| HumanError { path: prompt, source })?;
        match response::read(&place) {
            Response::Words(text) => Ok(Answer::text(text)),
            Response::Missing => Err(NoAnswer::Waits(format!("an answer in {}", place.display()))),
            Response::Unusable(why) => {
                Err(NoAnswer::Waits(format!("an answer in {}: {why}", place.display())))
            }
        }
    }
}

impl Agent for Human {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        std::future::ready(self.reply(call)).boxed()
    }
}

impl From<HumanError> for NoAnswer {
    fn from(error: HumanError) -> Self {
        AttemptError::new(Failure::Permanent, error.to_string()).into()
    }
}

/// Writes the file in one step where it is not there or different, and makes it last.
fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    if is_file && fs::read(path)? == bytes {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".redraft-tmp-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}
