//! What calls that are not made yet may use at most, and how that is told.
//!
//! Why: prompts of later calls hold texts that nobody has written yet. Each gets room for the longest replies that its
//! cast can give.
//! Invariant: nothing is sent or written.
//! Absent here: which calls a workflow makes.

mod of_run;

pub(crate) use of_run::{Expected, Forecast, Turns, open_run};

use super::money;
use crate::{play::Caps, say};
use redraft_engine::Agent;
use redraft_loop::{Amount, Ask, Role, Run, Spent, StepId};
use redraft_workflows::{Part, Prompt};
use serde::Serialize;

/// What a role would be asked next.
#[derive(Serialize)]
pub(crate) struct Asked {
    role: Role,
    /// The step, where the role has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<StepId>,
    agent: String,
    bytes: usize,
    /// See it whole: `redraft prompts show`.
    parts: Vec<String>,
}

impl Asked {
    pub(crate) fn of(role: Role, agent: String, prompt: &Prompt) -> Self {
        let parts = prompt.parts.iter().map(|part| part.name.clone()).collect();
        Self { role, step: None, agent, bytes: prompt.len(), parts }
    }

    pub(crate) fn tell(&self) {
        let Self { role, step, agent, bytes, parts } = self;
        let step = step.as_ref().map_or(String::new(), |step| format!(" ({step})"));
        let parts = match parts.is_empty() {
            true => String::new(),
            false => format!(" with {}", parts.join(", ")),
        };
        say::out(&format!("  {role}{step}, {agent}: a prompt of {bytes} bytes{parts}"));
    }
}

/// Bytes of a token in most texts; a candidate's room in later prompts is measured by it.
const BYTES_OF_A_TOKEN: u64 = 4;
/// No model reads more than this.
const LONGEST_ROOM: usize = 8 << 20;

/// The room in a prompt for the longest texts that these agents may write, in bytes.
pub(crate) fn room<'a>(agents: impl Iterator<Item = &'a dyn Agent>) -> usize {
    let longest = |agent: &dyn Agent| agent.bound(&Prompt::default()).tokens;
    let room: u64 = agents.map(|agent| longest(agent).saturating_mul(BYTES_OF_A_TOKEN)).sum();
    usize::try_from(room).unwrap_or(usize::MAX).min(LONGEST_ROOM)
}

/// The most that a call with this prompt and so much room can use.
pub(crate) fn most(agent: &dyn Agent, mut prompt: Prompt, room: usize) -> Amount {
    prompt.parts.push(Part::new("room", " ".repeat(room)));
    agent.bound(&prompt)
}

/// The first call of a role in a step, as far as its prompt is concerned.
pub(crate) fn ask(run: &Run, step: StepId, role: &Role) -> Ask {
    Ask {
        round: run.round().max(1),
        step,
        seat: 0,
        role: role.clone(),
        attempt: 1,
        ordinal: 0,
        failures: 0,
        not_before: None,
        repair: None,
        earlier: None,
    }
}

/// So many calls, this many with every retry, and what they use.
pub(crate) fn calls(without_retries: usize, most: usize, spent: Spent) -> String {
    let price = match (spent.tokens, spent.unpriced) {
        (0, 0) => "free of charge".to_owned(),
        (0, _) => money::cost(spent),
        (tokens, _) => {
            format!("at most {} and {}", say::count(tokens, "token"), money::cost(spent))
        }
    };
    let calls = say::count(without_retries, "call");
    format!("up to {calls}, {most} with every retry; {price}")
}

/// What the caps leave of an open run.
pub(crate) fn left(caps: Caps, open: Option<&Run>) -> Caps {
    let Some(run) = open else { return caps };
    let spent = run.spent();
    Caps {
        calls: caps.calls.map(|cap| cap.saturating_sub(run.calls())),
        tokens: caps.tokens.map(|cap| cap.saturating_sub(spent.tokens)),
        cost: caps.cost.map(|cap| cap.saturating_sub(spent.cost)),
        time: caps.time,
    }
}
