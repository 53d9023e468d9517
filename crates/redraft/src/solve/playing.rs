//! A solve from its request to its response: opened or found, driven until it rests, read.
//!
//! Invariant: one run and one record for each request, whatever happens to the process.
//! Absent here: who plays.

use super::Table;
use crate::{
    briefing::prompt_source,
    clock,
    commands::review::home_caps,
    episode::{facts, new_run_id},
    exit::{Code, Failure},
    standalone::{self, Staging, bound, check_cast, raised, stored},
};
use redraft_engine::{Cancel, Events, Rest};
use redraft_loop::{CapReached, Epoch, Fact, Input, Opened, Run, RunId, Stop};
use redraft_store::{Filter, Store, StreamRow};
use redraft_workflows::{
    review::brief::Origin,
    solve::{self, End, Problem, Request, Settings, Solve},
};
use serde::Deserialize;

/// The command that opens a new run of the same question.
pub(super) const AGAIN: &str = "redraft solve --again";

/// The longest part of a prompt that stands in lists, in characters.
const SUBJECT: usize = 60;

/// A new run for this request, with everything that a replay needs.
///
/// # Errors
/// When there is nothing to answer.
pub(crate) fn opened(request: Request, footer: bool, table: &Table) -> Result<Opened, Failure> {
    let problem = solve::normalize(&request).map_err(|error| Failure::usage(error.to_string()))?;
    let subject = subject(&problem);
    let own = table.prompts.iter().filter(|template| template.origin != Origin::BuiltIn);
    let prompts = own.map(|template| (template.name.clone(), template.file.clone())).collect();
    let settings = Settings { request, problem, footer, scopes: table.scopes.clone(), prompts };
    // Programs of ours read no prompts.
    let read = table.prompts.iter().filter(|_| table.reads_prompts());
    Ok(Opened {
        run: new_run_id(),
        at: clock::now(),
        epoch: Epoch(1),
        subject,
        shape: solve::shape(&table.bounds),
        cast: table.members.clone(),
        sources: read.map(prompt_source).collect(),
        seed: None,
        past: Vec::new(),
        first_round: 1,
        // These types have string keys only, which JSON always holds.
        settings: serde_json::to_value(settings).unwrap_or_default(),
    })
}

/// How lists name a problem.
pub(super) fn subject(problem: &Problem) -> String {
    let line = problem.problem_statement.lines().next().unwrap_or_default();
    line.chars().take(SUBJECT).collect()
}

/// Plays a new run, or goes on with one for a person, until it rests. The caller holds the run's lock.
///
/// # Errors
/// When the journal fails, or a role is played by another agent than when the run was opened.
pub(crate) async fn play(
    store: &Store,
    begin: Result<Opened, Run>,
    table: &Table,
    events: &Events,
    cancel: &Cancel,
) -> Result<(Rest, Run), Failure> {
    if let Err(run) = &begin {
        check_cast(run, &table.members, AGAIN)?;
    }
    driven(store, begin, |run| bound(run, raised(run, table.raised)), table, events, cancel).await
}

/// Goes on with a run that was opened for a client, until it rests. One that cannot be played any more ends with what
/// there is: nobody is asked, and its response says why.
///
/// # Errors
/// When the journal fails.
pub(crate) async fn go_on(
    store: &Store,
    run: Run,
    table: &Table,
    events: &Events,
    cancel: &Cancel,
) -> Result<(Rest, Run), Failure> {
    let cap = cannot_go_on(&run, table);
    let closed = cap.map(|cap| Input::Cap(CapReached { cap, at: clock::now() }));
    driven(store, Err(run), |_| closed, table, events, cancel).await
}

fn cannot_go_on(run: &Run, table: &Table) -> Option<String> {
    let differs = check_cast(run, &table.members, AGAIN).err()?;
    Some(format!("it was interrupted and cannot go on: {}", differs.message))
}

