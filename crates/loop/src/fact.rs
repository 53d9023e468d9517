//! Facts: the entries of a run's journal, in the past tense, versioned.
//!
//! Invariant: the format only grows. A field that is added has a default, an unknown field is refused,
//! and golden journals of every version replay for ever.
//! Absent here: sequence numbers and hashes, which belong to the journal that keeps the facts.

mod call;

pub use call::{Asked, Failed, Failure, Released, Replied, Reply, Served, Usage};

use crate::{CastMember, Epoch, Exit, Hash, Limits, Reading, RunId, Shape, Time, Turn};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// The version of the fact format that this crate writes. Version 2 added what calls reserve, use and cost, who
/// served them, whom they wait for, and until when the other side asked to wait.
pub const FACT_VERSION: u32 = 2;

/// One entry of a run's journal. `Opened` is by far the largest, and stands once in it.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The run began; carries its whole shape.
    Opened(Opened),
    /// A later driver took the run over.
    Driven(Driven),
    /// A call was claimed; its request may leave once this is durable.
    Asked(Asked),
    /// A claim was given back: its request is known not to have left.
    Released(Released),
    /// A call was answered.
    Replied(Replied),
    /// An attempt failed.
    Failed(Failed),
    /// The workflow played a step or a seat itself.
    Played(Played),
    /// A person let a turn pass.
    Approved(Approved),
    /// A person sent a turn back.
    Rejected(Rejected),
    /// An approval lost its force, because what it bound has changed.
    Voided(Voided),
    /// An approved turn was used.
    Passed(Passed),
    /// A cap outside the run refused a claim.
    CapReached(CapReached),
    /// A person changed the limits of the open run.
    Bounded(Bounded),
    /// A driver was asked to stop.
    Interrupted(Interrupted),
    /// A person gave the run up.
    Cancelled(Cancelled),
    /// A rule ended the run.
    Decided(Decided),
}

/// The first fact of every run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The run's id.
    pub run: RunId,
    /// When it was opened.
    pub at: Time,
    /// The epoch of the driver that opened it.
    pub epoch: Epoch,
    /// What the run is about, in the words of its workflow; opaque to the loop.
    pub subject: String,
    /// Steps, rules and limits.
    pub shape: Shape,
    /// Who plays which role.
    pub cast: Vec<CastMember>,
    /// Versions and hashes of prompts, rubrics and inputs that the run works with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// The candidate to start from, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Reading>,
    /// Rounds that were played elsewhere before this run took over; whole rounds only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<Turn>,
    /// The first round that this run plays; rounds before it belong to `past` or to a closed run.
    pub first_round: u32,
    /// The workflow's own settings, opaque to the loop.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub settings: serde_json::Value,
}

/// Something a run works with that can change between versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it is, such as `rubric/slug`.
    pub name: String,
    /// Its version, as it names itself.
    pub version: String,
    /// The SHA-256 of its bytes.
    pub sha256: Hash,
}

/// A driver opened the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Driven {
    /// Its epoch, higher than any before.
    pub epoch: Epoch,
    /// When.
    pub at: Time,
}

/// A step or seat that the workflow played itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// The seat that was played in place of its agent; `None` for a step of the workflow's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// What came of it.
    pub reading: Reading,
    /// When.
    pub at: Time,
}

/// A turn that a person let pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approved {
    /// Who approved.
    pub by: String,
    /// When.
    pub at: Time,
    /// The SHA-256 of exactly what was approved.
    pub seal: Hash,
    /// The turn as the person left it, where it was edited before the approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Reading>,
}

/// A turn that a person sent back; its step is played again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejected {
    /// Who rejected.
    pub by: String,
    /// When.
    pub at: Time,
    /// What has to be different.
    pub feedback: String,
    /// The turn as the person left it, where it was edited before it was sent back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Reading>,
}

/// An approval that lost its force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Voided {
    /// What has changed.
    pub why: String,
    /// When it was noticed.
    pub at: Time,
}

/// An approval that was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passed {
    /// When.
    pub at: Time,
}

/// A claim that a shared cap refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapReached {
    /// Which cap, and how far it was used.
    pub cap: String,
    /// When.
    pub at: Time,
}

/// New limits for an open run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounded {
    /// The limits from here on.
    pub limits: Limits,
    /// When.
    pub at: Time,
}

/// A driver that was asked to stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interrupted {
    /// When.
    pub at: Time,
}

/// A run that a person gave up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cancelled {
    /// Who gave it up.
    pub by: String,
    /// When.
    pub at: Time,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// How it ended.
    pub exit: Exit,
    /// When.
    pub at: Time,
}

impl Fact {
    /// When the fact came about.
    pub fn at(&self) -> Time {
        match self {
            Self::Opened(fact) => fact.at,
            Self::Driven(fact) => fact.at,
            Self::Asked(fact) => fact.at,
            Self::Released(fact) => fact.at,
            Self::Replied(fact) => fact.at,
            Self::Failed(fact) => fact.at,
            Self::Played(fact) => fact.at,
            Self::Approved(fact) => fact.at,
            Self::Rejected(fact) => fact.at,
            Self::Voided(fact) => fact.at,
            Self::Passed(fact) => fact.at,
            Self::CapReached(fact) => fact.at,
            Self::Bounded(fact) => fact.at,
            Self::Interrupted(fact) => fact.at,
            Self::Cancelled(fact) => fact.at,
            Self::Decided(fact) => fact.at,
        }
    }

    /// The name of the fact's kind, as the journal spells it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Opened(_) => "opened",
            Self::Driven(_) => "driven",
            Self::Asked(_) => "asked",
            Self::Released(_) => "released",
            Self::Replied(_) => "replied",
            Self::Failed(_) => "failed",
            Self::Played(_) => "played",
            Self::Approved(_) => "approved",
            Self::Rejected(_) => "rejected",
            Self::Voided(_) => "voided",
            Self::Passed(_) => "passed",
            Self::CapReached(_) => "cap_reached",
            Self::Bounded(_) => "bounded",
            Self::Interrupted(_) => "interrupted",
            Self::Cancelled(_) => "cancelled",
            Self::Decided(_) => "decided",
        }
    }
}
