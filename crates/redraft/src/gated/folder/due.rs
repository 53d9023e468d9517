//! What has to be done for a session's folder to be as the journal has it, file by file.
//!
//! Invariant: looking changes nothing. Who wrote `session.json` last wrote all that it names: a file that is neither as the
//! journal has it now nor as it had it then, and was not a person's to change, is damaged.
//! Absent here: doing it.

use super::Folder;
use crate::{episode::LARGEST_FILE, exit::Failure};
use redraft_loop::Fact;
use redraft_store::FileError;
use redraft_workflows::gated::{
    Artifact, Aside, Kind, SESSION, Session, aside, code_folder, profile::Phase, response_path,
};
use serde::Deserialize;
use std::sync::Arc;

/// How the names of responses end.
const RESPONSE: &str = "-response.md";

/// What `session.json` says of itself.
#[derive(Deserialize)]
struct Told {
    facts: usize,
}

/// What has to be done for the folder to be as the journal has it.
#[derive(Debug, Default)]
pub(crate) struct Due {
    /// Files to be written, with their texts.
    pub(crate) writes: Vec<(String, Arc<str>)>,
    /// Responses and code that were sent back, with the places they are put aside to.
    pub(crate) asides: Vec<(String, String)>,
    /// Files that are not as the journal has them, and why.
    pub(crate) damage: Vec<(String, &'static str)>,
    /// Files that are not as the journal has them, and were a person's to change.
    pub(crate) inputs: Vec<String>,
    /// Files that are gone, and were a person's to take away, with their texts.
    pub(crate) gone: Vec<(String, Arc<str>)>,
}

/// What stands at a place.
enum Found {
    Nothing,
    Text(String),
    /// No text, or more than can be read: nothing that was written here.
    Bytes,
    /// A folder, or a link that leads out: nothing that anybody writes here.
    Other,
}

impl Found {
    fn is(&self, text: &str) -> bool {
        matches!(self, Self::Text(found) if found == text)
    }

    /// A response that somebody is about to write is not written yet.
    fn is_blank(&self) -> bool {
        matches!(self, Self::Text(found) if found.trim().is_empty())
    }
}

/// A place whose files were sent back since.
#[derive(Debug, Clone)]
struct SentBack {
    from: String,
    /// How often, this time included.
    times: u32,
    /// The response that was sent back; `None` for a folder of code.
    response: Option<Arc<str>>,
}

/// What is to be done about a file.
enum Judged {
    Good,
    Due,
    /// It differs, and was a person's to change.
    Theirs,
    /// It is gone, and was a person's to take away.
    Gone,
    Damaged(&'static str),
}

impl Folder {
    /// What has to be done, and what is damaged.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn due(&self, facts: &[Fact], now: &Session) -> Result<Due, Failure> {
        let mut due = Due::default();
        let before = self.before(facts, now, &mut due)?;
        let is_known = before.is_some() || facts.len() == 1;
        let sent_back = sent_back(before.as_ref(), now);
        due.asides = self.asides(&sent_back)?;
        for (path, file) in &now.artifacts {
            let found = match lies_in(due.asides.iter().map(|(from, _)| from), path) {
                true => Found::Nothing,
                false => self.found(path)?,
            };
            // What stands where something was sent back has come since.
            let old =
                before.as_ref().filter(|_| !lies_in(sent_back.iter().map(|it| &it.from), path));
            let old = old.and_then(|before| before.artifacts.get(path));
            match judged(path, file, &found, (old, is_known)) {
                Judged::Good => {}
                Judged::Due => due.writes.push((path.clone(), Arc::clone(&file.text))),
                Judged::Theirs => due.inputs.push(path.clone()),
                Judged::Gone => due.gone.push((path.clone(), Arc::clone(&file.text))),
                Judged::Damaged(why) => due.damage.push((path.clone(), why)),
            }
        }
        for path in self.added(now) {
            due.damage.push((path, "it was added to what is approved"));
        }
        let json: Arc<str> = now.json().into();
        if !self.found(SESSION)?.is(&json) {
            due.writes.push((SESSION.to_owned(), json));
        }
        Ok(due)
    }

    /// What is to be put aside of what was sent back, and where to: what was sent back itself, and no file that has come
    /// since.
    fn asides(&self, sent_back: &[SentBack]) -> Result<Vec<(String, String)>, Failure> {
        let there = |path: &str| self.place(path).symlink_metadata().is_ok();
        let mut asides = Vec::new();
        for SentBack { from, times, response } in sent_back {
            let to = |n| aside(from, Aside::Rejected, n);
            match response {
                Some(text) if self.found(from)?.is(text) => {
                    let free = (*times..).map(to).find(|to| !there(to));
                    asides.extend(free.map(|to| (from.clone(), to)));
                }
                None if there(from) && !there(&to(*times)) => {
                    asides.push((from.clone(), to(*times)));
                }
                Some(_) | None => {}
            }
        }
        Ok(asides)
    }

