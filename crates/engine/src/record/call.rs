//! One call of a record: who was asked with which templates, and how it went.
//!
//! Absent here: prompts, of which the journal keeps the hash alone.

use redraft_loop::{
    Amount, Asked, CallId, Failure, Hash, Role, Run, Served, Source, StepId, Time, Usage,
};
use redraft_workflows::{templates_of, time::rfc3339};
use serde::Serialize;

/// One claimed call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallRecord {
    /// Its number.
    pub call: CallId,
    /// The round.
    pub round: u32,
    /// The step.
    pub step: StepId,
    /// Who was asked.
    pub role: Role,
    /// The agent that plays the role; null where nobody was cast for it.
    pub agent: Option<String>,
    /// The model that was asked for, where the agent is one.
    pub model: Option<String>,
    /// Who serves that model, where the agent is one.
    pub provider: Option<String>,
    /// The templates that its prompt was made from, each with version and hash.
    pub templates: Vec<Source>,
    /// Which attempt it was.
    pub attempt: u32,
    /// The SHA-256 of the prompt.
    pub prompt: Hash,
    /// When it was claimed, RFC 3339.
    pub asked_at: String,
    /// How it went.
    pub state: CallState,
    /// Milliseconds from claim to result, where there is one.
    pub latency_ms: Option<i64>,
    /// What it used; null where nobody told.
    pub usage: Option<Usage>,
    /// The most it could use; charged where nobody told what it did use.
    pub reserve: Amount,
    /// What it cost, in millionths of a US dollar; null where nobody can tell.
    pub cost: Option<u64>,
    /// Who served it, as far as the other side told.
    pub served: Option<Served>,
    /// When it was claimed, to reckon with.
    #[serde(skip)]
    pub claimed: Time,
}

/// How a call went.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// Claimed and not answered yet.
    InFlight,
    /// Claimed by a driver that was gone before the answer was durable: it may have been billed.
    MaybeBilled,
    /// Given back: it never left.
    Released,
    /// Answered and read.
    Answered,
    /// Answered, and not readable.
    Unreadable {
        /// What was wrong with it.
        why: String,
    },
    /// Failed.
    Failed {
        /// Whether trying again could help.
        failure: Failure,
        /// What happened.
        message: String,
    },
}

impl CallRecord {
    /// A call as it stands when it is claimed.
    pub(super) fn claimed(run: &Run, asked: &Asked) -> Self {
        let opened = run.opened();
        let member = opened.cast.iter().find(|member| member.role == asked.role);
        Self {
            call: asked.call,
            round: asked.round,
            step: asked.step.clone(),
            role: asked.role.clone(),
            agent: member.map(|member| member.agent.clone()),
            model: member.and_then(|member| member.model.clone()),
            provider: member.and_then(|member| member.provider.clone()),
            templates: templates_of(opened, &asked.step, &asked.role).cloned().collect(),
            attempt: asked.attempt,
            prompt: asked.prompt.clone(),
            asked_at: rfc3339(asked.at),
            state: CallState::InFlight,
            latency_ms: None,
            usage: None,
            reserve: asked.reserve,
            cost: None,
            served: None,
            claimed: asked.at,
        }
    }

    /// How it went.
    pub(super) fn close(&mut self, at: Time, state: CallState, told: Told) {
        self.state = state;
        self.latency_ms = Some((at.0 - self.claimed.0) / 1000);
        (self.usage, self.cost, self.served) = (told.usage, told.cost, told.served);
    }
}

/// What the other side told about a call.
#[derive(Default)]
pub(super) struct Told {
    pub(super) usage: Option<Usage>,
    pub(super) cost: Option<u64>,
    pub(super) served: Option<Served>,
}

impl Told {
    pub(super) fn of(usage: Option<Usage>, cost: Option<u64>, served: Option<&Served>) -> Self {
        Self { usage, cost, served: served.cloned() }
    }
}
