//! What `--events` prints: a run's facts, one line of JSON each, and what the command tells as the last line.
//!
//! Invariant: a fact stands here in the words that the server sends it in, once, in order and from the run's first; the
//! last line is `end`, also where the command fails.
//! Absent here: what a command tells.

mod following;

use crate::{
    exit::{Code, Failure},
    say,
    standalone::Place,
};
use following::Reader;
use redraft_engine::Events;
use redraft_loop::{Fact, Run, RunId};
use redraft_server::FactLine;
use redraft_store::Store;
use serde::Serialize;
use serde_json::Value;
use std::thread::{self, JoinHandle};

/// For whom a command prints what comes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    /// A person.
    Words,
    /// A program that reads one document at the end.
    Document,
    /// A program that reads along.
    Events,
}

impl Face {
    /// Of the flags `--events` and `--json`: who reads along gets the document as well.
    pub(crate) fn of(events: bool, as_json: bool) -> Self {
        match (events, as_json) {
            (true, _) => Self::Events,
            (false, true) => Self::Document,
            (false, false) => Self::Words,
        }
    }

    /// Whether nobody wants to see how far it is.
    pub(crate) fn is_quiet(self) -> bool {
        self != Self::Words
    }

    /// Prints the run's facts from its first on, where they are wanted, as they become durable.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn follow(
        self,
        store: &Store,
        run: &RunId,
        events: &Events,
    ) -> Result<Following, Failure> {
        if self != Self::Events {
            return Ok(Following(None));
        }
        let (reader, watch) = (Reader::new(store.clone(), run), events.watch());
        // Whoever reads slowly holds up this thread, and no other.
        let thread = thread::Builder::new().name("events".to_owned());
        let thread = thread.spawn(move || reader.follow(watch));
        thread
            .map(|thread| Following(Some(thread)))
            .map_err(|error| Failure::of(Code::Failure, &error))
    }

    /// Prints the facts of a run that takes no more, where they are wanted.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(crate) fn replay(self, place: &Place, run: &Run) -> Result<(), Failure> {
        let Some(home) = place.home.as_ref().filter(|_| self == Self::Events) else {
            return Ok(());
        };
        let Some(store) = Store::open_existing(home)? else { return Ok(()) };
        Reader::new(store, &run.opened().run).all().map(drop)
    }

    /// Prints a result for programs: the document, or the last line.
    pub(crate) fn result(self, command: &str, code: Code, fields: Value) {
        match self {
            Self::Words | Self::Document => say::json(command, code, fields),
            Self::Events => end(command, code, fields),
        }
    }

    /// How a command ends: for whoever reads along a failure is a last line, too.
    pub(crate) fn ended(
        self,
        command: &str,
        result: Result<Code, Failure>,
    ) -> Result<Code, Failure> {
        match (self, result) {
            (Self::Events, Err(failure)) => {
                end(command, failure.code, say::error_fields(&failure));
                Ok(failure.code)
            }
            (Self::Events | Self::Words | Self::Document, result) => result,
        }
    }
}

/// What prints a run's facts.
pub(crate) struct Following(Option<JoinHandle<Result<(), Failure>>>);

impl Following {
    /// Waits until all facts are printed, or nobody reads on, and gives back what came of the run. All `Events` of the
    /// run are dropped before.
    ///
    /// # Errors
    /// What went wrong with the run, and then where the journal could not be read.
    pub(crate) fn finish<T>(self, played: Result<T, Failure>) -> Result<T, Failure> {
        let Some(thread) = self.0 else { return played };
        let broken = || Failure::new(Code::Failure, "the facts of the run could not be printed");
        let followed = thread.join().map_err(|_| broken()).flatten();
        played.and_then(|played| followed.map(|()| played))
    }
}

/// A fact with its number, as programs read it.
pub(crate) fn line_of(number: u64, fact: &Fact) -> FactLine {
    // Facts have string keys only, which JSON always holds.
    let json = serde_json::to_value(fact).unwrap_or_default();
    FactLine { number, kind: fact.kind().to_owned(), json }
}

/// A line: the fields of a server-sent event.
#[derive(Serialize)]
struct Line<'a> {
    /// The fact's number, from 1; the last line has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    /// The fact's kind, or `end`.
    event: &'a str,
    data: &'a Value,
}

/// Prints a fact. Tells whether anybody reads on.
fn print(fact: &FactLine) -> bool {
    say::event(&Line { id: Some(fact.number), event: &fact.kind, data: &fact.json })
}

/// Prints what a command tells of its run as the last line.
fn end(command: &str, code: Code, fields: Value) {
    let document = say::document(command, code, fields);
    say::event(&Line { id: None, event: "end", data: &document });
}
