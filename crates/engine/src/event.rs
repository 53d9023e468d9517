//! One stream of events for whoever watches: the terminal now, the server later.
//!
//! Invariant: an event about a fact is sent after that fact is durable; a slow watcher never holds a run up.
//! Absent here: any rendering.

use redraft_loop::{Fact, RunId, Stop};
use std::sync::Arc;
use tokio::sync::broadcast;

/// Something that became known about a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The run.
    pub run: RunId,
    /// The name of its workflow.
    pub workflow: String,
    /// What the run is about, in its workflow's words.
    pub subject: String,
    /// What became known.
    pub news: News,
}

/// What became known.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// A fact is durable.
    Fact {
        /// Its number in the journal, from 1.
        seq: u64,
        /// The fact.
        fact: Arc<Fact>,
    },
    /// A call is asked again with another prompt than before: prompts have changed since.
    PromptChanged,
    /// The driver waits before it tries again.
    BackingOff {
        /// How long.
        delay: std::time::Duration,
    },
    /// The driver rests without a decision.
    Stopped(Stop),
}

/// Where events are sent; clones share one stream.
#[derive(Debug, Clone)]
pub struct Events(broadcast::Sender<Event>);

impl Events {
    /// A stream that keeps this many events for its slowest watcher.
    pub fn new(kept: usize) -> Self {
        Self(broadcast::Sender::new(kept))
    }

    /// A new watcher; it hears what is sent from now on.
    pub fn watch(&self) -> broadcast::Receiver<Event> {
        self.0.subscribe()
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.0.receiver_count() > 0
    }

    pub(crate) fn send(&self, event: Event) {
        // No watcher is no error.
        let _ = self.0.send(event);
    }
}
