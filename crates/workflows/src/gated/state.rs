//! The phase table: where a session can stand, and how it comes from one place to the next (contract §2).
//!
//! Invariant: a session moves along the edges of [`EDGES`] only; a test walks each of them.
//! Absent here: who makes it move.

use super::{
    profile::Phase,
    shape::{APPROVED, CANCELLED, phase_of},
};
use redraft_loop::{Action, Run};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// Where a session stands. In files and on the terminal it is the session's `phase`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// Nothing is asked yet.
    Initialized,
    /// A plan is asked for.
    Planning,
    /// The plan waits for approval.
    Planned,
    /// Files are asked for.
    Generating,
    /// The files wait for approval.
    Generated,
    /// A review is asked for.
    Reviewing,
    /// The review waits for approval.
    Reviewed,
    /// Revised files are asked for.
    Revising,
    /// The revised files wait for approval.
    Revised,
    /// An approved review has passed.
    Complete,
    /// An agent failed for good; the next step tries again.
    Error,
    /// A person gave the session up.
    Cancelled,
}

/// How a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It goes on.
    InProgress,
    /// It is complete.
    Success,
    /// It ended without being complete.
    Failed,
    /// It stands still until somebody tries again.
    Error,
    /// A person gave it up.
    Cancelled,
}

/// A way from one state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Where it begins.
    pub from: State,
    /// Where it ends.
    pub to: State,
    /// What it takes.
    pub needs: &'static str,
}

const fn edge(from: State, to: State, needs: &'static str) -> Edge {
    Edge { from, to, needs }
}

/// The table. What holds for many states, a failing agent and a person who gives up, follows from [`State::is_asking`] and
/// [`State::is_open`].
pub const EDGES: [Edge; 15] = [
    edge(State::Initialized, State::Planning, "step"),
    edge(State::Planning, State::Planned, "planning response"),
    edge(State::Planned, State::Planning, "rejected"),
    edge(State::Planned, State::Generating, "approved"),
    edge(State::Generating, State::Generated, "response with files"),
    edge(State::Generated, State::Generating, "rejected"),
    edge(State::Generated, State::Reviewing, "approved"),
    edge(State::Reviewing, State::Reviewed, "review response"),
    edge(State::Reviewed, State::Reviewing, "rejected"),
    edge(State::Reviewed, State::Complete, "approved, PASS"),
    edge(State::Reviewed, State::Revising, "approved, FAIL, an iteration left"),
    edge(State::Reviewed, State::Reviewed, "metadata malformed, or no iteration left"),
    edge(State::Revising, State::Revised, "response with files"),
    edge(State::Revised, State::Revising, "rejected"),
    edge(State::Revised, State::Reviewing, "approved"),
];

impl State {
    /// All states, in the order of a session.
    pub const ALL: [Self; 12] = [
        Self::Initialized,
        Self::Planning,
        Self::Planned,
        Self::Generating,
        Self::Generated,
        Self::Reviewing,
        Self::Reviewed,
        Self::Revising,
        Self::Revised,
        Self::Complete,
        Self::Error,
        Self::Cancelled,
    ];

    /// Where a run stands. That an agent has failed is told by its facts, not here.
    pub fn of(run: &Run) -> Self {
        let Some(phase) = run.step_at_hand().and_then(phase_of) else { return Self::ended(run) };
        let (asking, gate) = match phase {
            Phase::Planning if run.facts() == 1 => return Self::Initialized,
            Phase::Planning => (Self::Planning, Self::Planned),
            Phase::Generation => (Self::Generating, Self::Generated),
            Phase::Review => (Self::Reviewing, Self::Reviewed),
            Phase::Revision => (Self::Revising, Self::Revised),
        };
        match run.next() {
            Action::Wait(_) | Action::Pass(_) => gate,
            Action::Ask(_)
            | Action::Await(_)
            | Action::Play(_)
            | Action::Stop(_)
            | Action::Decide(_)
            | Action::Done(_) => asking,
        }
    }

    fn ended(run: &Run) -> Self {
        let (Action::Decide(exit) | Action::Done(exit)) = run.next() else { return Self::Error };
        match &*exit.reason {
            APPROVED => Self::Complete,
            CANCELLED => Self::Cancelled,
            // Out of iterations: the review stands as it was approved.
            _ => Self::Reviewed,
        }
    }

    /// Whether a response is asked for: there an agent can fail.
    pub fn is_asking(self) -> bool {
        matches!(self, Self::Planning | Self::Generating | Self::Reviewing | Self::Revising)
    }

    /// Whether something waits for approval.
    pub fn is_gate(self) -> bool {
        matches!(self, Self::Planned | Self::Generated | Self::Reviewed | Self::Revised)
    }

    /// Whether the session can go on, and be given up.
    pub fn is_open(self) -> bool {
        !matches!(self, Self::Complete | Self::Cancelled)
    }

    /// Whether a session may come from this state to another.
    pub fn leads_to(self, to: Self) -> bool {
        let listed = EDGES.iter().any(|edge| edge.from == self && edge.to == to);
        let fails = self.is_asking() && to == Self::Error || self == Self::Error && to.is_asking();
        listed || fails || self.is_open() && to == Self::Cancelled
    }

    /// Its name, as the contract spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Initialized => "INITIALIZED",
            Self::Planning => "PLANNING",
            Self::Planned => "PLANNED",
            Self::Generating => "GENERATING",
            Self::Generated => "GENERATED",
            Self::Reviewing => "REVIEWING",
            Self::Reviewed => "REVIEWED",
            Self::Revising => "REVISING",
            Self::Revised => "REVISED",
            Self::Complete => "COMPLETE",
            Self::Error => "ERROR",
            Self::Cancelled => "CANCELLED",
        }
    }
}

impl Status {
    /// Its name in files, flags and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The table as a Mermaid state diagram.
pub fn graph() -> String {
    let mut text = String::from("stateDiagram-v2\n    [*] --> INITIALIZED\n");
    let mut draw = |from: State, to: State, needs: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    {from} --> {to}: {needs}");
    };
    EDGES.iter().for_each(|edge| draw(edge.from, edge.to, edge.needs));
    for state in State::ALL.into_iter().filter(|state| state.is_asking()) {
        draw(state, State::Error, "agent failed");
        draw(State::Error, state, "step");
    }
    for state in State::ALL.into_iter().filter(|state| state.is_open()) {
        draw(state, State::Cancelled, "cancel");
    }
    text.push_str("    COMPLETE --> [*]\n    CANCELLED --> [*]\n");
    text
}
