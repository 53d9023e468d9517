//! `redraft runs show`: one run, from its journal.
//!
//! Absent here: doing anything about it.

mod paired;
mod session;
mod solved;

use super::{Own, Where, ending, find, journal, record::read, rows, whole};
use crate::{
    commands::{
        findings, money,
        waits::{Waits, waits_of},
    },
    exit::{Code, Failure},
    say,
    standalone::stored,
};
use redraft_engine::{CallRecord, CallState, RunRecord, TurnRecord};
use redraft_loop::{CastMember, Run};
use redraft_store::StreamRow;
use redraft_workflows::{gated, pair, solve};
use serde_json::json;
use std::path::Path;

#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    #[command(flatten)]
    at: Where,
    /// The run's id, or the beginning of it
    run: String,
}

pub(super) fn run(args: &Show, as_json: bool) -> Result<Code, Failure> {
    let (_, store) = journal(&args.at.workspace)?;
    let all = rows(&store)?;
    let row = find(&all, &args.run)?;
    let stream = &row.stream;
    if as_json {
        say::json("runs show", Code::Done, json!({ "record": whole(&store, stream)? }));
        return Ok(Code::Done);
    }
    let (record, own) = read(&store, stream)?;
    print(&record, own.as_ref());
    if record.decision.is_none() {
        print_next(&stored(&store, &record.run_id)?, &record, row);
    }
    Ok(Code::Done)
}

/// What an open run waits for, and the command that goes on with it.
fn print_next(run: &Run, record: &RunRecord, row: &StreamRow) {
    if let Some(Waits { why, help, .. }) = waits_of(run) {
        say::out(&format!("Waits: {why}"));
        say::out(&format!("  help: {help}"));
    }
    let id = &record.run_id;
    match (record.workflow.as_str(), &row.registration.workspace) {
        (solve::NAME, _) => say::out(&format!("Next: redraft solve --resume {id}")),
        (pair::NAME, _) => say::out(&format!("Next: redraft pair --resume {id}")),
        (gated::NAME, _) => say::out(&format!("Next: redraft gated step {id}")),
        (_, Some(workspace)) => {
            say::out(&format!("Next: redraft podcast status {}", say::at(Path::new(workspace))));
        }
        (_, None) => {}
    }
}

fn print(record: &RunRecord, own: Option<&Own>) {
    say::out(&format!("Run: {}", record.run_id));
    say::out(&format!("Workflow: {} of {}", record.workflow, record.subject));
    say::out(&format!("Opened: {}", record.opened_at));
    record.finished_at.iter().for_each(|at| say::out(&format!("Decided: {at}")));
    for member in &record.cast {
        say::out(&cast_line(member));
    }
    for source in &record.sources {
        let (name, hash) = (&source.name, source.sha256.as_str());
        let version = match source.version.as_str() {
            "" => String::new(),
            version => format!(" version {version}"),
        };
        say::out(&format!("Source: {name}{version}, sha256 {hash}"));
    }
    let round = Own::round(own);
    record.calls.iter().for_each(|call| say::out(&call_line(call, round)));
    match own {
        Some(Own::Solve(own)) => solved::print(own),
        Some(Own::Pair(own)) => paired::print(own),
        Some(Own::Gated(own)) => session::print(own),
        None => record.turns.iter().for_each(print_turn),
    }
    // A pair's stand in a table of their own.
    if !matches!(own, Some(Own::Pair(_))) {
        print_findings(record);
    }
    for stop in &record.stops {
        say::out(&format!("Stopped: {} {}", stop.at, stop.why));
    }
    record.warnings.iter().for_each(|warning| say::out(&format!("Warning: {warning}")));
    say::out(&format!("Calls: {} charged", record.calls_charged));
    say::out(&format!("Used: {}", money::used(record)));
    say::out(&format!("Outcome: {}", ending(record.decision.as_ref())));
}

fn print_findings(record: &RunRecord) {
    let agent_of = |role: &str| {
        let member = record.cast.iter().find(|member| member.role.as_str() == role);
        member.map(|member| member.agent.as_str())
    };
    for line in findings::table(&record.findings, agent_of) {
        say::out(&format!("Finding: {line}"));
    }
}

fn print_turn(turn: &TurnRecord) {
    let verdict = turn.verdict.map(crate::display::verdict_text);
    let verdict = verdict.map_or(String::new(), |verdict| format!(" {verdict}"));
    say::out(&format!("Turn: iteration {} {}{verdict}", turn.round, turn.step));
    for issue in &turn.issues {
        say::out(&format!("  {:?}: {}", issue.severity, issue.message).to_lowercase());
    }
}

fn call_line(call: &CallRecord, round_is: &str) -> String {
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
    let (n, round, step, role) = (call.call, &call.round, &call.step, &call.role);
    let (attempt, used) = (call.attempt, money::of_call(call.usage, call.cost));
    let took = call.latency_ms.map_or(String::new(), |ms| format!(", {ms} ms"));
    let served = served(call);
    // What has no rounds is all in round 0.
    let at = if *round > 0 { format!("{round_is} {round} ") } else { String::new() };
    format!("Call {n}: {at}{step} by {role} attempt {attempt}: {state}{took}{used}{served}")
}

/// Who served a call, where the other side told.
fn served(call: &CallRecord) -> String {
    let Some(served) = &call.served else { return String::new() };
    let told =
        [("by", &served.model), ("request", &served.request), ("ended with", &served.finish)];
    let told =
        told.into_iter().filter_map(|(word, text)| Some(format!(", {word} {}", text.as_ref()?)));
    told.collect()
}

/// Who plays a role, in one line.
pub(crate) fn cast_line(member: &CastMember) -> String {
    let model = member.model.as_ref().map_or(String::new(), |model| format!(", model {model}"));
    let lens = member.lens.as_ref().map_or(String::new(), |lens| format!(", lens {lens}"));
    format!("Cast: {} is played by {}{model}{lens}", member.role, member.agent)
}
