//! `redraft runs`: what runs there are, and what happened in them.

mod cost;
mod record;
mod show;

use crate::{
    episode::facts,
    exit::{Code, Failure},
    say, solve,
};
use redraft_engine::RunRecord;
use redraft_loop::Outcome;
use redraft_store::{Filter, Home, Store, StoreError, StreamId, StreamRow};
use serde_json::json;
use std::path::{Path, PathBuf};

/// What runs there are, and what happened in them
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Runs {
    /// List the runs of a home, newest first
    List(List),
    /// Show one run: its calls, turns and decision
    Show(show::Show),
    /// Print the whole record of one run as JSON, with the texts of a solve
    Record(record::Record),
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

#[derive(Debug, clap::Args)]
pub(crate) struct List {
    #[command(flatten)]
    at: Where,
    /// The most runs to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
}

pub(crate) fn run(command: &Runs, as_json: bool) -> Result<Code, Failure> {
    match command {
        Runs::List(args) => list(args, as_json),
        Runs::Show(args) => show::run(args, as_json),
        Runs::Record(args) => record::run(args),
        Runs::Cost(args) => cost::run(args, as_json),
    }
}

impl Runs {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::List(_) => "runs list",
            Self::Show(_) => "runs show",
            Self::Record(_) => "runs record",
            Self::Cost(_) => "runs cost",
        }
    }
}

/// The journal of the home in or above a folder.
pub(crate) fn journal(from: &Path) -> Result<(Home, Store), Failure> {
    let none = || {
        Failure::usage(format!("{}: there is no home (.redraft) here or above", from.display()))
            .help("name a workspace with --workspace")
    };
    let home = Home::find(from)?
        .map_or_else(solve::users_home, |home| Ok(Some(home)))?
        .ok_or_else(none)?;
    let store = Store::open_existing(&home)?.ok_or_else(|| {
        Failure::usage(format!("{}: the home has no journal yet", home.dir().display()))
    })?;
    Ok((home, store))
}

pub(crate) use record::whole;

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

fn ending(record: &RunRecord) -> String {
    let Some(exit) = &record.decision else { return "open".to_owned() };
    let outcome = match exit.outcome {
        Outcome::Converged => "converged",
        Outcome::NeedsHuman => "needs_human",
        Outcome::Ended => "ended",
    };
    format!("{outcome} ({})", exit.reason)
}

fn list(args: &List, as_json: bool) -> Result<Code, Failure> {
    let (_, store) = journal(&args.at.workspace)?;
    let mut listed = Vec::new();
    for row in rows(&store)?.into_iter().take(args.limit) {
        listed.push((row.registration.workspace.clone(), record(&store, &row.stream)?));
    }
    if as_json {
        let row = |(workspace, record): &(Option<String>, RunRecord)| {
            json!({
                "run_id": record.run_id, "workflow": record.workflow, "workspace": workspace,
                "subject": record.subject, "opened_at": record.opened_at,
                "calls": record.calls_charged, "decision": record.decision,
            })
        };
        let rows: Vec<_> = listed.iter().map(row).collect();
        say::json("runs list", Code::Done, json!({ "runs": rows }));
        return Ok(Code::Done);
    }
    for (workspace, record) in listed {
        let place = workspace.unwrap_or_default();
        let calls = say::count(record.calls_charged, "call");
        let (run, subject) = (&record.run_id, &record.subject);
        say::out(&format!("{run}  {place}  {subject}  {calls}  {}", ending(&record)));
    }
    Ok(Code::Done)
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
