//! Runs in which one agent writes and nobody reviews: drafts and summaries.
//!
//! Invariant: an open run goes on with what it was opened with, and within the bounds that this command sets.
//! Absent here: which run goes on, and what becomes of its texts.

use super::{Company, NoFiles, Plan, bound, cast_of, check_cast, is_unanswered, opening};
use crate::{
    clock::{self, SystemClock},
    episode::{Shared, StoredRun, new_run_id},
    exit::Failure,
    say,
};
use redraft_engine::{Driver, Rest, Stage};
use redraft_loop::{Epoch, Opened, Run, Shape, Source};
use redraft_store::RunJournal;
use redraft_workflows::Workflow;

/// The run that is driven.
pub(super) enum Writing {
    /// A new one.
    New(Box<Opened>),
    /// An open one, which ends with this round.
    Open(Box<StoredRun>, u32),
}

/// A new run of so many rounds, with everything that a replay needs.
pub(super) fn opened(
    plan: &Plan,
    subject: String,
    rounds: u32,
    shape: fn(redraft_loop::Limits, u32) -> Shape,
    sources: Vec<Source>,
) -> Opened {
    let limits = plan.run_caps().limits(rounds, plan.ask_again.unwrap_or(1));
    Opened {
        run: new_run_id(),
        at: clock::now(),
        epoch: Epoch(1),
        subject,
        shape: shape(limits, plan.repairs),
        cast: opening::cast(plan),
        sources,
        seed: None,
        past: Vec::new(),
        first_round: 1,
        settings: serde_json::Value::Null,
    }
}

/// Drives the run until it rests.
pub(super) async fn drive(
    workflow: &dyn Workflow,
    plan: &Plan,
    company: &Company,
    shared: &Shared,
    writing: Writing,
) -> Result<(Rest, Run), Failure> {
    let opened = match &writing {
        Writing::New(opened) => opened,
        Writing::Open(stored, _) => stored.run.opened(),
    };
    let desk = &shared.desk;
    let registration = desk.run_registration(&opened.shape.workflow, &opened.subject);
    let journal = RunJournal::new(desk.store.clone(), opened.run.clone(), registration);
    let stage = Stage {
        workflow,
        cast: &company.cast,
        journal: &journal,
        files: &NoFiles,
        clock: &SystemClock,
        policy: plan.policy,
        events: &company.events,
        cancel: &company.cancel,
    };
    let mut driver = match writing {
        Writing::New(opened) => Driver::open(stage, *opened)?,
        Writing::Open(stored, rounds) => {
            check_cast(&stored, plan).map_err(|failure| {
                failure.help("name who is to write with --creator; a new run is opened then")
            })?;
            let mut driver = Driver::resume(stage, stored.run)?;
            bound(&mut driver, plan, rounds)?;
            driver
        }
    };
    let rest = driver.drive().await?;
    Ok((rest, driver.run().clone()))
}

/// Whether an open run is left as it stands for a new one: others are to write, and a person says so, or nobody has
/// answered in it yet. What it used stays in its record.
pub(super) fn gives_way(stored: &StoredRun, plan: &Plan, again: bool) -> bool {
    let run = &stored.run;
    let others = cast_of(&run.opened().cast) != cast_of(&plan.members());
    others && (again || plan.creator_is_named || is_unanswered(run))
}

/// The run that is driven: this open one unless it gives way, which is told, or else a new one.
pub(super) fn writing(
    open: Option<StoredRun>,
    plan: &Plan,
    again: bool,
    rounds: impl FnOnce(&Run) -> u32,
    new: impl FnOnce() -> Result<Opened, Failure>,
) -> Result<Writing, Failure> {
    match open {
        Some(stored) if !gives_way(&stored, plan, again) => {
            let rounds = rounds(&stored.run);
            Ok(Writing::Open(Box::new(stored), rounds))
        }
        Some(stored) => {
            let (asset, cast) = (&stored.asset, cast_of(&stored.run.opened().cast));
            say::err(&format!(
                "{asset}: the run with {cast} is left as it stands; what it used stays counted, and a new one is opened"
            ));
            Ok(Writing::New(Box::new(new()?)))
        }
        None => Ok(Writing::New(Box::new(new()?))),
    }
}

/// The agent that writes in a run.
pub(crate) fn writer(run: &Run) -> String {
    run.opened().cast.first().map(|member| member.agent.clone()).unwrap_or_default()
}
