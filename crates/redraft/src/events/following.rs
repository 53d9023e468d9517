//! Reading along with a run: its facts as they become durable, out of the journal.
//!
//! Invariant: every fact is printed once, in order, after it is durable. Watching only tells that there is more, so what
//! a slow reader makes the watch pass over is missed by nobody; no more than a page is held.
//! Absent here: how a fact is printed.

use super::{line_of, print};
use crate::{episode::facts_page, exit::Failure};
use redraft_engine::{Event, News};
use redraft_loop::RunId;
use redraft_store::{Store, StreamId};
use tokio::sync::broadcast::{Receiver, error::RecvError};

/// The facts that are held at once: one may be as long as the longest reply.
const PAGE: u64 = 16;

/// Reads a run's facts, and knows how far it is.
pub(super) struct Reader {
    store: Store,
    run: StreamId,
    /// The number of the last fact that is printed.
    after: u64,
}

impl Reader {
    /// Before the run's first fact.
    pub(super) fn new(store: Store, run: &RunId) -> Self {
        Self { store, run: StreamId::from(run), after: 0 }
    }

    /// Prints what there is and what comes, until nobody is left who sends events. It blocks its thread.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(super) fn follow(mut self, mut watch: Receiver<Event>) -> Result<(), Failure> {
        loop {
            if !self.all()? {
                return Ok(());
            }
            if !self.is_there_more(&mut watch) {
                return self.all().map(drop);
            }
        }
    }

    /// Prints the facts that there are. Tells whether anybody reads on.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(super) fn all(&mut self) -> Result<bool, Failure> {
        loop {
            let facts = facts_page(&self.store, &self.run, self.after, PAGE)?;
            if facts.is_empty() {
                return Ok(true);
            }
            for fact in &facts {
                self.after += 1;
                if !print(&line_of(self.after, fact)) {
                    return Ok(false);
                }
            }
        }
    }

    /// Waits for a fact that is not printed yet. Tells that none will come once nobody sends events.
    fn is_there_more(&self, watch: &mut Receiver<Event>) -> bool {
        loop {
            match watch.blocking_recv() {
                Ok(Event { news: News::Fact { seq, .. }, .. }) if seq <= self.after => {}
                Ok(Event { news: News::Fact { .. }, .. }) | Err(RecvError::Lagged(_)) => {
                    return true;
                }
                Ok(Event {
                    news: News::PromptChanged | News::BackingOff { .. } | News::Stopped(_),
                    ..
                }) => {}
                Err(RecvError::Closed) => return false,
            }
        }
    }
}
