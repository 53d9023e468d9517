//! The messages of architect and builder, as `schemas/pair/message.json` has them.
//!
//! Invariant: what is read here has passed the schema; role and type are coupled there.
//! Absent here: what a message leads to.

use super::verdict::Judgement;
use crate::findings::{Answer, Dispute};
use redraft_loop::Severity;
use serde::{Deserialize, Serialize};

/// What a refused message is told as; contract §1.
pub const VALIDATION_FAILED: &str = "MESSAGE_SCHEMA_VALIDATION_FAILED";

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Proposes, criticises, verifies.
    Architect,
    /// Implements.
    Builder,
}

/// What a message does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// How the task is to be done.
    Propose,
    /// The change.
    Implement,
    /// What is wrong with the newest change.
    Critique,
    /// Whether the newest change is what was asked for.
    Verify,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Message {
    /// Who speaks.
    pub role: Side,
    /// What it does.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// What is said; never empty.
    pub content: String,
    /// The turn it belongs to, from 1.
    pub turn: u32,
    /// Why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What shows it: paths, lines, output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// What may go wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// What it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_trace: Option<BudgetTrace>,
    /// The architect's word on the turn; with `verify` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Judgement>,
    /// The whole change as a unified diff; with `implement` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// What is wrong, point by point; with `critique` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<Point>>,
    /// How earlier points stand; with `critique` alone. `None` where the architect looked at the change afresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Answer>>,
    /// Points that the builder takes for wrong; with `implement` alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
}

/// One point of a critique.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong, and what to do.
    pub message: String,
    /// The file it speaks of, as the diff names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// What a message took, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BudgetTrace {
    /// Tokens of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Both together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// The version of this trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_version: Option<u32>,
    /// Whether the figures are measured or estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

impl Message {
    /// A message that says this and nothing else.
    pub fn new(kind: Kind, turn: u32, content: impl Into<String>) -> Self {
        Self {
            role: kind.side(),
            kind,
            content: content.into(),
            turn,
            reasons: Vec::new(),
            evidence: Vec::new(),
            risks: Vec::new(),
            budget_trace: None,
            verdict: None,
            diff: None,
            issues: None,
            findings: None,
            disputes: Vec::new(),
        }
    }
}

impl Kind {
    /// Who may say it: only the builder implements.
    pub fn side(self) -> Side {
        match self {
            Self::Implement => Side::Builder,
            Self::Propose | Self::Critique | Self::Verify => Side::Architect,
        }
    }
}
