//! The ports through which a run touches the world: agents, the journal, files and the clock.
//!
//! Invariant: a port does one effect and reports it; none of them knows where a run stands.
//! Absent here: any implementation. Stores, agents and the binary bring theirs.

use crate::Settlement;
use redraft_loop::{
    Amount, Asked, CallId, CapReached, Epoch, Fact, Failure, Hash, Reading, Role, Run, RunId,
    Served, StepId, Time, Turn, Usage,
};
use redraft_workflows::Prompt;
use std::time::Duration;

/// A boxed future, so that ports can be used as trait objects.
pub type BoxFuture<'a, T> = futures::future::BoxFuture<'a, T>;

/// Something that can play a role.
pub trait Agent: Send + Sync {
    /// Turns one call into an answer. Dropping the future cancels the request.
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>>;

    /// Whether a call costs nothing and may be put any number of times, as a question to a person may. One that was
    /// cut off is then given back.
    fn costs_nothing(&self) -> bool {
        false
    }

    /// How long one call may take, where the agent's work needs another time than the policy's; the run's own time
    /// bounds it all the same.
    fn patience(&self) -> Option<Duration> {
        None
    }

    /// The most that one call with this prompt can use; nothing unless the agent says otherwise.
    fn bound(&self, _prompt: &Prompt) -> Amount {
        Amount::FREE
    }
}

/// One request to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The run it belongs to.
    pub run: RunId,
    /// Its number in the run.
    pub call: CallId,
    /// What the run is about, in its workflow's words.
    pub subject: String,
    /// The round.
    pub round: u32,
    /// The step.
    pub step: StepId,
    /// The role to play.
    pub role: Role,
    /// Which attempt of the seat it is, from 1.
    pub attempt: u32,
    /// How many calls this role has answered before.
    pub ordinal: u32,
    /// What is asked.
    pub prompt: Prompt,
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The reply, word for word.
    pub text: String,
    /// What it used; `None` where the agent does not tell.
    pub usage: Option<Usage>,
    /// What that cost, in millionths of a US dollar; `None` where nobody can tell.
    pub cost: Option<u64>,
    /// Who served it, as far as the other side told.
    pub served: Option<Served>,
}

impl Answer {
    /// An answer of which nothing else is known.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), usage: None, cost: None, served: None }
    }
}

/// Why a call has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// The attempt failed.
    #[error(transparent)]
    Failed(#[from] AttemptError),
    /// The agent waits for somebody, and cannot say for how long; nothing was used. The same call is asked
    /// again by the next driver.
    #[error("waits for {0}")]
    Waits(String),
}

/// A failed attempt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AttemptError {
    /// Whether trying again can help.
    pub failure: Failure,
    /// What happened, with its cause.
    pub message: String,
    /// How long the other side asked to wait.
    pub retry_after: Option<Duration>,
    /// What the attempt used all the same; `None` where nobody tells.
    pub usage: Option<Usage>,
    /// What that cost, in millionths of a US dollar; `None` where nobody can tell.
    pub cost: Option<u64>,
    /// Who served it, as far as the other side told.
    pub served: Option<Served>,
    /// Whether nothing has left, so that it counts as no call.
    pub unsent: bool,
}

impl AttemptError {
    /// A failure of which nothing else is known.
    pub fn new(failure: Failure, message: impl Into<String>) -> Self {
        Self {
            failure,
            message: message.into(),
            retry_after: None,
            usage: None,
            cost: None,
            served: None,
            unsent: false,
        }
    }

    /// The same of an attempt that never left: nothing was used.
    #[must_use]
    pub fn before_it_left(self) -> Self {
        Self { usage: Some(Usage::default()), cost: Some(0), unsent: true, ..self }
    }
}

/// The journal of one run, opened for one driver.
pub trait Journal: Send + Sync {
    /// Appends a batch in one durable commit, all or nothing.
    ///
    /// When a shared cap refuses the claims, the batch's facts are kept, the claims are not, and a
    /// `cap_reached` fact stands in their place.
    fn append(&self, batch: Batch) -> BoxFuture<'_, Result<Appended, JournalError>>;

    /// All facts of the run, in order; empty when it was never opened.
    fn load(&self) -> BoxFuture<'_, Result<Vec<Fact>, JournalError>>;
}

/// Facts to be appended together.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// How many facts the journal holds before this batch.
    pub after: u64,
    /// The epoch of the driver that appends.
    pub epoch: Epoch,
    /// What has happened; kept in any case.
    pub facts: Vec<Fact>,
    /// Calls claimed at the end of the batch; each reserves its budget in the same commit.
    pub claims: Vec<Asked>,
    /// How earlier reservations are settled by these facts.
    pub settlement: Settlement,
    /// The time to stand in a `cap_reached` fact.
    pub at: Time,
}

/// How an append went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appended {
    /// All of it is durable.
    All,
    /// The facts are durable; the claims were refused, and this stands in their place.
    OverCap(CapReached),
}

/// Why a journal could not be read or appended to.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another driver has taken the run over; this one must not write any more.
    #[error("run {run}: another driver has taken over (epoch {newest}, ours was {ours})")]
    Stale {
        /// The run.
        run: RunId,
        /// Our epoch.
        ours: Epoch,
        /// The epoch that the journal has now.
        newest: Epoch,
    },
    /// The journal has other facts than the driver believes.
    #[error("run {run}: the journal holds {found} facts, not {expected}")]
    Moved {
        /// The run.
        run: RunId,
        /// What the driver believed.
        expected: u64,
        /// What stands there.
        found: u64,
    },
    /// What stands in the journal cannot be read or contradicts itself.
    #[error("run {run}: fact {seq}: {what}")]
    Damaged {
        /// The run.
        run: RunId,
        /// The first bad fact, from 1.
        seq: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The disk or the database failed.
    #[error("the journal cannot be used: {0}")]
    Storage(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The files that a run's facts are projected to.
pub trait Files: Send + Sync {
    /// Refuses a reading whose files may not be written, by themselves or beside what the run has written,
    /// with a message for a person.
    ///
    /// # Errors
    /// The message; nothing was written.
    fn admit(&self, run: &Run, reading: &Reading) -> Result<(), String>;

    /// The SHA-256 of exactly what stands for a turn now, to compare with what a person approved.
    ///
    /// # Errors
    /// When it cannot be read.
    fn seal(&self, run: &Run, turn: &Turn) -> std::io::Result<Hash>;

    /// Brings the files up to date with the run; `from` is the first turn that is new since the last
    /// call. Called after the facts are durable and before the next call leaves. Idempotent.
    fn project<'a>(&'a self, run: &'a Run, from: usize) -> BoxFuture<'a, std::io::Result<()>>;
}

/// Time, as the outside tells it.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Time;

    /// Waits.
    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;
}
