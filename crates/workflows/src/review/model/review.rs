//! Reviews: what was found about a candidate, and what it comes to.
//!
//! Invariant: a review that passed `check` never says `ok` beside an error.

use super::{ModelError, ProvenanceRef, broken};
use jiff::Timestamp;
use redraft_loop::{Severity, Verdict};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// More iterations than any loop has; a number beyond it is a mistake.
const MOST_ITERATIONS: u32 = 100_000;

/// How much an issue weighs, in the contract's two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueSeverity {
    /// Blocks.
    Error,
    /// Does not block.
    Warning,
}

impl From<Severity> for IssueSeverity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Warning => Self::Warning,
            Severity::Error | Severity::Blocker => Self::Error,
        }
    }
}

impl From<IssueSeverity> for Severity {
    fn from(severity: IssueSeverity) -> Self {
        match severity {
            IssueSeverity::Warning => Self::Warning,
            IssueSeverity::Error => Self::Error,
        }
    }
}

/// One thing a review found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewIssue {
    /// The rule, when there is one.
    #[serde(default)]
    pub code: Option<String>,
    /// The part it speaks of.
    #[serde(default)]
    pub field: Option<String>,
    /// Its id.
    pub issue_id: Uuid,
    /// What is wrong.
    pub message: String,
    /// Its weight.
    pub severity: IssueSeverity,
}

/// A review of one iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewIteration {
    /// When it was written.
    pub created_at: Timestamp,
    /// What it found.
    #[serde(default)]
    pub issues: Vec<ReviewIssue>,
    /// The iteration, from 1.
    pub iteration: u32,
    /// Where it came from.
    #[serde(default)]
    pub provenance: Vec<ProvenanceRef>,
    /// Who reviewed.
    #[serde(default)]
    pub reviewer: Option<String>,
    /// In a sentence.
    #[serde(default)]
    pub summary: Option<String>,
    /// What it concludes.
    pub verdict: Verdict,
}

impl ReviewIteration {
    /// Checks the rules that a parser cannot.
    ///
    /// # Errors
    /// The first rule that is broken, with its path.
    pub fn check(&self, path: &str) -> Result<(), ModelError> {
        check_iteration(path, self.iteration)?;
        let error = self.issues.iter().any(|issue| issue.severity == IssueSeverity::Error);
        if self.verdict == Verdict::Ok && error {
            return Err(broken(format!("{path}.verdict"), "ok together with an error issue"));
        }
        Ok(())
    }

    /// The issues that block.
    pub fn blocking(&self) -> impl Iterator<Item = &ReviewIssue> {
        self.issues.iter().filter(|issue| issue.severity == IssueSeverity::Error)
    }
}

/// Iterations are counted from 1, and counted on from.
pub(in crate::review) fn check_iteration(path: &str, iteration: u32) -> Result<(), ModelError> {
    if (1..=MOST_ITERATIONS).contains(&iteration) {
        return Ok(());
    }
    Err(broken(format!("{path}.iteration"), format!("must be between 1 and {MOST_ITERATIONS}")))
}
