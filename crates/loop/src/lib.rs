//! The review loop as a pure machine: facts in, the next action out.
//!
//! ```text
//! facts → Run::replay → next() → Action      the driver acts
//! input → decide(input) → one Fact, or a Refusal
//! fact  → apply(fact)                        cannot fail
//! ```
//!
//! The one invariant: **a run is the fold of its facts.** Live and replay are the same code path, so a
//! process may be killed after any fact and nothing is lost. Time, ids and texts come in as arguments.
//!
//! Absent here: I/O, clocks, randomness, paths, prompts, JSON dialects, and the name of any workflow.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod action;
mod amount;
mod apply;
mod caps;
mod decide;
mod fact;
mod ids;
mod place;
mod reading;
mod rule;
mod run;
mod seat;
mod shape;
mod turn;

pub use action::{Action, Ask, Play, Stop};
pub use amount::{Amount, Spent, dollars};
pub use decide::{Input, Refusal};
pub use fact::{
    Approved, Asked, Bounded, Cancelled, CapReached, Decided, Driven, FACT_VERSION, Fact, Failed,
    Failure, Interrupted, Opened, Passed, Played, Rejected, Released, Replied, Reply, Served,
    Source, Usage, Voided,
};
pub use ids::{CallId, Epoch, Hash, Role, RunId, StepId, Time};
pub use reading::{Issue, Reading, Severity, Verdict};
pub use rule::{Condition, Exit, Outcome, Rule};
pub use run::{ReplayError, Run};
pub use shape::{CastMember, Failing, Gate, Limits, Player, Shape, ShapeError, Step, Timing};
pub use turn::Turn;
