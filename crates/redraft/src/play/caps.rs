//! Caps on what a run may use: calls, tokens, money and time.
//!
//! Invariant: a cap that is not given leaves what a run was opened with.
//! Absent here: holding them. The loop does that.

use redraft_loop::Limits;
use serde::Serialize;

/// How often the same seat is tried before its agent counts as failed.
pub(crate) const ATTEMPTS: u32 = 3;

/// The most that a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Caps {
    pub(crate) calls: Option<u32>,
    /// Tokens, read and written.
    pub(crate) tokens: Option<u64>,
    /// Millionths of a US dollar.
    pub(crate) cost: Option<u64>,
    /// Microseconds in which drivers are at work.
    pub(crate) time: Option<i64>,
}

impl Caps {
    /// The limits of a new run.
    pub(crate) fn limits(self, rounds: u32, ask_again: u32) -> Limits {
        let Self { calls, tokens, cost, time } = self;
        Limits { rounds, calls, tokens, cost, time, attempts: ATTEMPTS, ask_again }
    }

    /// These caps, and where they say nothing the others.
    pub(crate) fn or(self, others: Self) -> Self {
        Self {
            calls: self.calls.or(others.calls),
            tokens: self.tokens.or(others.tokens),
            cost: self.cost.or(others.cost),
            time: self.time.or(others.time),
        }
    }

    /// The caps that a run has.
    pub(crate) fn of(limits: &Limits) -> Self {
        let Limits { calls, tokens, cost, time, .. } = *limits;
        Self { calls, tokens, cost, time }
    }

    /// The limits of a run, with these caps in place of its own.
    pub(crate) fn over(self, limits: &Limits) -> Limits {
        let Self { calls, tokens, cost, time } = self.or(Self::of(limits));
        Limits { calls, tokens, cost, time, ..limits.clone() }
    }
}