async fn driven(
    store: &Store,
    begin: Result<Opened, Run>,
    first: impl FnOnce(&Run) -> Option<Input>,
    table: &Table,
    events: &Events,
    cancel: &Cancel,
) -> Result<(Rest, Run), Failure> {
    let opened = match &begin {
        Ok(opened) => opened,
        Err(run) => run.opened(),
    };
    let scopes = scopes(opened);
    capped_alike(store, &scopes, table)?;
    let staging = Staging {
        workflow: &Solve,
        players: &table.players,
        policy: table.policy,
        scopes: &scopes,
        events,
        cancel,
    };
    standalone::drive(store, begin, first, &staging).await
}

/// The scopes beside the home's in whose budgets a run's calls are counted. They stand in its first fact, so that
/// whoever drives it counts in the same.
pub(super) fn scopes(opened: &Opened) -> Vec<String> {
    Settings::deserialize(&opened.settings).map(|settings| settings.scopes).unwrap_or_default()
}

/// Players that were seated without a look at a scope's cap on money may not be held by it.
fn capped_alike(store: &Store, scopes: &[String], table: &Table) -> Result<(), Failure> {
    for scope in scopes.iter().filter(|scope| !table.scopes.contains(scope)) {
        if home_caps::caps_money(Some(store), scope)? {
            let message = format!("the run's calls fall under the {scope}'s cap on money");
            return Err(Failure::usage(message).help("redraft serve goes on with it"));
        }
    }
    Ok(())
}

/// Solves that are not decided.
pub(crate) struct Open {
    /// Newest first.
    pub(crate) runs: Vec<Run>,
    /// What is wrong with those that cannot be read, each with its id.
    pub(crate) unreadable: Vec<Failure>,
}

/// Whether a run is counted in the same scopes as the table's. Others belong to whoever has opened them: their agents
/// may be others.
pub(crate) fn is_of(run: &Run, table: &Table) -> bool {
    scopes(run.opened()) == table.scopes
}

/// The solves of a home that are not decided and are the table's. Reads the newest fact of every solve there is.
///
/// # Errors
/// When the journal cannot be read. One run that cannot be keeps no other from being found.
pub(crate) fn open_runs(store: &Store, table: &Table) -> Result<Open, Failure> {
    let filter = Filter {
        kind: Some("run".into()),
        workflow: Some(solve::NAME.to_owned()),
        ..Filter::default()
    };
    let mut open = Open { runs: Vec::new(), unreadable: Vec::new() };
    for row in store.streams(&filter)? {
        match undecided(store, &row) {
            Ok(run) => open.runs.extend(run.filter(|run| is_of(run, table))),
            Err(failure) => open.unreadable.push(failure),
        }
    }
    Ok(open)
}

fn undecided(store: &Store, row: &StreamRow) -> Result<Option<Run>, Failure> {
    match is_decided(store, row)? {
        true => Ok(None),
        false => stored(store, &RunId::new(row.stream.as_str())).map(Some),
    }
}

/// Whether a run is decided, by its newest fact alone: none comes after the decision.
pub(crate) fn is_decided(store: &Store, row: &StreamRow) -> Result<bool, Failure> {
    let newest = facts(store, &row.stream, row.seq.saturating_sub(1))?;
    Ok(matches!(newest.last(), Some(Fact::Decided(_))))
}

/// The exit code of a solve (contract: 0 with an answer and a critique, 5 where a cap cut it short, 1 where nothing was
/// generated).
pub(crate) fn code(rest: &Rest, run: &Run) -> Code {
    match rest {
        Rest::Stopped(Stop::Interrupted) => Code::Interrupted,
        Rest::Stopped(Stop::Person { .. }) | Rest::Waiting(_) => Code::Waiting,
        Rest::Stopped(Stop::Cap(_)) => Code::Budget,
        Rest::Stopped(Stop::Failed { .. } | Stop::Ambiguous { .. }) => Code::Failure,
        Rest::Decided(_) => match solve::end(run) {
            End::Answered => Code::Done,
            End::CutShort => Code::Budget,
            End::Nothing => Code::Failure,
        },
    }
}