    /// Files beside those of an iteration that was approved and used: nobody has seen them.
    fn added(&self, now: &Session) -> Vec<String> {
        let ending = format!(".{}", now.begun.profile.extension());
        let used = |n: &u32| {
            let folder = format!("{}/", code_folder(*n));
            let mut files = now.artifacts.iter().filter(|(path, _)| path.starts_with(&folder));
            let first = files.next();
            first.is_some_and(|(_, file)| file.kind == Kind::Kept)
        };
        let mut added = Vec::new();
        for folder in (1..=now.iteration()).filter(used).map(code_folder) {
            let entries = std::fs::read_dir(self.place(&folder)).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            let paths = names.filter(|name| name.ends_with(&ending));
            let paths = paths.map(|name| format!("{folder}/{name}"));
            added.extend(paths.filter(|path| !now.artifacts.contains_key(path)));
        }
        added.sort();
        added
    }

    /// The session as it stood when its folder was last brought up; `None` where it never was.
    fn before(
        &self,
        facts: &[Fact],
        now: &Session,
        due: &mut Due,
    ) -> Result<Option<Session>, Failure> {
        let found = match self.found(SESSION)? {
            Found::Text(found) => found,
            Found::Nothing if facts.len() == 1 => return Ok(None),
            Found::Nothing => {
                due.damage.push((SESSION.to_owned(), "it is gone"));
                return Ok(None);
            }
            Found::Bytes | Found::Other => {
                due.damage.push((SESSION.to_owned(), "it was changed"));
                return Ok(None);
            }
        };
        let told = serde_json::from_str::<Told>(&found).ok();
        let before = match told.map(|told| told.facts) {
            Some(n) if n == facts.len() => Some(now.clone()),
            Some(n) if n < facts.len() => Session::replay(facts[..n].iter().cloned()).ok(),
            Some(_) | None => None,
        };
        // Of a file that says something else its number is not believed either.
        let before = before.filter(|before| before.json() == found);
        if before.is_none() {
            due.damage.push((SESSION.to_owned(), "it was changed"));
        }
        Ok(before)
    }

    fn found(&self, path: &str) -> Result<Found, Failure> {
        match self.files.read(path, LARGEST_FILE) {
            Ok(None) => Ok(Found::Nothing),
            Ok(Some(bytes)) => Ok(String::from_utf8(bytes).map_or(Found::Bytes, Found::Text)),
            Err(FileError::TooLarge { .. }) => Ok(Found::Bytes),
            Err(FileError::NotAFile { .. } | FileError::Path(_)) => Ok(Found::Other),
            Err(error) => Err(error.into()),
        }
    }
}

/// Judges what was found at a path; `old` is what was written there when the folder was last brought up, as far as
/// anybody knows how it stood then.
fn judged(
    path: &str,
    file: &Artifact,
    found: &Found,
    (old, is_known): (Option<&Artifact>, bool),
) -> Judged {
    let is_response = path.ends_with(RESPONSE);
    let was_ours = old.is_some_and(|old| found.is(&old.text));
    match (found, file.kind) {
        _ if found.is(&file.text) => Judged::Good,
        (Found::Nothing, Kind::Input) if old.is_some() => Judged::Gone,
        (Found::Nothing, Kind::Kept) if old.is_some() || !is_known => Judged::Damaged("it is gone"),
        (Found::Nothing, Kind::Input | Kind::Kept) => Judged::Due,
        (Found::Text(_), Kind::Input) if old.is_none() && found.is_blank() => Judged::Due,
        // Nobody writes over a response: an answer that came meanwhile stands in the journal.
        (Found::Text(_), _) if was_ours && !is_response => Judged::Due,
        (Found::Text(_) | Found::Bytes, Kind::Input) => Judged::Theirs,
        (Found::Text(_) | Found::Bytes | Found::Other, Kind::Input | Kind::Kept) => {
            Judged::Damaged("it was changed")
        }
    }
}

/// Responses and code that were sent back since the folder was last brought up.
fn sent_back(before: Option<&Session>, now: &Session) -> Vec<SentBack> {
    let mut all = Vec::new();
    for (of, rejection) in &now.rejections {
        if before.and_then(|before| before.rejections.get(of)) == Some(rejection) {
            continue;
        }
        let (phase, iteration) = *of;
        let from = response_path(phase, iteration);
        // A response that the journal knows came after the one that was sent back had been put aside.
        if before.is_none() && now.artifacts.contains_key(&from) {
            continue;
        }
        let (times, response) = (rejection.times, Some(Arc::clone(&rejection.response)));
        all.push(SentBack { from, times, response });
        if matches!(phase, Phase::Generation | Phase::Revision) {
            all.push(SentBack { from: code_folder(iteration), times, response: None });
        }
    }
    all
}

/// Whether a path is one of these, or lies in one of these folders.
fn lies_in<'a>(mut places: impl Iterator<Item = &'a String>, path: &str) -> bool {
    let is_below = |folder: &str| {
        path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    places.any(|place| is_below(place))
}
