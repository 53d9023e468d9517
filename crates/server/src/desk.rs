//! What the server asks of the house: runs opened, waited for and read.
//!
//! Invariant: a run that was opened belongs to the desk; dropping any future or stream of it changes nothing about
//! the run.
//! Absent here: HTTP, and any implementation.

use futures::stream::BoxStream;
use redraft_loop::{Hash, RunId, Time};
use redraft_workflows::solve::Request;
use serde_json::Value;
use std::time::Duration;

/// A boxed future, so that a desk can be used as a trait object.
pub type BoxFuture<'a, T> = futures::future::BoxFuture<'a, T>;

/// Facts of one run in their order.
pub type FactStream = BoxStream<'static, Result<FactLine, DeskError>>;

/// The side of the house that opens, drives and knows runs.
pub trait Desk: Send + Sync + 'static {
    /// Opens a run that answers the request and starts driving it, or finds the run that its key has opened before; one
    /// that rests goes on.
    /// When it returns, the run is durable. The request has been normalized once without a refusal.
    ///
    /// # Errors
    /// [`DeskError::KeyReused`], [`DeskError::Busy`], [`DeskError::Refused`], and what a broken store says.
    fn open(&self, request: Request, key: Option<Key>) -> BoxFuture<'_, Result<Opened, DeskError>>;

    /// Waits until the run is decided, then gives its answer; the same one at every call, also after a restart.
    ///
    /// # Errors
    /// [`DeskError::NoSuchRun`], and [`DeskError::Rests`] when its driver stopped before it was decided.
    fn answer<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Answer, DeskError>>;

    /// Lets a run go on that rests, unless it waits for a person who has not answered; gives where it stands then. One
    /// that is driven or decided stays as it is.
    ///
    /// # Errors
    /// [`DeskError::NoSuchRun`], and [`DeskError::Refused`] for one that is not the server's.
    fn resume<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<RunView, DeskError>>;

    /// At most `limit` runs, newest first: those older than `before`, or the newest of all.
    ///
    /// # Errors
    /// [`DeskError::NoSuchRun`] when `before` is none.
    fn runs(
        &self,
        limit: usize,
        before: Option<RunId>,
    ) -> BoxFuture<'_, Result<RunPage, DeskError>>;

    /// Where one run stands.
    ///
    /// # Errors
    /// [`DeskError::NoSuchRun`].
    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<RunView, DeskError>>;

    /// The run's facts with numbers above `after`, those to come included. The stream ends when the run is decided or
    /// rests and all its facts were given. It holds no more than it was asked for: a slow reader costs nothing.
    ///
    /// # Errors
    /// [`DeskError::NoSuchRun`].
    fn facts<'a>(
        &'a self,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<FactStream, DeskError>>;

    /// The run's record as JSON, as far as the run has come.
    ///
    /// # Errors
    /// [`DeskError::NoSuchRun`].
    fn record<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Value, DeskError>>;

    /// Whether new runs can be opened now.
    ///
    /// # Errors
    /// Why not.
    fn ready(&self) -> BoxFuture<'_, Result<(), DeskError>>;

    /// What the house counts, for `/metrics`.
    fn counters(&self) -> BoxFuture<'_, Vec<Counter>>;
}

/// The client's name for a request, so that sending it twice opens one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// As the client sent it: 1 to 255 visible ASCII characters.
    pub name: String,
    /// The SHA-256 of the request's body, byte for byte.
    pub body: Hash,
}

/// A run that answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The run.
    pub run: RunId,
    /// Whether this request opened it; an earlier one with the same key did otherwise.
    pub new: bool,
}

/// How a decided run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The run.
    pub run: RunId,
    /// Its exit in one word, as `runs show` says it: `converged`, `needs_human` or `ended`
    pub outcome: String,
    /// The command line's exit code for it.
    pub exit_code: u8,
    /// When the run was opened.
    pub opened: Time,
    /// The answer, with its footer unless its form is a machine's.
    pub final_answer: String,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
    /// What is still wrong with it, blockers first.
    pub known_issues: Vec<String>,
    /// What its calls used.
    pub tokens: TokenCount,
}

/// Tokens of all calls of a run; 0 where no agent told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenCount {
    /// Sent to models.
    pub input: u64,
    /// Written by models.
    pub output: u64,
}

/// One run in a list or alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunView {
    /// The run.
    pub run: RunId,
    /// Its workflow: `solve`.
    pub workflow: String,
    /// When it was opened.
    pub opened: Time,
    /// When its newest fact was written.
    pub updated: Time,
    /// The number of its newest fact.
    pub facts: u64,
    /// Where it stands.
    pub standing: Standing,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Somebody drives it.
    Running,
    /// Nobody drives it, and it is not decided: a budget, a person, an interruption.
    Resting {
        /// Why, in a few words.
        why: String,
        /// The command line's exit code for it.
        exit_code: u8,
    },
    /// Its journal is not what was written.
    Damaged {
        /// What is wrong with it.
        why: String,
        /// The command line's exit code for it.
        exit_code: u8,
    },
    /// It has ended.
    Decided {
        /// Its exit in one word.
        outcome: String,
        /// The command line's exit code for it.
        exit_code: u8,
    },
}

/// A part of the list of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPage {
    /// Newest first.
    pub runs: Vec<RunView>,
    /// Whether older ones follow.
    pub more: bool,
}

/// One fact of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct FactLine {
    /// Its number in the run, from 1.
    pub number: u64,
    /// What kind of fact it is, in one word.
    pub kind: String,
    /// The fact.
    pub json: Value,
}

/// One number that the house counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Counter {
    /// Its name: letters, digits and `_`, as Prometheus has it.
    pub name: &'static str,
    /// What it counts, in one line.
    pub help: &'static str,
    /// Whether it can fall.
    pub kind: CounterKind,
    /// The number.
    pub value: u64,
}

/// Whether a number can fall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CounterKind {
    /// It only rises.
    Counter,
    /// It rises and falls.
    Gauge,
}

/// Why the desk could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeskError {
    /// Nobody has opened such a run.
    #[error("there is no run {0}")]
    NoSuchRun(RunId),
    /// The key stands for another body.
    #[error("the key has opened run {run} with another body")]
    KeyReused {
        /// The run that it opened.
        run: RunId,
    },
    /// As many runs are driven as may be.
    #[error("{most} runs are driven, and no more may be at once (redraft serve --max-runs)")]
    Busy {
        /// The most that may be.
        most: usize,
        /// When to try again.
        retry_after: Duration,
    },
    /// The request cannot be run as it is: limits below what the workflow needs, a budget that is used up.
    #[error("{0}")]
    Refused(String),
    /// The run's driver has stopped before the run was decided.
    #[error("run {run} rests: {why}")]
    Rests {
        /// The run.
        run: RunId,
        /// Why, in a few words.
        why: String,
        /// The command line's exit code for it; 3 when it goes on once a person has answered, 130 when at the next start.
        exit_code: u8,
    },
    /// A journal is not what was written.
    #[error("run {run} is damaged: {why}")]
    Damaged {
        /// The run.
        run: RunId,
        /// What is wrong with it.
        why: String,
    },
    /// The house cannot work now: it is stopping, or its store is gone.
    #[error("{0}")]
    Unavailable(String),
}
