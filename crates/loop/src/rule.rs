//! Rules: the conditions that end a run, as values; the first that holds wins.
//!
//! Invariant: a rule looks at the folded run only (turns, counts, times in facts), never outside.
//! Absent here: what an exit means to a person or a shell. The binary maps exits to codes.

use crate::{Run, StepId};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// A condition and the exit it leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// When the rule holds.
    pub when: Condition,
    /// Where it leads.
    pub exit: Exit,
}

impl Rule {
    /// A rule that ends the run with this outcome and reason.
    pub fn new(when: Condition, outcome: Outcome, reason: &str) -> Self {
        Self { when, exit: Exit { outcome, reason: reason.into() } }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exit {
    /// The kind of end.
    pub outcome: Outcome,
    /// Which rule of the workflow led there.
    pub reason: String,
}

/// The kinds of end a rule can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Both sides agree.
    Converged,
    /// A person has to decide.
    NeedsHuman,
    /// It ended without agreement and without asking for a person.
    Ended,
}

/// A condition over the folded run. Steps are looked up in the current round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// All of them hold.
    All(Vec<Condition>),
    /// At least one of them holds.
    Any(Vec<Condition>),
    /// The newest turn is of this step.
    After(StepId),
    /// The step's turn of this round passes: verdict `ok` and no error.
    Accepted(StepId),
    /// Everyone in the step's turn of this round is done.
    Done(StepId),
    /// The newest turn is of this step, and the round is the last one allowed.
    LastRound {
        /// The step with which a round counts as complete.
        ends_with: StepId,
    },
    /// The step said in this round what it said in the one before.
    Unchanged(StepId),
    /// These steps together said in this round what they said in some earlier one (A-B-A).
    Cycle(Vec<StepId>),
    /// An issue of this code stands in the step's turn of this round.
    Found {
        /// The step.
        step: StepId,
        /// The code.
        code: String,
    },
    /// Fewer calls than this are left under the run's own cap.
    CallsLeft {
        /// The count that is needed to go on.
        below: u32,
    },
    /// This many microseconds have passed between the first fact and the newest.
    Elapsed {
        /// The bound in microseconds.
        micros: i64,
    },
    /// A person gave the run up. A workflow without a rule on it cannot be given up.
    Cancelled,
}

impl Condition {
    /// Whether the condition holds in this run, asked at the end of a turn of this round.
    pub(crate) fn holds(&self, run: &Run, round: u32) -> bool {
        match self {
            Self::All(all) => all.iter().all(|condition| condition.holds(run, round)),
            Self::Any(any) => any.iter().any(|condition| condition.holds(run, round)),
            Self::After(step) => run.last_turn().is_some_and(|turn| turn.step == *step),
            Self::Accepted(step) => run.turn(round, step).is_some_and(|turn| turn.accepted()),
            Self::Done(step) => run.turn(round, step).is_some_and(|turn| turn.done()),
            Self::LastRound { ends_with } => run
                .last_turn()
                .is_some_and(|turn| turn.step == *ends_with && turn.round >= run.limits().rounds),
            Self::Unchanged(step) => {
                round > 1 && same_in(run, core::slice::from_ref(step), round, round - 1)
            }
            Self::Cycle(steps) => (1..round).any(|earlier| same_in(run, steps, round, earlier)),
            Self::Found { step, code } => {
                run.turn(round, step).is_some_and(|turn| turn.found(code))
            }
            Self::CallsLeft { below } => run.calls_left().is_some_and(|left| left < *below),
            Self::Elapsed { micros } => run.elapsed() >= *micros,
            // It comes with a fact of its own, at the end of no turn.
            Self::Cancelled => false,
        }
    }

    /// Collects the steps that the condition names.
    pub(crate) fn steps<'a>(&'a self, into: &mut Vec<&'a StepId>) {
        match self {
            Self::All(inner) | Self::Any(inner) => inner.iter().for_each(|c| c.steps(into)),
            Self::After(step)
            | Self::Accepted(step)
            | Self::Done(step)
            | Self::LastRound { ends_with: step }
            | Self::Found { step, .. }
            | Self::Unchanged(step) => into.push(step),
            Self::Cycle(steps) => into.extend(steps),
            Self::CallsLeft { .. } | Self::Elapsed { .. } | Self::Cancelled => {}
        }
    }
}

impl Run {
    /// Where giving the run up leads; `None` where no rule says so.
    pub(crate) fn exit_when_cancelled(&self) -> Option<&Exit> {
        let rules = &self.shape().rules;
        rules.iter().find(|rule| rule.when == Condition::Cancelled).map(|rule| &rule.exit)
    }
}

fn same_in(run: &Run, steps: &[StepId], this: u32, that: u32) -> bool {
    steps.iter().all(|step| match (run.turn(this, step), run.turn(that, step)) {
        (Some(now), Some(then)) => now.says_the_same_as(then),
        _ => false,
    })
}
