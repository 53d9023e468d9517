//! A solve from its request to its response: opened or found, driven until it rests, read.
//!
//! Invariant: one run and one record for each request, whatever happens to the process.
//! Absent here: who plays.

use super::Table;
use crate::{
    clock::{self, SystemClock},
    episode::{facts, new_run_id},
    exit::{Code, Failure},
    play::NoFiles,
};
use redraft_engine::{Cancel, Driver, Events, Rest, Stage, sha256};
use redraft_loop::{Epoch, Fact, Opened, Run, RunId, Source, Stop};
use redraft_store::{Filter, Registration, RunJournal, Store, StreamId};
use redraft_workflows::solve::{self, End, Request, Settings, Solve};

/// The longest part of a prompt that stands in lists, in characters.
const SUBJECT: usize = 60;

/// A new run for this request, with everything that a replay needs.
///
/// # Errors
/// When there is nothing to answer.
pub(crate) fn opened(request: Request, footer: bool, table: &Table) -> Result<Opened, Failure> {
    let problem = solve::normalize(&request).map_err(|error| Failure::usage(error.to_string()))?;
    let subject: String = problem
        .problem_statement
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(SUBJECT)
        .collect();
    let prompt = |template: &solve::Template| Source {
        name: format!("prompt/{}", template.name),
        version: template.version().to_owned(),
        sha256: sha256(template.file),
    };
    let settings = Settings { request, problem, footer };
    Ok(Opened {
        run: new_run_id(),
        at: clock::now(),
        epoch: Epoch(1),
        subject,
        shape: solve::shape(&table.bounds),
        cast: table.members.clone(),
        sources: solve::PROMPTS.iter().map(prompt).collect(),
        seed: None,
        past: Vec::new(),
        first_round: 1,
        // These types have string keys only, which JSON always holds.
        settings: serde_json::to_value(settings).unwrap_or_default(),
    })
}

/// Plays a new run, or goes on with one, until it rests. The caller holds the run's lock.
///
/// # Errors
/// When the journal fails.
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
        Err(run) => Driver::resume(stage, run)?,
    };
    let rest = driver.drive().await?;
    Ok((rest, driver.run().clone()))
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
    let mut open = Vec::new();
    for row in store.streams(&filter)? {
        // Most runs of a home were decided long ago, and their newest fact says so; replaying all would take as long
        // as a home is old.
        if matches!(
            facts(store, &row.stream, row.seq.saturating_sub(1))?.last(),
            Some(Fact::Decided(_))
        ) {
            continue;
        }
        let run = stored(store, &RunId::new(row.stream.as_str()))?;
        if run.decision().is_none() {
            open.push(run);
        }
    }
    Ok(open)
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
