//! What a workflow adds to its run's record, under its own name.
//!
//! Absent here: how it is shown.

use redraft_loop::Run;
use redraft_workflows::{pair, solve};
use serde_json::{Value, json};

/// The part of a record that one workflow knows.
#[derive(Debug)]
pub(crate) enum Own {
    Solve(Box<solve::Record>),
    Pair(Box<pair::Record>),
}

impl Own {
    /// What this run's workflow adds; `None` where it adds nothing.
    pub(crate) fn of(run: &Run) -> Option<Self> {
        match run.shape().workflow.as_str() {
            solve::NAME => solve::record(run).map(Box::new).map(Self::Solve),
            pair::NAME => pair::record(run).map(Box::new).map(Self::Pair),
            _ => None,
        }
    }

    /// The name that it stands under, and what stands there.
    pub(super) fn named(&self) -> (&'static str, Value) {
        match self {
            Self::Solve(own) => (solve::NAME, json!(own)),
            Self::Pair(own) => (pair::NAME, json!(own)),
        }
    }

    /// What this workflow calls a round.
    pub(crate) fn round(own: Option<&Self>) -> &'static str {
        match own {
            Some(Self::Pair(_)) => "turn",
            Some(Self::Solve(_)) | None => "iteration",
        }
    }
}
