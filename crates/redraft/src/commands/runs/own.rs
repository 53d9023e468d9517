//! What a workflow adds to its run's record, under its own name.
//!
//! Absent here: how it is shown.

use redraft_loop::{Fact, Run};
use redraft_workflows::{gated, pair, solve};
use serde_json::{Value, json};

/// The part of a record that one workflow knows.
#[derive(Debug)]
pub(crate) enum Own {
    Solve(Box<solve::Record>),
    Pair(Box<pair::Record>),
    Gated(Box<gated::Record>),
}

impl Own {
    /// What this run's workflow adds, from the facts that it is folded from; `None` where it adds nothing.
    pub(crate) fn of(run: &Run, facts: &[Fact]) -> Option<Self> {
        match run.shape().workflow.as_str() {
            solve::NAME => solve::record(run).map(Box::new).map(Self::Solve),
            pair::NAME => pair::record(run).map(Box::new).map(Self::Pair),
            gated::NAME => gated::record(facts).map(Box::new).map(Self::Gated),
            _ => None,
        }
    }

    /// The name that it stands under, and what stands there.
    pub(super) fn named(&self) -> (&'static str, Value) {
        match self {
            Self::Solve(own) => (solve::NAME, json!(own)),
            Self::Pair(own) => (pair::NAME, json!(own)),
            Self::Gated(own) => (gated::NAME, json!(own)),
        }
    }

    /// What this workflow calls a round.
    pub(crate) fn round(own: Option<&Self>) -> &'static str {
        match own {
            Some(Self::Pair(_)) => "turn",
            // A round reviews an iteration and makes the next.
            Some(Self::Gated(_)) => "round",
            Some(Self::Solve(_)) | None => "iteration",
        }
    }
}
