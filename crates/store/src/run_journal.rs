//! The journal of one run, as the engine's port asks for it.
//!
//! Invariant: a batch is one commit, its claims reserve what they may use from the budgets of every scope that the
//! run is in, all or none, and what is given back goes back to the same. A fact of a version that this program does
//! not know is refused, never skipped.
//! Absent here: what facts lead to.

use crate::db::append::{
    Append, AppendOutcome, Claims, OverCap, Registration, Reservation, StreamId, StreamWrite,
};
use crate::db::error::StoreError;
use crate::db::store::Store;
use redraft_engine::{Appended, Batch, BoxFuture, Journal, JournalError, Spend};
use redraft_loop::{Asked, CapReached, Epoch, FACT_VERSION, Fact, RunId, Time};
use serde::{Deserialize, Serialize};

/// The scope of the caps that all runs of a home share.
pub const HOME_SCOPE: &str = "home";
/// The scope of the caps that all runs share which a server has opened.
pub const SERVER_SCOPE: &str = "server";
/// The unit in which requests to agents are counted.
pub const CALLS: &str = "calls";
/// The unit in which tokens are counted, read and written alike.
pub const TOKENS: &str = "tokens";
/// The unit in which money is counted: millionths of a US dollar.
pub const MICRODOLLARS: &str = "microdollars";
/// The unit in which calls are counted whose price is unknown. They are refused where a scope has a cap on
/// [`MICRODOLLARS`]: such a cap could not be held.
pub const UNPRICED: &str = "unpriced";

/// The journal of one run.
#[derive(Debug, Clone)]
pub struct RunJournal {
    store: Store,
    run: RunId,
    registration: Registration,
    /// Whose budgets its calls are counted in, each once.
    scopes: Vec<String>,
    when_decided: Option<StreamWrite>,
}

/// Why a fact's text could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum FactError {
    /// A later version of the program wrote it.
    #[error(
        "the fact has format {found}, this program knows up to {FACT_VERSION}; use a newer one"
    )]
    Version {
        /// The format of the fact.
        found: u32,
    },
    /// It is no fact.
    #[error("not a fact: {0}")]
    Json(#[from] serde_json::Error),
}

#[derive(Serialize)]
struct Writing<'a> {
    v: u32,
    fact: &'a Fact,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    v: u32,
    fact: Fact,
}

#[derive(Deserialize)]
struct Version {
    v: u32,
}

/// The text of a fact as it stands in the journal: `{"v":2,"fact":{…}}`.
///
/// # Errors
/// When the fact holds a value that JSON does not have.
pub fn encode_fact(fact: &Fact) -> Result<String, FactError> {
    Ok(serde_json::to_string(&Writing { v: FACT_VERSION, fact })?)
}

/// The fact of a text from the journal.
///
/// # Errors
/// [`FactError::Version`] for a format that this program does not know, else what is wrong.
pub fn decode_fact(text: &str) -> Result<Fact, FactError> {
    let known = 1..=FACT_VERSION;
    match serde_json::from_str::<Reading>(text) {
        Ok(read) if known.contains(&read.v) => Ok(read.fact),
        Ok(read) => Err(FactError::Version { found: read.v }),
        Err(error) => match serde_json::from_str::<Version>(text) {
            Ok(version) if !known.contains(&version.v) => {
                Err(FactError::Version { found: version.v })
            }
            _ => Err(error.into()),
        },
    }
}

impl RunJournal {
    /// The journal of this run, which counts its calls in the home's budgets; its stream is registered with the first
    /// append.
    pub fn new(store: Store, run: RunId, registration: Registration) -> Self {
        Self { store, run, registration, scopes: vec![HOME_SCOPE.to_owned()], when_decided: None }
    }

