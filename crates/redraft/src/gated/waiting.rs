//! What a session waits for that only a person can do, and what is wrong with what lies there.
//!
//! Invariant: it is told as it stands there now, whatever the journal heard of it last.
//! Absent here: printing.

use super::desk::Desk;
use crate::exit::Failure;
use redraft_engine::MOST_KEPT;
use redraft_workflows::gated::{Hold, State, profile::Phase, prompt_path, response_path, seal};
use std::path::PathBuf;

/// What a session waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Waits {
    /// A person writes a response.
    Response { prompt: PathBuf, response: PathBuf },
    /// A person approves what stands in these files.
    Approval { files: Vec<PathBuf>, hold: Option<Hold> },
}

/// What a session waits for that only a person can do; `None` where a step goes on.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn waits(desk: &Desk) -> Result<Option<Waits>, Failure> {
    let session = &desk.session;
    let Some((phase, _)) = session.asked().filter(|_| session.state != State::Initialized) else {
        return Ok(None);
    };
    let iteration = session.iteration();
    if !session.state.is_gate() {
        let waits = session.begun.is_by_hand(phase) && fresh_response(desk, phase)?.is_none();
        return Ok(waits.then(|| Waits::Response {
            prompt: desk.folder.place(&prompt_path(phase, iteration)),
            response: desk.folder.place(&response_path(phase, iteration)),
        }));
    }
    let standing = desk.folder.standing(session)?;
    let bound = session.bound(&standing);
    let hold = session.hold(&standing);
    let goes_on = match session.run.approval() {
        // What was changed since is voided, whatever is waited for.
        Some((_, sealed)) => hold.is_none() || *sealed != seal(&bound),
        None => hold.is_none() && session.is_auto(),
    };
    let files = bound.keys().map(|path| desk.folder.place(path)).collect();
    Ok((!goes_on).then_some(Waits::Approval { files, hold }))
}

/// A response that lies there and was not refused before.
pub(super) fn fresh_response(desk: &Desk, phase: Phase) -> Result<Option<String>, Failure> {
    let response = desk.folder.response(phase, desk.session.iteration())?;
    let refused = desk.session.refused.as_deref();
    Ok(response.filter(|response| !refused.is_some_and(|refused| is_same(response, refused))))
}

/// Whether a response is the one that was refused, of which the journal keeps no more than a beginning.
fn is_same(response: &str, refused: &str) -> bool {
    let is_cut = refused.len() + char::MAX.len_utf8() > MOST_KEPT;
    response == refused || is_cut && response.starts_with(refused)
}

/// What is wrong as it stands there now, with the file that it is wrong in.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn trouble(desk: &Desk) -> Result<Option<String>, Failure> {
    let session = &desk.session;
    let Some((phase, round)) = session.asked() else { return Ok(session.last_error.clone()) };
    let path = response_path(phase, session.iteration());
    if session.state.is_asking() && session.begun.is_by_hand(phase) {
        let response = desk.folder.response(phase, session.iteration())?;
        return Ok(match (response, &session.last_error) {
            (None, _) if desk.folder.place(&path).exists() => Some(format!("{path}: it is empty")),
            (Some(_), Some(error)) => Some(format!("{path}: {error}")),
            (Some(_) | None, _) => None,
        });
    }
    if session.malformed().is_none() || session.run.approval().is_some() {
        return Ok(session.last_error.clone());
    }
    let standing = desk.folder.standing(session)?;
    let response = standing.response.unwrap_or_default();
    let read = session.begun.reading(&session.run, phase, round, &response);
    Ok(read.err().map(|error| format!("{path}: {}", error.why)))
}
