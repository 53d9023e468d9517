//! What a reply means once it was read: its text, whether its author is done, and a verdict.
//!
//! Invariant: a verdict `ok` beside an error is a contradiction, and never counts as a pass.
//! Absent here: how a reply is parsed. Readers live with the workflows.

use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What a review concludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing stands in the way.
    Ok,
    /// The candidate has to change.
    ChangesRequested,
    /// The reviewer asks for a person.
    NeedsHuman,
}

/// How much an issue weighs; later variants weigh more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; blocks nothing.
    Warning,
    /// Has to be mended before the candidate is accepted.
    Error,
    /// An error that makes the candidate useless or dangerous as it is.
    Blocker,
}

/// One thing a review found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// Stable id, as the workflow made it.
    pub id: String,
    /// Its weight.
    pub severity: Severity,
    /// What is wrong, where, and what to do.
    pub message: String,
    /// Machine-readable name of the rule, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The part of the candidate it speaks of, when it speaks of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A reply as its workflow read it. It replaces the reply in the journal, so each text is stored once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The candidate, message or remark itself; empty where the reply is a verdict only.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Whether the author has nothing left to change.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub done: bool,
    /// The verdict, where the reply gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The issues, in the reply's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Issue>,
    /// The workflow's own record of the reply, opaque to the loop.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub details: serde_json::Value,
}

impl Reading {
    /// A reading that says a text and nothing else.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            done: false,
            verdict: None,
            issues: Vec::new(),
            details: serde_json::Value::Null,
        }
    }

    /// Whether an issue of this reading blocks acceptance.
    pub fn has_error(&self) -> bool {
        self.issues.iter().any(|issue| issue.severity >= Severity::Error)
    }

    /// Whether the verdict says `ok` while an issue says otherwise.
    pub fn is_contradiction(&self) -> bool {
        self.verdict == Some(Verdict::Ok) && self.has_error()
    }
}

/// Merges a panel's verdicts: an error or a requested change wins, then a call for a person, then `ok`.
/// `None` when nobody gave a verdict. (Rule of the podcast contract §3.9; it holds for every panel.)
pub(crate) fn merge(readings: &[Reading]) -> Option<Verdict> {
    let asks_change = |r: &Reading| r.has_error() || r.verdict == Some(Verdict::ChangesRequested);
    if readings.iter().all(|reading| reading.verdict.is_none()) {
        return None;
    }
    if readings.iter().any(asks_change) {
        return Some(Verdict::ChangesRequested);
    }
    if readings.iter().any(|reading| reading.verdict == Some(Verdict::NeedsHuman)) {
        return Some(Verdict::NeedsHuman);
    }
    Some(Verdict::Ok)
}
