//! Delays before retries: each retry has one of its own, and waits no longer than its own.
//!
//! Invariant: a delay belongs to one attempt of one seat of one step, and is forgotten when that attempt leaves.
//! Absent here: how often something is tried.

use crate::{BoxFuture, Stage};
use futures::{FutureExt, StreamExt, stream::FuturesUnordered};
use redraft_loop::{Ask, CallId, RunId, StepId};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// One attempt of one seat of one step.
type Attempt = (u32, StepId, u32, u32);

fn attempt(ask: &Ask) -> Attempt {
    (ask.round, ask.step.clone(), ask.seat, ask.attempt)
}

/// The delays of one driver.
#[derive(Default)]
pub(crate) struct Delays<'a> {
    running: FuturesUnordered<BoxFuture<'a, Attempt>>,
    begun: BTreeSet<Attempt>,
    over: BTreeSet<Attempt>,
    asked_for: BTreeMap<Attempt, Duration>,
}

impl<'a> Delays<'a> {
    /// Whether the attempt may leave now.
    pub(crate) fn is_over(&self, ask: &Ask) -> bool {
        ask.failures == 0 || self.over.contains(&attempt(ask))
    }

    /// Remembers how long the other side asked to wait before the attempt after this one.
    pub(crate) fn asked_for(&mut self, failed: &Ask, wait: Option<Duration>) {
        if let Some(wait) = wait {
            let next = Ask { attempt: failed.attempt + 1, ..failed.clone() };
            self.asked_for.insert(attempt(&next), wait);
        }
    }

    /// Begins the delay of an attempt and tells how long it is; `None` when it has begun before.
    pub(crate) fn begin(&mut self, ask: &Ask, stage: &Stage<'a>, run: &RunId) -> Option<Duration> {
        let key = attempt(ask);
        if !self.begun.insert(key.clone()) {
            return None;
        }
        let asked_for = self.asked_for.remove(&key);
        let spread = CallId(ask.round.wrapping_mul(31) ^ ask.seat.wrapping_mul(7) ^ ask.attempt);
        let delay = stage.policy.delay(ask.failures, asked_for, run, spread);
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
