//! `redraft runs list`: the runs of a home, newest first, one line each.
//!
//! Invariant: a run is replayed once and let go before the next one is read, however many there are.
//! Absent here: what happened in them.

use super::{Where, ending, journal, rows};
use crate::{
    commands::{
        columns,
        waits::{Waits, waits_of},
    },
    exit::{Code, Failure},
    say,
    standalone::stored,
};
use redraft_loop::{Exit, RunId};
use redraft_store::{Store, StreamRow};
use redraft_workflows::{solve, time::rfc3339};
use serde::Serialize;
use serde_json::json;

#[derive(Debug, clap::Args)]
pub(crate) struct List {
    #[command(flatten)]
    at: Where,
    /// The most runs to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Only runs of this workflow, such as solve or review
    #[arg(long, value_name = "NAME")]
    workflow: Option<String>,
}

/// The longest part of a question that is listed, in characters.
const TOLD: usize = 200;

/// A run as lists show it.
#[derive(Serialize)]
struct Line {
    run_id: RunId,
    workflow: String,
    workspace: Option<String>,
    subject: String,
    /// What is printed in its place: of a question more than its subject holds.
    #[serde(skip)]
    told: String,
    /// RFC 3339.
    opened_at: String,
    calls: u32,
    decision: Option<Exit>,
    /// What it needs from outside, where it is open and cannot go on by itself.
    waits: Option<Waits>,
}

pub(super) fn run(args: &List, as_json: bool) -> Result<Code, Failure> {
    let (_, store) = journal(&args.at.workspace)?;
    let wanted = |row: &StreamRow| match &args.workflow {
        Some(name) => row.registration.workflow.as_deref() == Some(name),
        None => true,
    };
    let all = rows(&store)?;
    let chosen = all.iter().filter(|row| wanted(row)).take(args.limit);
    let lines: Vec<Line> = chosen.map(|row| line(&store, row)).collect::<Result<_, _>>()?;
    if as_json {
        say::json("runs list", Code::Done, json!({ "runs": lines }));
        return Ok(Code::Done);
    }
    if lines.is_empty() {
        say::err(&why_none(args, &all));
    }
    print(&lines);
    Ok(Code::Done)
}

/// Why nothing is listed.
fn why_none(args: &List, all: &[StreamRow]) -> String {
    let mut workflows: Vec<&str> =
        all.iter().filter_map(|row| row.registration.workflow.as_deref()).collect();
    workflows.sort_unstable();
    workflows.dedup();
    let count = say::count(all.len(), "run");
    match &args.workflow {
        _ if all.is_empty() => "there are no runs yet".to_owned(),
        Some(name) if !workflows.contains(&name.as_str()) => {
            format!("there is no run of {name}; there are runs of: {}", workflows.join(", "))
        }
        Some(_) | None => format!("--limit 0 leaves out what there is: {count}"),
    }
}

fn line(store: &Store, row: &StreamRow) -> Result<Line, Failure> {
    let run = stored(store, &RunId::new(row.stream.as_str()))?;
    let opened = run.opened();
    Ok(Line {
        run_id: opened.run.clone(),
        workflow: run.shape().workflow.clone(),
        workspace: row.registration.workspace.clone(),
        told: say::beginning(solve::prompt(&run).unwrap_or(&opened.subject), TOLD),
        subject: opened.subject.clone(),
        opened_at: rfc3339(opened.at),
        calls: run.calls(),
        decision: run.decision().cloned(),
        waits: waits_of(&run),
    })
}

/// Prints the lines below a header, with columns as wide as what stands in them; the last one takes what is left.
fn print(lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    let head = ["RUN", "OPENED", "WORKFLOW", "CALLS", "OUTCOME", "SUBJECT"].map(str::to_owned);
    let table: Vec<Vec<String>> =
        std::iter::once(head).chain(lines.iter().map(cells)).map(Vec::from).collect();
    columns::lines(&table).iter().for_each(|line| say::out(line));
}

/// How it ended, or what it waits for.
fn standing(line: &Line) -> String {
    match line.waits.as_ref().map(|waits| waits.kind) {
        Some("person") => "waits for a person".to_owned(),
        Some("cap") => "waits for a higher cap".to_owned(),
        Some("failure") => "waits: a call failed".to_owned(),
        Some(_) => "waits: may be paid twice".to_owned(),
        None => ending(line.decision.as_ref()),
    }
}

fn cells(line: &Line) -> [String; 6] {
    let opened = line.opened_at.get(..19).unwrap_or(&line.opened_at).replace('T', " ");
    let place = line.workspace.as_ref().map_or(String::new(), |place| format!(" in {place}"));
    [
        line.run_id.to_string(),
        opened,
        line.workflow.clone(),
        line.calls.to_string(),
        standing(line),
        say::clean(&format!("{}{place}", line.told)),
    ]
}
