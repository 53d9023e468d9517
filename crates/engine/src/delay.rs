//! Delays before retries: each retry has one of its own, and waits no longer than its own.
//!
//! Invariant: a delay belongs to one attempt of one seat of one step, and is forgotten when that attempt leaves.
//! Absent here: how often something is tried.

use crate::{BoxFuture, Stage};
use futures::{FutureExt, StreamExt, stream::FuturesUnordered};
use redraft_loop::{Ask, CallId, RunId, StepId, Time};
use std::{collections::BTreeSet, time::Duration};

/// One attempt of one seat of one step.
type Attempt = (u32, StepId, u32, u32);

fn attempt(ask: &Ask) -> Attempt {
    (ask.round, ask.step.clone(), ask.seat, ask.attempt)
}

/// From one moment to a later one.
pub(crate) fn span(from: Time, until: Time) -> Duration {
    Duration::from_micros(until.0.saturating_sub(from.0).max(0).unsigned_abs())
}

/// The delays of one driver.
#[derive(Default)]
pub(crate) struct Delays<'a> {
    running: FuturesUnordered<BoxFuture<'a, Attempt>>,
    begun: BTreeSet<Attempt>,
    over: BTreeSet<Attempt>,
}

impl<'a> Delays<'a> {
    /// Whether the attempt may leave now.
    pub(crate) fn is_over(&self, ask: &Ask, now: Time) -> bool {
        let is_free = ask.failures == 0 && ask.not_before.is_none_or(|until| until <= now);
        is_free || self.over.contains(&attempt(ask))
    }

    /// Begins the delay of an attempt and tells how long it is; `None` when it has begun before.
    pub(crate) fn begin(&mut self, ask: &Ask, stage: &Stage<'a>, run: &RunId) -> Option<Duration> {
        let key = attempt(ask);
        if !self.begun.insert(key.clone()) {
            return None;
        }
        let asked_for = ask.not_before.map(|until| span(stage.clock.now(), until));
        let spread = CallId(ask.round.wrapping_mul(31) ^ ask.seat.wrapping_mul(7) ^ ask.attempt);
        let delay = match ask.failures {
            // An earlier driver was asked to wait.
            0 => asked_for.unwrap_or_default(),
            failures => stage.policy.delay(failures, asked_for, run, spread),
        };
        self.running.push(stage.clock.sleep(delay).map(move |()| key).boxed());
        Some(delay)
    }

    /// Waits until the first delay is over; for ever when none runs.
    pub(crate) async fn first(&mut self) {
        match self.running.next().await {
            Some(key) => drop(self.over.insert(key)),
            None => std::future::pending().await,
        }
    }

    /// Forgets the attempt, which leaves now.
    pub(crate) fn leaves(&mut self, ask: &Ask) {
        let key = attempt(ask);
        self.begun.remove(&key);
        self.over.remove(&key);
    }
}
