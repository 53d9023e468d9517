//! Runs in which one agent writes and nobody reviews: drafts and summaries.
//!
//! Invariant: an open run goes on with what it was opened with, and within the bounds that this command sets.
//! Absent here: which run goes on, and what becomes of its texts.

use super::{Company, NoFiles, Plan, bound, check_cast, opening};
use crate::{
    clock::{self, SystemClock},
    episode::{Shared, StoredRun, new_run_id},
    exit::Failure,
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
            check_cast(&stored, plan)?;
            let mut driver = Driver::resume(stage, stored.run)?;
            bound(&mut driver, plan, rounds)?;
            driver
        }
    };
    let rest = driver.drive().await?;
    Ok((rest, driver.run().clone()))
}

/// The agent that writes in a run.
pub(crate) fn writer(run: &Run) -> String {
    run.opened().cast.first().map(|member| member.agent.clone()).unwrap_or_default()
}
