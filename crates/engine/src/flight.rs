//! Calls in flight: each goes to its agent under a deadline; whoever answers first is heard first.
//!
//! Invariant: a flight begins after its claim is durable, and ends in exactly one result.
//! Absent here: what a result means.

use crate::{Agent, Answer, AttemptError, BoxFuture, Call, Clock, NoAnswer};
use futures::{StreamExt, future::Either, stream::FuturesUnordered};
use redraft_loop::{Ask, CallId, Failure};
use std::{collections::BTreeMap, time::Duration};

/// What came back from a call.
pub(crate) type Landed = (CallId, Result<Answer, NoAnswer>);

/// The calls in flight of one driver.
#[derive(Default)]
pub(crate) struct Flights<'a> {
    flying: FuturesUnordered<BoxFuture<'a, Landed>>,
    asks: BTreeMap<CallId, Ask>,
}

impl<'a> Flights<'a> {
    pub(crate) fn send(
        &mut self,
        ask: Ask,
        call: Call,
        agent: &'a dyn Agent,
        clock: &'a dyn Clock,
        timeout: Duration,
    ) {
        let id = call.call;
        self.asks.insert(id, ask);
        self.flying.push(Box::pin(async move {
            let answer = agent.answer(&call);
            let deadline = clock.sleep(timeout);
            match futures::future::select(answer, deadline).await {
                Either::Left((result, _)) => (id, result),
                Either::Right(((), _)) => (id, Err(late(timeout))),
            }
        }));
    }

    /// Whether no call is in flight.
    pub(crate) fn is_empty(&self) -> bool {
        self.flying.is_empty()
    }

    /// Waits for the first call to land; for ever when none is in flight.
    pub(crate) async fn land(&mut self) -> Landed {
        match self.flying.next().await {
            Some(landed) => landed,
            None => std::future::pending().await,
        }
    }

    /// The ask that a landed call belongs to.
    pub(crate) fn ask_of(&mut self, call: CallId) -> Option<Ask> {
        self.asks.remove(&call)
    }
}

fn late(timeout: Duration) -> NoAnswer {
    let message = format!("no complete answer within {} s", timeout.as_secs_f64());
    AttemptError::new(Failure::Timeout, message).into()
}
