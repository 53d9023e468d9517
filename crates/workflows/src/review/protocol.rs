//! The contract's loop protocol: what each iteration said, and the decision that locks the asset.
//!
//! Invariant: a decision is locked whole; `locked_fields` names its three fields or none.
//! Absent here: how a decision comes about. That is the loop.

use super::model::{AssetId, Candidate, ModelError, ReviewIteration, check_iteration};
use redraft_loop::{Exit, Outcome};
use serde::{Deserialize, Serialize};

/// The only version of the protocol files that is known.
pub const PROTOCOL_VERSION: u32 = 1;

/// What the creator said in an iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreatorTurn {
    /// What it wrote.
    pub candidate: Candidate,
    /// Whether it has nothing left to change.
    pub done: bool,
}

/// `iteration_NN.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolIteration {
    /// What the creator said.
    pub creator: CreatorTurn,
    /// From 1.
    pub iteration: u32,
    /// The merged review.
    pub reviewer: ReviewIteration,
    /// Always 1.
    pub version: u32,
}

/// How an asset's loop ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopDecision {
    /// The last iteration.
    pub final_iteration: u32,
    /// The fields that cannot change any more, sorted.
    pub locked_fields: Vec<String>,
    /// The kind of end.
    pub outcome: LoopOutcome,
    /// Why.
    pub reason: String,
}

/// The kinds of end that the contract knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopOutcome {
    /// Both sides agree.
    Converged,
    /// A person has to decide.
    NeedsHuman,
    /// Not ended.
    InProgress,
}

impl LoopOutcome {
    /// The outcome as the contract spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::NeedsHuman => "needs_human",
            Self::InProgress => "in_progress",
        }
    }
}

impl LoopDecision {
    /// The decision as files have it.
    pub fn of(exit: &Exit, final_iteration: u32) -> Self {
        let outcome = match exit.outcome {
            Outcome::Converged => LoopOutcome::Converged,
            Outcome::NeedsHuman | Outcome::Ended => LoopOutcome::NeedsHuman,
        };
        let locked_fields = ["final_iteration", "outcome", "reason"].map(str::to_owned).to_vec();
        Self { final_iteration, locked_fields, outcome, reason: exit.reason.clone() }
    }

    /// Whether the loop has ended and may not be played on: its outcome is locked (contract §3.1).
    pub fn is_terminal(&self) -> bool {
        self.outcome != LoopOutcome::InProgress
            && self.locked_fields.iter().any(|field| field == "outcome")
    }
}

/// `copy/protocol/<asset_id>/state.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolState {
    /// The asset.
    pub asset_id: AssetId,
    /// The decision, once there is one.
    pub decision: Option<LoopDecision>,
    /// The iterations so far.
    pub iterations: Vec<ProtocolIteration>,
    /// The last iteration that is allowed.
    pub max_iterations: u32,
    /// Always 1.
    pub version: u32,
}

impl ProtocolState {
    /// Checks the rules that a parser cannot.
    ///
    /// # Errors
    /// The first rule that is broken, with its path.
    pub fn check(&self) -> Result<(), ModelError> {
        if self.version != PROTOCOL_VERSION {
            return Err(ModelError::Version(u64::from(self.version)));
        }
        if !self.iterations.is_sorted_by(|a, b| a.iteration < b.iteration) {
            let rule = "iterations must strictly increase".to_owned();
            return Err(ModelError::Rule { path: "iterations".into(), rule });
        }
        for (n, iteration) in self.iterations.iter().enumerate() {
            let path = format!("iterations[{n}]");
            check_iteration(&path, iteration.iteration)?;
            if iteration.version != PROTOCOL_VERSION {
                return Err(ModelError::Version(u64::from(iteration.version)));
            }
            if iteration.creator.candidate.asset_id != self.asset_id {
                let rule =
                    format!("the candidate belongs to {}", iteration.creator.candidate.asset_id);
                return Err(ModelError::Rule { path, rule });
            }
            iteration.reviewer.check(&format!("{path}.reviewer"))?;
        }
        Ok(())
    }
}
