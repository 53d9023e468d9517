//! Facts of a call: claimed, given back, answered or failed, and what it used.
//!
//! Absent here: prompts, of which the journal keeps the hash alone.

use crate::{Amount, CallId, Epoch, Hash, Reading, Role, StepId, Time};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// A claimed call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The call, numbered through the run from 1.
    pub call: CallId,
    /// The epoch of the driver that claimed it.
    pub epoch: Epoch,
    /// The round.
    pub round: u32,
    /// The step.
    pub step: StepId,
    /// The seat within the step, from 0.
    pub seat: u32,
    /// The role asked.
    pub role: Role,
    /// Which attempt of this seat it is, from 1; repairs count.
    pub attempt: u32,
    /// How many calls this role had answered before.
    pub ordinal: u32,
    /// Whether it asks a program of the house, so that it counts against no cap on calls.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub house: bool,
    /// The SHA-256 of the prompt.
    pub prompt: Hash,
    /// The most it can use; charged until its result says what it did use.
    #[serde(default, skip_serializing_if = "Amount::is_free")]
    pub reserve: Amount,
    /// When it was claimed.
    pub at: Time,
}

/// A claim that was given back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Released {
    /// The call.
    pub call: CallId,
    /// Who or what its agent waits for, where it cannot go on before; `None` where the call was only held back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<String>,
    /// When.
    pub at: Time,
}

/// An answered call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replied {
    /// The call.
    pub call: CallId,
    /// When the answer was complete.
    pub at: Time,
    /// What it said.
    pub reply: Reply,
    /// What it used; `None` where the agent did not tell, which is not the same as nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What that cost, in millionths of a US dollar; `None` where nobody can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// Who served it, as far as the other side told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served: Option<Served>,
}

/// An answer, read or not readable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    /// The workflow could read it; the reading holds all of its text.
    Read(Reading),
    /// The workflow could not read it; the text is kept as it came.
    Unreadable {
        /// What is wrong with it, in words that a repair can quote.
        why: String,
        /// The reply, word for word.
        text: String,
    },
}

/// Tokens of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

impl Usage {
    /// Tokens read and written.
    pub fn tokens(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// Who served a call, as the other side tells.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Served {
    /// The model that answered, which may be another than the one asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The provider's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Why the answer ended, in the provider's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
}

/// A failed attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// The call.
    pub call: CallId,
    /// When it failed.
    pub at: Time,
    /// Whether trying again can help.
    pub failure: Failure,
    /// What happened, with its cause.
    pub message: String,
    /// Until when the other side asked to be left alone; `None` where it asked for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Time>,
    /// What the attempt used all the same; `None` where nobody told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What that cost, in millionths of a US dollar; `None` where nobody can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// Who served it, as far as the other side told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served: Option<Served>,
    /// Whether nothing has left: no program was started, no connection stood. It then counts as no call.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub unsent: bool,
}

/// How an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The same request may succeed later: overload, reset, a cut stream.
    Transient,
    /// The deadline passed before the answer was complete.
    Timeout,
    /// The same request will fail again: a wrong key, a script that ran dry.
    Permanent,
}
