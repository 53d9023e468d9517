//! A run from where it stands until it rests.
//!
//! Invariant: one run and one record for each command, whatever happens to the process.
//! Absent here: who plays, and what becomes of the result.

use crate::{
    clock::{self, SystemClock},
    episode::facts,
    exit::{Code, Failure},
    play::{Caps, NoFiles, cast_of},
};
use redraft_engine::{Agent, Cancel, Driver, Events, Policy, Rest, Stage};
use redraft_loop::{Bounded, CastMember, Input, Limits, Opened, Role, Run, RunId};
use redraft_store::{Registration, RunJournal, Store, StreamId};
use redraft_workflows::Workflow;
use std::{collections::BTreeMap, sync::Arc};

/// Who plays which role.
pub(crate) type Players = BTreeMap<Role, Arc<dyn Agent>>;

/// Who plays what, how patiently, and who watches.
pub(crate) struct Staging<'a> {
    pub(crate) workflow: &'a dyn Workflow,
    pub(crate) players: &'a Players,
    pub(crate) policy: Policy,
    /// The scopes beside the home's in whose budgets the run is counted.
    pub(crate) scopes: &'a [String],
    pub(crate) events: &'a Events,
    pub(crate) cancel: &'a Cancel,
}

/// Drives a new run, or one that is resumed, until it rests. The caller holds its lock. A run that is resumed knows how
/// long it was left when `first` looks at it.
///
/// # Errors
/// When the journal fails.
pub(crate) async fn drive(
    store: &Store,
    begin: Result<Opened, Run>,
    first: impl FnOnce(&Run) -> Option<Input>,
    staging: &Staging<'_>,
) -> Result<(Rest, Run), Failure> {
    let opened = match &begin {
        Ok(opened) => opened,
        Err(run) => run.opened(),
    };
    let journal = RunJournal::new(store.clone(), opened.run.clone(), registration(opened))
        .within(staging.scopes.iter().map(String::as_str));
    let stage = Stage {
        workflow: staging.workflow,
        cast: staging.players,
        journal: &journal,
        files: &NoFiles,
        clock: &SystemClock,
        policy: staging.policy,
        events: staging.events,
        cancel: staging.cancel,
    };
    let mut driver = match begin {
        Ok(opened) => Driver::open(stage, opened)?,
        Err(run) => Driver::resume(stage, run)?,
    };
    if let Some(input) = first(driver.run()) {
        driver.give(input)?;
    }
    let rest = driver.drive().await?;
    Ok((rest, driver.run().clone()))
}

/// Caps that whoever goes on with a run has given are its own from now on. Time is given anew: to what counts as taken
/// now, so that waiting for a person takes none of it.
pub(crate) fn raised(run: &Run, caps: Caps) -> Limits {
    let time = caps.time.map(|time| time.saturating_add(run.time_taken()));
    Caps { time, ..caps }.over(run.limits())
}

/// The limits as an input, where they differ from what the run has.
pub(crate) fn bound(run: &Run, limits: Limits) -> Option<Input> {
    (limits != *run.limits()).then(|| Input::Bound(Bounded { limits, at: clock::now() }))
}

/// A run goes on with the agents it was opened with, and with their models.
///
/// # Errors
/// When they are others; `anew` is the command that opens a new run.
pub(crate) fn check_cast(run: &Run, members: &[CastMember], anew: &str) -> Result<(), Failure> {
    let (then, now) = (cast_of(&run.opened().cast), cast_of(members));
    if then == now {
        return Ok(());
    }
    let id = &run.opened().run;
    let message = format!("run {id} was opened with {then}, not with {now}");
    Err(Failure::usage(message)
        .help(format!("give it the agents it was opened with, or open a new run: {anew}")))
}

/// How a run is listed.
pub(crate) fn registration(opened: &Opened) -> Registration {
    Registration {
        kind: "run".into(),
        workspace: None,
        subject: Some(opened.subject.clone()),
        workflow: Some(opened.shape.workflow.clone()),
        at: opened.at.0,
    }
}

/// A run as the journal has it.
///
/// # Errors
/// When there is no such run, or its facts cannot be read.
pub(crate) fn stored(store: &Store, run: &RunId) -> Result<Run, Failure> {
    let facts = facts(store, &StreamId::from(run), 0)?;
    Run::replay(facts).map_err(|error| Failure::new(Code::Damaged, format!("run {run}: {error}")))
}
