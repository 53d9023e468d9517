//! Making a driver's batch durable, and letting out what follows from it: files, events, calls.
//!
//! Invariant: the append comes first; whatever fails after it is made up for when the run is resumed.
//! Absent here: what goes into a batch.

use crate::{Agent, Appended, Batch, Call, Event, News, driver::DriveError, driver::Driver};
use redraft_loop::{Ask, Asked, CapReached, Fact, Input, Interrupted, Released, Run};
use std::{sync::Arc, time::Duration};

/// A claimed call, with what `next` asked for.
pub(crate) type Claimed = (Asked, Ask, Call);

impl Driver<'_> {
    /// Makes the batch durable, then lets out what follows from it.
    pub(crate) async fn commit(&mut self) -> Result<(), DriveError> {
        if self.facts.is_empty() && self.claims.is_empty() {
            return Ok(());
        }
        let claims = std::mem::take(&mut self.claims);
        let (first, facts, appended) = self.append(&claims).await?;
        match appended {
            Appended::All => {
                if let Err(error) = self.project().await {
                    self.give_back(claims).await?;
                    return Err(error);
                }
                self.publish(first, facts, claims.iter().map(|(asked, ..)| asked));
                self.send(claims).await
            }
            Appended::OverCap(reached) => self.over_cap(first, facts, reached).await,
        }
    }

    /// Appends what has come about since the last commit, with these claims.
    async fn append(
        &mut self,
        claims: &[Claimed],
    ) -> Result<(u64, Vec<Fact>, Appended), DriveError> {
        let facts = std::mem::take(&mut self.facts);
        let batch = Batch {
            after: self.durable,
            epoch: self.run.epoch(),
            facts: facts.clone(),
            claims: claims.iter().map(|(asked, ..)| asked.clone()).collect(),
            settlement: std::mem::take(&mut self.settlement),
            at: self.now(),
        };
        let appended = self.stage.journal.append(batch).await?;
        let first = self.durable + 1;
        self.durable += facts.len() as u64;
        if appended == Appended::All {
            self.durable += claims.len() as u64;
        }
        Ok((first, facts, appended))
    }

    /// Closes claims whose calls are known not to have left.
    async fn give_back(&mut self, claims: Vec<Claimed>) -> Result<(), DriveError> {
        if claims.is_empty() {
            return Ok(());
        }
        for (asked, ..) in claims {
            let (call, at) = (asked.call, self.now());
            self.give(Input::Release(Released { call, waits_for: None, at }))?;
        }
        self.append(&[]).await.map(drop)
    }

    /// Closes calls that an earlier driver left, where they cost nothing: they are asked again as if for the first time.
    /// The agent may be another than was asked then; what was reserved for that one tells whether it may have been paid.
    pub(crate) fn give_back_what_cost_nothing(&mut self) -> Result<(), DriveError> {
        for (call, role) in self.run.unanswered() {
            let agent = self.stage.cast.get(&role);
            if agent.is_some_and(|agent| agent.costs_nothing()) && self.run.reserved(call).is_free()
            {
                let at = self.now();
                self.give(Input::Release(Released { call, waits_for: None, at }))?;
            }
        }
        Ok(())
    }

    async fn over_cap(
        &mut self,
        first: u64,
        mut facts: Vec<Fact>,
        reached: CapReached,
    ) -> Result<(), DriveError> {
        self.run = Run::replay(self.stage.journal.load().await?)?;
        self.durable = self.run.facts();
        self.project().await?;
        facts.push(Fact::CapReached(reached));
        self.publish(first, facts, std::iter::empty());
        Ok(())
    }

    async fn project(&mut self) -> Result<(), DriveError> {
        let from = self.projected;
        self.stage.files.project(&self.run, from).await.map_err(DriveError::Files)?;
        self.projected = self.run.turns().len();
        Ok(())
    }

    fn publish<'f>(&self, first: u64, facts: Vec<Fact>, claims: impl Iterator<Item = &'f Asked>) {
        if !self.stage.events.is_watched() {
            return;
        }
        let claims = claims.map(|asked| Fact::Asked(asked.clone()));
        for (seq, fact) in (first..).zip(facts.into_iter().chain(claims)) {
            self.tell(News::Fact { seq, fact: Arc::new(fact) });
        }
    }

    /// Sends the claimed calls, unless they may not leave any more.
    async fn send(&mut self, claims: Vec<Claimed>) -> Result<(), DriveError> {
        if self.stage.cancel.now.is_cancelled() && !claims.is_empty() {
            self.give(Input::Interrupt(Interrupted { at: self.now() }))?;
            return self.give_back(claims).await;
        }
        for (_, ask, call) in claims {
            let clock = self.stage.clock;
            // Claims are made only for roles that are cast.
            if let Some(agent) = self.stage.cast.get(&ask.role) {
                let timeout = self.call_timeout(agent.as_ref());
                self.flights.send(ask, call, agent.as_ref(), clock, timeout);
            }
        }
        Ok(())
    }

    /// How long a call may take: no longer than one to this agent may, nor than the run has left.
    fn call_timeout(&self, agent: &dyn Agent) -> Duration {
        let patience = agent.patience().unwrap_or(self.stage.policy.call_timeout);
        patience.min(self.time_left().unwrap_or(Duration::MAX))
    }

    /// How long the run may still take, counted from now; `None` when nothing bounds it.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let passed = self.now().0.saturating_sub(self.run.now().0).max(0);
        let left = self.run.time_left()?.saturating_sub(passed).max(0);
        Some(Duration::from_micros(left.unsigned_abs()))
    }

    pub(crate) fn tell(&self, news: News) {
        if self.stage.events.is_watched() {
            let opened = self.run.opened();
            self.stage.events.send(Event {
                run: opened.run.clone(),
                workflow: opened.shape.workflow.clone(),
                subject: opened.subject.clone(),
                news,
            });
        }
    }
}
