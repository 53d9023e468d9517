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
}

/// What is to be done about a file.
enum Judged {
    Good,
    Due,
    /// It differs, and was a person's to change.
    Theirs,
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
        let there = |path: &str| self.place(path).symlink_metadata().is_ok();
        due.asides = sent_back.clone();
        due.asides.retain(|(from, to)| there(from) && !there(to));
        for (path, file) in &now.artifacts {
            let found = match lies_in(&due.asides, path) {
                true => Found::Nothing,
                false => self.found(path)?,
            };
            // What stands where something was sent back has come since.
            let old = before.as_ref().filter(|_| !lies_in(&sent_back, path));
            let old = old.and_then(|before| before.artifacts.get(path));
            match judged(path, file, &found, (old, is_known)) {
                Judged::Good => {}
                Judged::Due => due.writes.push((path.clone(), Arc::clone(&file.text))),
                Judged::Theirs => due.inputs.push(path.clone()),
                Judged::Damaged(why) => due.damage.push((path.clone(), why)),
            }
        }
        let json: Arc<str> = now.json().into();
        if !self.found(SESSION)?.is(&json) {
            due.writes.push((SESSION.to_owned(), json));
        }
        Ok(due)
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
    let was_theirs = old.is_some_and(|old| old.kind == Kind::Input && old.text == file.text);
    match (found, file.kind) {
        _ if found.is(&file.text) => Judged::Good,
        (Found::Nothing, Kind::Input) if old.is_some() => Judged::Good,
        (Found::Nothing, Kind::Kept) if old.is_some() || !is_known => Judged::Damaged("it is gone"),
        (Found::Nothing, Kind::Input | Kind::Kept) => Judged::Due,
        // Nobody writes over a response: an answer that came meanwhile stands in the journal.
        (Found::Text(_), _) if was_ours && !is_response => Judged::Due,
        (Found::Text(_) | Found::Bytes, Kind::Input) if is_response || was_theirs || !is_known => {
            Judged::Theirs
        }
        (Found::Text(_) | Found::Bytes | Found::Other, Kind::Input | Kind::Kept) => {
            Judged::Damaged("it was changed")
        }
    }
}

/// Responses and code that were sent back since, with the places they are put aside to.
fn sent_back(before: Option<&Session>, now: &Session) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (of, n) in &now.rejections {
        if before.and_then(|before| before.rejections.get(of)) == Some(n) {
            continue;
        }
        let (phase, iteration) = *of;
        let response = response_path(phase, iteration);
        // A response that the journal knows came after the one that was sent back had been put aside.
        if before.is_none() && now.artifacts.contains_key(&response) {
            continue;
        }
        let code = matches!(phase, Phase::Generation | Phase::Revision);
        let code = code.then(|| code_folder(iteration));
        for from in [Some(response), code].into_iter().flatten() {
            let to = aside(&from, Aside::Rejected, *n);
            all.push((from, to));
        }
    }
    all
}

/// Whether a path is one of these, or lies in one of these folders.
fn lies_in(places: &[(String, String)], path: &str) -> bool {
    let is_below = |folder: &str| {
        path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    places.iter().any(|(from, _)| is_below(from))
}
