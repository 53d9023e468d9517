//! What can be asked of the journal's writer: facts for one or more streams in one commit.
//!
//! Invariant: an append is all or nothing, apart from its claims, which a cap may refuse.
//! Absent here: what a body means.

use redraft_loop::RunId;
use std::fmt;

/// Names a stream of facts, unique in its home.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(String);

impl StreamId {
    /// Wraps a name that is already known to be good.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for StreamId {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

/// A run's stream bears the run's id.
impl From<&RunId> for StreamId {
    fn from(run: &RunId) -> Self {
        Self::new(run.as_str())
    }
}

/// Several writes that become durable together.
pub struct Append {
    /// The writes, each to a stream of its own or after the ones before it.
    pub writes: Vec<StreamWrite>,
    /// Facts that are kept only if their reservations fit; they go to the end of the first write.
    pub claims: Option<Claims>,
    /// Reservations that are given back; a budget never falls below zero.
    pub refund: Vec<Reservation>,
    /// Amounts that were used without having been reserved; counted whatever the caps say.
    pub overdraft: Vec<Reservation>,
    /// Bytes to be captured, each under its SHA-256.
    pub contents: Vec<Vec<u8>>,
}

impl Append {
    /// An append of these writes, without claims, refunds and contents.
    pub fn new(writes: Vec<StreamWrite>) -> Self {
        Self {
            writes,
            claims: None,
            refund: Vec::new(),
            overdraft: Vec::new(),
            contents: Vec::new(),
        }
    }
}

/// Facts for the end of one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamWrite {
    /// The stream.
    pub stream: StreamId,
    /// What the stream is; used when it is new, ignored when it is not.
    pub register: Option<Registration>,
    /// How many facts the stream must hold before; `None` appends wherever its end is.
    pub after: Option<u64>,
    /// The writer's epoch, at least that of the stream's newest fact. Streams that many write to
    /// side by side stay at 0.
    pub epoch: u32,
    /// The facts, encoded.
    pub bodies: Vec<String>,
}

impl StreamWrite {
    /// A write to the end of a stream that many write to: no expectation, epoch 0.
    pub fn shared(stream: StreamId, bodies: Vec<String>) -> Self {
        Self { stream, register: None, after: None, epoch: 0, bodies }
    }

    /// The same write, which makes the stream when it is not there.
    pub fn registered(self, registration: Registration) -> Self {
        Self { register: Some(registration), ..self }
    }
}

/// What a stream is; stands fast once the stream is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The kind of stream, such as `run` or `workspace`.
    pub kind: String,
    /// The key of the workspace it belongs to, see [`crate::Home::workspace_key`].
    pub workspace: Option<String>,
    /// What it is about.
    pub subject: Option<String>,
    /// The workflow, for runs.
    pub workflow: Option<String>,
    /// When it was made, in microseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
}

/// Facts that stand only if their reservations fit under the caps.
pub struct Claims {
    /// The facts, encoded.
    pub bodies: Vec<String>,
    /// What they reserve, all or nothing.
    pub reserve: Vec<Reservation>,
    /// Makes the fact that stands in their place from a text that names the cap and its use.
    pub over: OverCap,
}

/// Makes a fact, encoded, from a text that names a cap and how far it is used.
pub type OverCap = Box<dyn Fn(&str) -> String + Send>;

/// An amount of one budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    /// Whose budget: `home`, `run:<id>`, …
    pub scope: String,
    /// What is counted: `calls`, …
    pub unit: String,
    /// How much.
    pub amount: u64,
}

impl Reservation {
    /// So much of a budget.
    pub fn new(scope: impl Into<String>, unit: impl Into<String>, amount: u64) -> Self {
        Self { scope: scope.into(), unit: unit.into(), amount }
    }
}

/// How an append went; in both cases it is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppendOutcome {
    /// All of it stands.
    All,
    /// All but the claims stands; the text names the cap that refused them and its use.
    OverCap(String),
}
