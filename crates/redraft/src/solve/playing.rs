//! A solve from its request to its response: opened or found, driven until it rests, read.
//!
//! Invariant: one run and one record for each request, whatever happens to the process.
//! Absent here: who plays.

use super::{Table, casting::check_cast};
use crate::{
    briefing::prompt_source,
    clock::{self, SystemClock},
    episode::{facts, new_run_id},
    exit::{Code, Failure},
    play::{Caps, NoFiles},
};
use redraft_engine::{Cancel, Driver, Events, Rest, Stage};
use redraft_loop::{Bounded, Epoch, Input, Opened, Run, RunId, Stop};
use redraft_store::{Filter, Registration, RunJournal, Store, StreamId};
use redraft_workflows::{
    review::brief::Origin,
    solve::{self, End, Problem, Request, Settings, Solve},
};

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
    let settings = Settings { request, problem, footer, prompts };
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

/// Plays a new run, or goes on with one, until it rests. The caller holds the run's lock.
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
    let opened = match &begin {
        Ok(opened) => opened,
        Err(run) => run.opened(),
    };
    let journal = RunJournal::new(store.clone(), opened.run.clone(), registration(opened));
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
        Err(run) => {
            check_cast(&run, table)?;
            resumed(Driver::resume(stage, run)?, &table.raised)?
        }
    };
    let rest = driver.drive().await?;
    Ok((rest, driver.run().clone()))
}

/// The driver of a run that goes on, within the bounds that a command gives it anew.
fn resumed<'a>(mut driver: Driver<'a>, raised: &Caps) -> Result<Driver<'a>, Failure> {
    let now = driver.run().limits().clone();
    let limits = raised.over(&now);
    if limits != now {
        driver.give(Input::Bound(Bounded { limits, at: clock::now() }))?;
    }
    Ok(driver)
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

/// The solves of a home that are not decided, newest first.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn open_runs(store: &Store) -> Result<Vec<Run>, Failure> {
    let filter = Filter {
        kind: Some("run".into()),
        workflow: Some(solve::NAME.to_owned()),
        ..Filter::default()
    };
    let runs = store.streams(&filter)?;
    let runs = runs.iter().map(|row| stored(store, &RunId::new(row.stream.as_str())));
    let open = |run: &Result<Run, Failure>| !matches!(run, Ok(run) if run.decision().is_some());
    runs.filter(open).collect()
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
