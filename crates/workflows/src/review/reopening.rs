//! What a reopened run goes on from: the person's wish, and the last review of the closed record.
//!
//! Invariant: both stand in the run's first fact, so that a replay asks what was asked.
//! Absent here: closing a record, which is a fact of the workspace.

use super::model::ReviewIteration;
use redraft_loop::Run;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Why a person had an asset reviewed again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    /// Who.
    pub by: String,
    /// In their words.
    pub reason: String,
}

const WISH: &str = "reopened";
const REVIEW: &str = "closed_review";

/// The settings of a run that goes on from a closed record.
pub fn settings(wish: &Wish, review: Option<&ReviewIteration>) -> Value {
    json!({ WISH: wish, REVIEW: review })
}

/// The wish that a run was reopened with, and the last review of the record before it.
pub fn of(run: &Run) -> (Option<Wish>, Option<ReviewIteration>) {
    let settings = &run.opened().settings;
    let part = |name: &str| settings.get(name).cloned().unwrap_or_default();
    // Both are written by `settings` alone; a part that is absent reads as none.
    let wish = serde_json::from_value(part(WISH)).ok();
    (wish, serde_json::from_value(part(REVIEW)).ok())
}
