//! `redraft runs`: what runs there are, and what happened in them.

pub(crate) mod changed;
mod cost;
mod export;
mod list;
mod own;
mod record;
mod show;

use crate::{
    episode::facts,
    exit::{Code, Failure},
    standalone,
};
use redraft_engine::RunRecord;
use redraft_loop::{Exit, Outcome};
use redraft_store::{Filter, Home, Store, StoreError, StreamId, StreamRow};
use std::path::{Path, PathBuf};

/// What runs there are, and what happened in them
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Runs {
    /// List the runs of a home, newest first
    List(list::List),
    /// Show one run: its calls, turns and decision
    Show(show::Show),
    /// Print the whole record of one run as JSON, with the texts of a solve, a pair or a session
    Record(record::Record),
    /// Write one run as a page that opens from disk
    Export(export::Export),
    /// Show what runs have used of calls, tokens and money, and what their home's caps leave
    Cost(cost::Cost),
}

/// Which home to look in.
#[derive(Debug, clap::Args)]
struct Where {
    /// A folder in or above which the home (.redraft) is
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
}

pub(crate) fn run(command: &Runs, as_json: bool) -> Result<Code, Failure> {
    match command {
        Runs::List(args) => list::run(args, as_json),
        Runs::Show(args) => show::run(args, as_json),
        Runs::Record(args) => record::run(args),
        Runs::Export(args) => export::run(args, as_json),
        Runs::Cost(args) => cost::run(args, as_json),
    }
}

impl Runs {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::List(_) => "runs list",
            Self::Show(_) => "runs show",
            Self::Record(_) => "runs record",
            Self::Export(_) => "runs export",
            Self::Cost(_) => "runs cost",
        }
    }
}

/// The journal of the home in or above a folder.
pub(crate) fn journal(from: &Path) -> Result<(Home, Store), Failure> {
    let home = standalone::known(from)?.ok_or_else(|| standalone::nothing(from))?;
    let store = Store::open_existing(&home)?.ok_or_else(|| {
        Failure::usage(format!("{}: the home has no journal yet", home.dir().display()))
    })?;
    Ok((home, store))
}

pub(crate) use own::Own;
pub(crate) use record::whole;
pub(crate) use show::cast_line;

pub(crate) fn rows(store: &Store) -> Result<Vec<StreamRow>, Failure> {
    let filter = Filter { kind: Some("run".into()), ..Filter::default() };
    Ok(store.streams(&filter)?)
}

pub(crate) fn record(store: &Store, stream: &StreamId) -> Result<RunRecord, Failure> {
    let damaged = |seq, what: String| -> Failure {
        StoreError::Damaged { stream: stream.to_string(), seq, what }.into()
    };
    let facts = facts(store, stream, 0)?;
    RunRecord::fold(&facts).map_err(|error| damaged(1, error.to_string()))
}

/// How a run ended, in a few words.
pub(crate) fn ending(decision: Option<&Exit>) -> String {
    let Some(exit) = decision else { return "open".to_owned() };
    format!("{} ({})", outcome(exit.outcome), exit.reason)
}

/// An outcome in one word, the contract's.
pub(crate) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Converged => "converged",
        Outcome::NeedsHuman => "needs_human",
        Outcome::Ended => "ended",
    }
}

/// The one run whose id begins like this.
pub(crate) fn find<'a>(all: &'a [StreamRow], id: &str) -> Result<&'a StreamRow, Failure> {
    if id.trim().is_empty() {
        return Err(
            Failure::usage("the id of the run is empty").help("redraft runs list shows them")
        );
    }
    let mut found = all.iter().filter(|row| row.stream.as_str().starts_with(id));
    match (found.next(), found.next()) {
        (Some(row), None) => Ok(row),
        (Some(_), Some(_)) => Err(Failure::usage(format!("several runs begin with {id}"))
            .help("give more of the id; redraft runs list shows them")),
        (None, _) => {
            Err(Failure::usage(format!("there is no run {id}"))
                .help("redraft runs list shows them"))
        }
    }
}
