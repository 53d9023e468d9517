//! A solve from its request to its response: opened or found, driven until it rests, read.
//!
//! Invariant: one run and one record for each request, whatever happens to the process.
//! Absent here: who plays.

use super::{Table, casting::check_cast};
use crate::{
    briefing::prompt_source,
    clock::{self, SystemClock},
    commands::review::home_caps,
    episode::{facts, new_run_id},
    exit::{Code, Failure},
    play::{Caps, NoFiles},
};
use redraft_engine::{Cancel, Driver, Events, Rest, Stage};
use redraft_loop::{Bounded, CapReached, Epoch, Fact, Input, Opened, Run, RunId, Stop};
use redraft_store::{Filter, Registration, RunJournal, Store, StreamId, StreamRow};
use redraft_workflows::{
    review::brief::Origin,
    solve::{self, End, Problem, Request, Settings, Solve},
};
use serde::Deserialize;

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
    Ok(Opened {
        run: new_run_id(),
        at: clock::now(),
        epoch: Epoch(1),
        subject,
        shape: solve::shape(&table.bounds),
        cast: table.members.clone(),
        sources: table.prompts.iter().map(prompt_source).collect(),
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
    let bounded = match &begin {
        Ok(_) => None,
        Err(run) => {
            check_cast(run, table)?;
            bounded(run, table)
        }
    };
    driven(store, begin, bounded, table, events, cancel).await
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
    driven(store, Err(run), closed, table, events, cancel).await
}

fn cannot_go_on(run: &Run, table: &Table) -> Option<String> {
    let differs = check_cast(run, table).err()?;
    Some(format!("it was interrupted and cannot go on: {}", differs.message))
}

/// Caps that whoever goes on with a run has given are its own from now on. Time is given anew: what has passed is
/// added to it.
fn bounded(run: &Run, table: &Table) -> Option<Input> {
    let at = clock::now();
    let passed = at.0.saturating_sub(run.opened().at.0).max(0);
    let time = table.raised.time.map(|time| time.saturating_add(passed));
    let limits = Caps { time, ..table.raised }.over(run.limits());
    (limits != *run.limits()).then_some(Input::Bound(Bounded { limits, at }))
}

async fn driven(
    store: &Store,
    begin: Result<Opened, Run>,
    first: Option<Input>,
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
    let journal = RunJournal::new(store.clone(), opened.run.clone(), registration(opened))
        .within(scopes.iter().map(String::as_str));
    let stage = Stage {
        workflow: &Solve,
        cast: &table.players,
        journal: &journal,
        files: &NoFiles,
        clock: &SystemClock,
        policy: table.policy,
        events,
        cancel,
    };
    let mut driver = match begin {
        Ok(opened) => Driver::open(stage, opened)?,
        Err(run) => Driver::resume(stage, run)?,
    };
    if let Some(input) = first {
        driver.give(input)?;
    }
    let rest = driver.drive().await?;
    Ok((rest, driver.run().clone()))
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

/// How a solve is listed.
pub(crate) fn registration(opened: &Opened) -> Registration {
    Registration {
        kind: "run".into(),
        workspace: None,
        subject: Some(opened.subject.clone()),
        workflow: Some(solve::NAME.to_owned()),
        at: opened.at.0,
    }
}

/// A solve as the journal has it.
///
/// # Errors
/// When there is no such run, or its facts cannot be read.
pub(crate) fn stored(store: &Store, run: &RunId) -> Result<Run, Failure> {
    let facts = facts(store, &StreamId::from(run), 0)?;
    Run::replay(facts).map_err(|error| Failure::new(Code::Damaged, format!("run {run}: {error}")))
}

/// The solves of a home that are not decided and are counted in the same scopes as the table's, newest first. Others
/// belong to whoever has opened them: their agents may be others.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn open_runs(store: &Store, table: &Table) -> Result<Vec<Run>, Failure> {
    let filter = Filter {
        kind: Some("run".into()),
        workflow: Some(solve::NAME.to_owned()),
        ..Filter::default()
    };
    let mut open = Vec::new();
    for row in store.streams(&filter)? {
        if !is_decided(store, &row)? {
            let run = stored(store, &RunId::new(row.stream.as_str()))?;
            open.extend(Some(run).filter(|run| scopes(run.opened()) == table.scopes));
        }
    }
    Ok(open)
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
