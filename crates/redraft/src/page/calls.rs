//! The calls of a run, one row each, failed ones and repairs too.
//!
//! Invariant: a call that has not gone well is told so in words, not by its colour alone.
//! Absent here: when they were made; see `timeline`.

use super::spans::span;
use redraft_engine::{CallRecord, CallState, RunRecord};
use redraft_loop::{Failure, dollars};

/// A call as its row shows it.
pub(super) struct CallRow<'a> {
    pub(super) call: &'a CallRecord,
    pub(super) state: &'static str,
    pub(super) outcome: &'static str,
    /// What went wrong, in the words of the other side.
    pub(super) why: Option<&'a str>,
    /// Which call it follows and why, where it is not the first of its seat.
    pub(super) follows: Option<String>,
    pub(super) latency: Option<String>,
    pub(super) cost: Option<String>,
}

/// The rows, in order.
pub(super) fn rows(record: &RunRecord) -> Vec<CallRow<'_>> {
    let all = record.calls.iter().enumerate();
    all.map(|(n, call)| row(call, &record.calls[..n])).collect()
}

fn row<'a>(call: &'a CallRecord, before: &'a [CallRecord]) -> CallRow<'a> {
    let (outcome, why) = outcome(&call.state);
    CallRow {
        call,
        state: state(&call.state),
        outcome,
        why,
        follows: follows(call, before),
        latency: call.latency_ms.map(span),
        cost: call.cost.map(dollars),
    }
}

/// The name of a state in the style sheet.
pub(super) fn state(state: &CallState) -> &'static str {
    match state {
        CallState::Answered => "good",
        CallState::Unreadable { .. } => "unsure",
        CallState::Failed { .. } => "bad",
        CallState::InFlight | CallState::MaybeBilled | CallState::Released => "open",
    }
}

/// How a call went, and what the other side said to that.
pub(super) fn outcome(state: &CallState) -> (&'static str, Option<&str>) {
    match state {
        CallState::InFlight => ("not answered yet", None),
        CallState::MaybeBilled => ("cut off, maybe billed", None),
        CallState::Released => ("given back", None),
        CallState::Answered => ("answered", None),
        CallState::Unreadable { why } => ("unreadable", Some(why)),
        CallState::Failed { failure: Failure::Timeout, message } => ("timed out", Some(message)),
        CallState::Failed { failure: Failure::Transient | Failure::Permanent, message } => {
            ("failed", Some(message))
        }
    }
}

/// What this call makes good: the newest one of the same seat before it.
fn follows(call: &CallRecord, before: &[CallRecord]) -> Option<String> {
    let same = |other: &&CallRecord| {
        (other.round, &other.step, &other.role) == (call.round, &call.step, &call.role)
    };
    // Calls of a seat stand close together, so that the search from the end is short.
    let last = before.iter().rev().take(64).find(same)?;
    let n = last.call;
    match last.state {
        CallState::Unreadable { .. } => Some(format!("repairs call {n}")),
        CallState::Failed { .. } => Some(format!("retries call {n}")),
        CallState::MaybeBilled | CallState::InFlight | CallState::Released => {
            Some(format!("asks call {n} again"))
        }
        CallState::Answered => None,
    }
}
