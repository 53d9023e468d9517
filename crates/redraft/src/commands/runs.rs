//! `redraft runs`: what runs there are, and what happened in them.

use crate::{
    episode::facts,
    exit::{Code, Failure},
    say,
};
use redraft_engine::{CallRecord, CallState, RunRecord};
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
    Show(Show),
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

#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    #[command(flatten)]
    at: Where,
    /// The run's id, or the beginning of it
    run: String,
}

pub(crate) fn run(command: &Runs, as_json: bool) -> Result<Code, Failure> {
    match command {
        Runs::List(args) => list(args, as_json),
        Runs::Show(args) => show(args, as_json),
    }
}

impl Runs {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::List(_) => "runs list",
            Self::Show(_) => "runs show",
        }
    }
}

/// The journal of the home in or above a folder.
pub(crate) fn journal(from: &Path) -> Result<(Home, Store), Failure> {
    let none = || {
        Failure::usage(format!("{}: there is no home (.redraft) here or above", from.display()))
            .help("name a workspace with --workspace")
    };
    let home = Home::find(from)?.ok_or_else(none)?;
    let store = Store::open_existing(&home)?.ok_or_else(|| {
        Failure::usage(format!("{}: the home has no journal yet", home.dir().display()))
    })?;
    Ok((home, store))
}

fn rows(store: &Store) -> Result<Vec<StreamRow>, Failure> {
    let filter = Filter { kind: Some("run".into()), ..Filter::default() };
    Ok(store.streams(&filter)?)
}

fn record(store: &Store, stream: &StreamId) -> Result<RunRecord, Failure> {
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
        let (run, subject, calls) = (&record.run_id, &record.subject, record.calls_charged);
        say::out(&format!("{run}  {place}  {subject}  {calls} calls  {}", ending(&record)));
    }
    Ok(Code::Done)
}

fn show(args: &Show, as_json: bool) -> Result<Code, Failure> {
    let (_, store) = journal(&args.at.workspace)?;
    let all = rows(&store)?;
    let mut found = all.iter().filter(|row| row.stream.as_str().starts_with(&args.run));
    let row = match (found.next(), found.next()) {
        (Some(row), None) => row,
        (Some(_), Some(_)) => {
            return Err(Failure::usage(format!("several runs begin with {}", args.run))
                .help("give more of the id; redraft runs list shows them"));
        }
        (None, _) => {
            return Err(Failure::usage(format!("there is no run {}", args.run))
                .help("redraft runs list shows them"));
        }
    };
    let record = record(&store, &row.stream)?;
    if as_json {
        say::json("runs show", Code::Done, json!({ "record": record }));
    } else {
        print(&record);
    }
    Ok(Code::Done)
}

fn print(record: &RunRecord) {
    say::out(&format!("Run: {}", record.run_id));
    say::out(&format!("Workflow: {} of {}", record.workflow, record.subject));
    say::out(&format!("Opened: {}", record.opened_at));
    for member in &record.cast {
        say::out(&format!("Cast: {} is played by {}", member.role, member.agent));
    }
    for source in &record.sources {
        let (name, version, hash) = (&source.name, &source.version, source.sha256.as_str());
        say::out(&format!("Source: {name} version {version}, sha256 {hash}"));
    }
    record.calls.iter().for_each(|call| say::out(&call_line(call)));
    for turn in &record.turns {
        let verdict = turn
            .verdict
            .map_or(String::new(), |verdict| format!(" {}", crate::display::verdict_text(verdict)));
        say::out(&format!("Turn: iteration {} {}{verdict}", turn.round, turn.step));
        for issue in &turn.issues {
            say::out(&format!("  {:?}: {}", issue.severity, issue.message).to_lowercase());
        }
    }
    for stop in &record.stops {
        say::out(&format!("Stopped: {} {}", stop.at, stop.why));
    }
    say::out(&format!("Calls: {} charged", record.calls_charged));
    say::out(&format!("Outcome: {}", ending(record)));
}

fn call_line(call: &CallRecord) -> String {
    let state = match &call.state {
        CallState::InFlight => "not answered yet".to_owned(),
        CallState::MaybeBilled => {
            "maybe billed: its driver was gone before an answer was durable".to_owned()
        }
        CallState::Released => "given back".to_owned(),
        CallState::Answered => "answered".to_owned(),
        CallState::Unreadable { why } => format!("unreadable: {why}"),
        CallState::Failed { message, .. } => format!("failed: {message}"),
    };
    let (n, round, role, attempt) = (call.call, call.round, &call.role, call.attempt);
    format!("Call {n}: iteration {round} {role} attempt {attempt}: {state}")
}
