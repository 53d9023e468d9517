//! The files of an iteration: those of its response, over those of the iteration before.
//!
//! Invariant: an iteration has what its response says, what was carried over, and what a person made of it before the
//! approval; nothing else.
//! Absent here: where they lie.

use super::{
    bundle::{self, BundleError},
    profile::Phase,
    shape::step_of,
};
use redraft_loop::{Reading, Run, Turn};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt::Write, sync::Arc};

/// Files by name.
pub type Code = BTreeMap<String, Arc<str>>;

/// What is kept of a turn beside its response, where a person changed its files before the approval.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edited {
    files: BTreeMap<String, String>,
}

/// The files of an approved iteration.
pub fn of_iteration(run: &Run, iteration: u32, extension: &str) -> Code {
    let mut code = Code::new();
    for iteration in 1..=iteration {
        if let Some(turn) = turn_of(run, iteration) {
            code = with(code, turn, extension);
        }
    }
    code
}

/// These files with those of a turn over them.
pub(super) fn with(mut carried: Code, turn: &Turn, extension: &str) -> Code {
    let Some(reading) = turn.readings.first() else { return carried };
    if let Ok(Edited { files }) = Edited::deserialize(&reading.details) {
        return files.into_iter().map(|(name, text)| (name, text.into())).collect();
    }
    // The response was read when it came in.
    let sent =
        bundle::read(&reading.text, extension).map(|bundle| bundle.files).unwrap_or_default();
    carried.extend(sent.into_iter().map(|file| (file.name, file.text.into())));
    carried
}

/// The turn that made the files of an iteration.
pub(super) fn turn_of(run: &Run, iteration: u32) -> Option<&Turn> {
    match iteration {
        0 => None,
        1 => run.turn(0, &step_of(Phase::Generation)),
        later => run.turn(later - 1, &step_of(Phase::Revision)),
    }
}

/// A response with its files; those are told apart from the response only where a person changed them.
pub(super) fn reading(response: String, edited: Option<Code>) -> Reading {
    let reading = Reading::text(response);
    let Some(files) = edited else { return reading };
    let files = files.into_iter().map(|(name, text)| (name, text.to_string())).collect();
    // These types have string keys only, which JSON always holds.
    Reading { details: serde_json::to_value(Edited { files }).unwrap_or_default(), ..reading }
}

/// What an author said beside the files.
pub(super) fn remarks(turn: &Turn, extension: &str) -> Result<(String, Vec<String>), BundleError> {
    let bundle = bundle::read(turn.text(), extension)?;
    Ok((bundle.remarks, bundle.disputed))
}

/// Files as one text, each below its marker.
pub(super) fn shown(code: &Code) -> String {
    let mut text = String::new();
    for (name, file) in code {
        let end = if file.ends_with('\n') { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = write!(text, "<<<FILE: {name}>>>\n{file}{end}");
    }
    text
}
