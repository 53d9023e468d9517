//! What our own programs report from the worktree: the builder's change as git has it, and what the checks said.
//!
//! Invariant: a model's words stand in these reports as strings, so nothing in them passes for a report.
//! Absent here: git and processes; agents do that, and answer with these documents.

use serde::{Deserialize, Serialize};

/// A builder's reply with what became of it in the worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Built {
    /// The builder's reply, word for word.
    pub reply: String,
    /// Whether the reply is a message, as models write them, or the prose of a program that edited the worktree.
    pub prose: bool,
    /// What the worktree says.
    pub outcome: Outcome,
}

/// What became of a change in the worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The worktree holds this, as git's own diff against the commit that the run began at.
    Applied(String),
    /// The change was not taken, and why: git's own words, or the path that may not be touched.
    Refused(String),
}

/// What all checks said of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// One for each check, in their order.
    pub checks: Vec<CheckResult>,
}

/// What one check said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckResult {
    /// The command, as it was given.
    pub command: String,
    /// Its exit code; `None` where a signal or its time limit ended it.
    pub exit: Option<i32>,
    /// Whether its time was up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
    /// The end of its output.
    pub tail: String,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

impl CheckResult {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.exit == Some(0) && !self.timed_out
    }

    /// How it ended, in words; the same each time it ends the same way.
    pub fn ending(&self) -> String {
        match (self.timed_out, self.exit) {
            (true, _) => "its time was up".to_owned(),
            (false, Some(code)) => format!("exit code {code}"),
            (false, None) => "ended by a signal".to_owned(),
        }
    }
}
