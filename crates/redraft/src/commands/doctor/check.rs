//! One finding of the doctor.
//!
//! Invariant: a warning and an error say what to do; what is well needs no advice.
//! Absent here: checking.

use serde_json::{Value, json};

/// How something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It works.
    Ok,
    /// It is not there, and nothing needs it.
    Note,
    /// It works, but not as well as it should, or it could not be checked.
    Warning,
    /// It does not work.
    Error,
}

/// What was checked, how it stands, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) name: String,
    pub(super) state: State,
    /// What was found: the cause where it is not well.
    pub(super) found: String,
    /// What to do; never empty.
    pub(super) fix: Option<String>,
    /// Too much for a line; in the JSON document alone.
    pub(super) details: Vec<String>,
}

impl State {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Check {
    pub(super) fn ok(name: impl Into<String>, found: impl Into<String>) -> Self {
        let (name, found) = (name.into(), found.into());
        Self { name, state: State::Ok, found, fix: None, details: Vec::new() }
    }

    pub(super) fn note(
        name: impl Into<String>,
        found: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { state: State::Note, fix: Some(fix.into()), ..Self::ok(name, found) }
    }

    pub(super) fn warning(
        name: impl Into<String>,
        found: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { state: State::Warning, ..Self::note(name, found, fix) }
    }

    pub(super) fn error(
        name: impl Into<String>,
        found: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { state: State::Error, ..Self::note(name, found, fix) }
    }

    pub(super) fn json(&self) -> Value {
        let Self { name, state, found, fix, details } = self;
        let state = state.name();
        json!({ "name": name, "state": state, "found": found, "fix": fix, "details": details })
    }
}
