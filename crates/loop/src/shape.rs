//! The shape of a run: its steps, rules and limits, as data that stands in the first fact.
//!
//! Invariant: a shape that passes [`Shape::check`] always ends, since one rule bounds its rounds.
//! Absent here: what any step is for. The loop plays them all alike.

use crate::{Condition, Role, Rule, StepId};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// A whole workflow as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The workflow's name, a label only.
    pub workflow: String,
    /// The version of the workflow's shape and readers.
    pub version: u32,
    /// Steps played once, before the first round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<Step>,
    /// Steps of each round, in order. Never empty.
    pub repeating: Vec<Step>,
    /// Steps played once a rule has ended the rounds, before the run is decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closing: Vec<Step>,
    /// Conditions that end the rounds; the first that holds wins.
    pub rules: Vec<Rule>,
    /// The bounds of the run.
    pub limits: Limits,
    /// Which time the bound on time counts.
    #[serde(default, skip_serializing_if = "Timing::is_driven")]
    pub timing: Timing,
}

/// Which time counts against [`Limits::time`]. Waiting for a person never does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// The time between facts of one driver; rests between drivers are free.
    #[default]
    Driven,
    /// All time since the run was opened, whether or not anybody drove it.
    SinceOpened,
}

impl Timing {
    fn is_driven(&self) -> bool {
        *self == Self::Driven
    }
}

/// One act in a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its name, unique in the shape.
    pub id: StepId,
    /// Who plays it.
    pub player: Player,
    /// Whether a person has to let its turn pass.
    pub gate: Gate,
    /// Calls kept back for later steps while this one is asked.
    pub reserve: u32,
    /// How often an unreadable reply is asked for again.
    pub repairs: u32,
    /// What happens when its agent fails for good.
    pub failing: Failing,
    /// What happens when its replies stay unreadable.
    pub unreadable: Failing,
    /// What happens when a cap forbids its call.
    #[serde(default, skip_serializing_if = "Failing::is_stop")]
    pub capped: Failing,
}

/// Who plays a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// One agent.
    Agent(Role),
    /// A program of the house: it does what costs nothing, and no cap on calls counts it.
    House(Role),
    /// Several agents side by side, in this order. Each role has a seat of its own.
    Panel(Vec<Role>),
    /// The workflow itself, by a pure function; it costs no call.
    Workflow,
}

/// Whether a turn waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// The turn passes by itself.
    Open,
    /// A person approves or rejects the turn.
    Person,
}

/// What happens when a seat has used up its attempts or its repairs, or may not be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failing {
    /// The run stops and stays open; the same command tries again.
    #[default]
    Stop,
    /// The workflow plays the seat itself: a fallback, marked as such in its reading.
    Workflow,
}

impl Failing {
    fn is_stop(&self) -> bool {
        *self == Self::Stop
    }
}

/// The hard bounds of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The last round, at least 1.
    pub rounds: u32,
    /// Requests in all, retries and repairs included; `None` for no cap of the run's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// Tokens of all calls; `None` for no cap of the run's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Millionths of a US dollar for all calls; `None` for no cap of the run's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// Microseconds that the run may take in all, as the shape's [`Timing`] counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<i64>,
    /// Attempts of one seat in one step before its agent counts as failed, at least 1.
    pub attempts: u32,
    /// How often a call that an earlier driver left unanswered may be asked again.
    pub ask_again: u32,
}

/// Which agent plays a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CastMember {
    /// The role.
    pub role: Role,
    /// The agent, as a person would name it.
    pub agent: String,
    /// The model that is asked for, where the agent is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Who serves the model, where the agent is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model's family, to tell whether creator and reviewer are of one kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// What this member looks for above all, where members of a panel differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lens: Option<String>,
}

/// Why a shape cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// There is nothing to repeat.
    #[error("the shape has no repeating step")]
    NoRounds,
    /// A panel without members can never finish.
    #[error("step {0}: its panel is empty")]
    EmptyPanel(StepId),
    /// Two steps of one name cannot be told apart.
    #[error("step {0}: the name is used twice")]
    TwinStep(StepId),
    /// A rule speaks of a step that the shape does not have.
    #[error("a rule names step {0}, which the shape does not have")]
    UnknownStep(StepId),
    /// Without such a rule the rounds would never end.
    #[error("no rule ends the last round: add a rule LastRound on a repeating step")]
    Unbounded,
    /// A bound of zero leaves nothing to do.
    #[error("limits: rounds and attempts must be at least 1")]
    ZeroLimit,
}

impl Shape {
    /// Checks that the shape can be run and always ends.
    ///
    /// # Errors
    /// The first defect found, see [`ShapeError`].
    pub fn check(&self) -> Result<(), ShapeError> {
        if self.repeating.is_empty() {
            return Err(ShapeError::NoRounds);
        }
        if self.limits.rounds == 0 || self.limits.attempts == 0 {
            return Err(ShapeError::ZeroLimit);
        }
        self.check_steps()?;
        self.check_rules()
    }

    fn check_steps(&self) -> Result<(), ShapeError> {
        for (n, step) in self.steps().enumerate() {
            if matches!(&step.player, Player::Panel(roles) if roles.is_empty()) {
                return Err(ShapeError::EmptyPanel(step.id.clone()));
            }
            if self.steps().take(n).any(|earlier| earlier.id == step.id) {
                return Err(ShapeError::TwinStep(step.id.clone()));
            }
        }
        Ok(())
    }

    fn check_rules(&self) -> Result<(), ShapeError> {
        let mut named = Vec::new();
        self.rules.iter().for_each(|rule| rule.when.steps(&mut named));
        if let Some(unknown) = named.into_iter().find(|id| !self.steps().any(|s| s.id == **id)) {
            return Err(ShapeError::UnknownStep(unknown.clone()));
        }
        let bounds = |rule: &Rule| {
            matches!(&rule.when, Condition::LastRound { ends_with }
                if self.repeating.iter().any(|step| step.id == *ends_with))
        };
        if self.rules.iter().any(bounds) { Ok(()) } else { Err(ShapeError::Unbounded) }
    }

    /// All steps: opening, repeating, closing.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.opening.iter().chain(&self.repeating).chain(&self.closing)
    }
}

impl Player {
    /// The seats of the step, one per call in flight; empty where the workflow plays.
    pub fn seats(&self) -> &[Role] {
        match self {
            Self::Agent(role) | Self::House(role) => core::slice::from_ref(role),
            Self::Panel(roles) => roles,
            Self::Workflow => &[],
        }
    }
}