    /// Counts the run's calls in the budgets of these scopes too. A run has to be given the same scopes by each of its
    /// drivers: what one has reserved, the next may give back.
    #[must_use]
    pub fn within<'a>(mut self, scopes: impl IntoIterator<Item = &'a str>) -> Self {
        for scope in scopes {
            if !self.scopes.iter().any(|known| known == scope) {
                self.scopes.push(scope.to_owned());
            }
        }
        self
    }

    /// This write goes into the same commit as the fact that decides the run.
    pub fn also_when_decided(self, write: StreamWrite) -> Self {
        Self { when_decided: Some(write), ..self }
    }

    fn append_of(&self, batch: &Batch) -> Result<Append, FactError> {
        let claims: Vec<Fact> = batch.claims.iter().cloned().map(Fact::Asked).collect();
        let decides = batch.facts.iter().any(|fact| matches!(fact, Fact::Decided(_)));
        let write = StreamWrite {
            stream: StreamId::from(&self.run),
            register: Some(self.registration.clone()),
            after: Some(batch.after),
            epoch: batch.epoch.0,
            bodies: encode_all(&batch.facts)?,
        };
        let mut append = Append::new(vec![write]);
        append.writes.extend(self.when_decided.iter().filter(|_| decides).cloned());
        append.refund = self.of_scopes(batch.settlement.refund);
        append.overdraft = self.of_scopes(batch.settlement.overdraft);
        if !claims.is_empty() {
            let all = batch.claims.iter().map(spend);
            let reserved = all.fold(Spend::default(), Spend::and);
            append.claims = Some(Claims {
                bodies: encode_all(&claims)?,
                reserve: self.of_scopes(reserved),
                over: over_cap(batch.at)?,
            });
        }
        Ok(append)
    }

    /// The same amounts of each scope's budgets. A run's own caps need no row here: the loop holds them, and one driver
    /// plays the run.
    fn of_scopes(&self, spend: Spend) -> Vec<Reservation> {
        let Spend { calls, tokens, cost, unpriced } = spend;
        let units = [(CALLS, calls), (TOKENS, tokens), (MICRODOLLARS, cost), (UNPRICED, unpriced)];
        let used = units.into_iter().filter(|(_, amount)| *amount > 0);
        let of = |scope: &String| {
            let scope = scope.clone();
            used.clone().map(move |(unit, amount)| Reservation::new(&scope, unit, amount))
        };
        self.scopes.iter().flat_map(of).collect()
    }

    /// What concerns this run's own stream has a name of its own in the port.
    fn journal_error(&self, error: StoreError) -> JournalError {
        let run = self.run.clone();
        let own = |stream: &str| stream == self.run.as_str();
        if let StoreError::Stale { stream, ours, newest } = &error
            && own(stream)
        {
            return JournalError::Stale { run, ours: Epoch(*ours), newest: Epoch(*newest) };
        }
        if let StoreError::Moved { stream, expected, found } = &error
            && own(stream)
        {
            return JournalError::Moved { run, expected: *expected, found: *found };
        }
        if let StoreError::Damaged { stream, seq, what } = &error
            && own(stream)
        {
            return JournalError::Damaged { run, seq: *seq, what: what.clone() };
        }
        JournalError::Storage(Box::new(error))
    }

    fn load_now(&self) -> Result<Vec<Fact>, JournalError> {
        let entries = self.store.read(&StreamId::from(&self.run));
        let entries = entries.map_err(|error| self.journal_error(error))?;
        let decode = |entry: crate::Entry| {
            decode_fact(&entry.body).map_err(|error| match error {
                FactError::Version { .. } => JournalError::Storage(Box::new(error)),
                FactError::Json(_) => JournalError::Damaged {
                    run: self.run.clone(),
                    seq: entry.seq,
                    what: error.to_string(),
                },
            })
        };
        entries.into_iter().map(decode).collect()
    }
}

/// What a claimed call takes of each budget.
fn spend(asked: &Asked) -> Spend {
    let spend = Spend::of_call(asked.reserve);
    if asked.house { spend.of_the_house() } else { spend }
}

fn encode_all(facts: &[Fact]) -> Result<Vec<String>, FactError> {
    facts.iter().map(encode_fact).collect()
}

/// Makes the fact that stands in place of refused claims. It is encoded once beforehand, so that
/// making it later cannot fail.
fn over_cap(at: Time) -> Result<OverCap, FactError> {
    let body =
        move |cap: &str| encode_fact(&Fact::CapReached(CapReached { cap: cap.to_owned(), at }));
    body("")?;
    Ok(Box::new(move |cap| body(cap).unwrap_or_default()))
}

impl Journal for RunJournal {
    fn append(&self, batch: Batch) -> BoxFuture<'_, Result<Appended, JournalError>> {
        Box::pin(async move {
            let append =
                self.append_of(&batch).map_err(|error| JournalError::Storage(Box::new(error)))?;
            match self.store.append(append).await {
                Ok(AppendOutcome::All) => Ok(Appended::All),
                Ok(AppendOutcome::OverCap(cap)) => {
                    Ok(Appended::OverCap(CapReached { cap, at: batch.at }))
                }
                Err(error) => Err(self.journal_error(error)),
            }
        })
    }

    fn load(&self) -> BoxFuture<'_, Result<Vec<Fact>, JournalError>> {
        Box::pin(async move { self.load_now() })
    }
}
