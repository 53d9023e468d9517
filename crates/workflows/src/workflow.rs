//! What every workflow can do: write a prompt, read a reply, play a step of its own.
//!
//! Invariant: pure; same run and same text, same result.
//! Absent here: a registry of workflows. Whoever runs one brings it along.

use crate::Prompt;
use redraft_loop::{Ask, Play, Reading, Run};

/// A workflow as the engine sees it. Its steps, rules and limits stand in the run's shape.
pub trait Workflow: Send + Sync {
    /// Writes the prompt of a call.
    fn write(&self, run: &Run, ask: &Ask) -> Prompt;

    /// Reads a reply to that call.
    ///
    /// # Errors
    /// When the reply does not say what it has to, in words that a repair can quote.
    fn read(&self, run: &Run, ask: &Ask, reply: &str) -> Result<Reading, Unreadable>;

    /// Plays a step of the workflow's own, or a seat in place of its failed agent.
    fn play(&self, run: &Run, play: &Play) -> Reading;
}

/// A reply that does not say what it has to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Unreadable {
    /// What is wrong, with the place in the reply.
    pub why: String,
}
