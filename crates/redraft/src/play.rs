//! Plays the review of one asset: finds its run or opens one, drives it, and tells how it rests.
//!
//! Invariant: a decided asset is reported and nothing else; no agent is called for it.
//! Absent here: printing, and which assets are asked for.

mod batch;
mod caps;
mod drafting;
mod locking;
mod no_files;
mod opening;
mod plan;
mod reopening;
mod selection;
mod summarising;
mod writing;

pub(crate) use batch::Batch;
pub(crate) use caps::{ATTEMPTS, Caps};
pub(crate) use drafting::{Drafted, Written, draft, rehearsed_draft};
pub(crate) use locking::lock;
pub(crate) use no_files::NoFiles;
pub(crate) use opening::recorded;
pub(crate) use plan::{DEFAULT_ITERATIONS, Defaults, Plan, Traits};
pub(crate) use reopening::Reopening;
pub(crate) use selection::{locked, selection};
pub(crate) use summarising::{Summaries, Summarising, rehearsed_summary, summarise};
pub(crate) use writing::writer;

use crate::{
    briefing::Briefing,
    clock::{self, SystemClock},
    episode::{AssetFiles, Episode, Shared, StoredRun, View, expected},
    exit::{Code, Failure},
    say,
};
use redraft_engine::{Agent, Cancel, Driver, Events, Rest, Stage};
use redraft_loop::{Bounded, CastMember, Input, Role, Run, Stop};
use redraft_store::{RunJournal, WorkspaceFiles};
use redraft_workflows::review::{
    Review, files, kept,
    model::{AssetId, Candidate},
    protocol::{LoopDecision, LoopOutcome},
    shape,
    workspace::{RunEnded, WorkspaceFact},
};
use std::{collections::BTreeMap, sync::Arc};

/// How the review of an asset rests.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// A person has selected a candidate.
    Selected { by: String, path: String },
    /// The loop is decided.
    Decided { decision: LoopDecision, selected: Option<String> },
    /// It is open and cannot go on now.
    Stopped(Stop),
}

impl Outcome {
    pub(crate) fn code(&self) -> Code {
        match self {
            Self::Selected { .. } => Code::Done,
            Self::Decided { decision, .. } => decision_code(decision),
            Self::Stopped(Stop::Cap(_)) => Code::Budget,
            Self::Stopped(Stop::Failed { .. }) => Code::Failure,
            // Only a person can know whether to ask, and pay, once more.
            Self::Stopped(Stop::Ambiguous { .. } | Stop::Person { .. }) => Code::Waiting,
            Self::Stopped(Stop::Interrupted) => Code::Interrupted,
        }
    }
}

/// `no_improvement` ended without convergence; every other `needs_human` waits for a person (design §8).
pub(crate) fn decision_code(decision: &LoopDecision) -> Code {
    match decision.outcome {
        LoopOutcome::Converged => Code::Done,
        LoopOutcome::NeedsHuman if decision.reason == shape::NO_IMPROVEMENT => Code::Ended,
        LoopOutcome::NeedsHuman | LoopOutcome::InProgress => Code::Waiting,
    }
}

/// Which agent plays which role.
pub(crate) type Cast = BTreeMap<Role, Arc<dyn Agent>>;

/// Who plays, and who watches.
pub(crate) struct Company {
    pub(crate) cast: Cast,
    pub(crate) events: Events,
    pub(crate) cancel: Cancel,
}

/// Reviews one asset until it rests. The caller holds the asset's lock, see [`lock`].
pub(crate) async fn review(
    asset: &AssetId,
    plan: &Plan,
    company: &Company,
    shared: &Arc<Shared>,
) -> Result<Outcome, Failure> {
    let files = AssetFiles { asset: asset.clone(), shared: Arc::clone(shared) };
    let stored = {
        let mut view = shared.view.lock().await;
        view.refresh(&shared.desk.store, &shared.desk.key)?;
        view.current_run(asset).cloned()
    };
    shared.check_state().await?;
    check_files(asset, shared).await?;
    if let Some(stored) = &stored {
        make_up_for(stored, &files, plan).await?;
    }
    if let Some(reopening) = &plan.reopening {
        reopening::let_go(asset, reopening, shared).await?;
    }
    if let Some(outcome) = decided(asset, shared).await? {
        return Ok(outcome);
    }
    let (stored, workflow) = {
        let view = shared.view.lock().await;
        (view.current_run(asset).cloned(), workflow(asset, plan, &shared.files, &view)?)
    };
    selection::check_selection(asset, shared).await?;
    drive(asset, plan, company, &files, stored, &workflow).await
}

/// Files of a decided run that was killed before they were synced are written again, and synced before anything
/// closes its record.
async fn make_up_for(stored: &StoredRun, files: &AssetFiles, plan: &Plan) -> Result<(), Failure> {
    let shared = &files.shared;
    if stored.run.decision().is_none() || shared.view.lock().await.is_synced(stored) {
        return Ok(());
    }
    let from = stored.run.opened().past.len();
    redraft_engine::Files::project(files, &stored.run, from)
        .await
        .map_err(|error| Failure::of(Code::Failure, &error))?;
    match plan.reopens(&stored.asset) {
        true => shared.settle(BTreeMap::from([(stored.id.clone(), stored.run.facts())])).await,
        false => Ok(()),
    }
}

async fn drive(
    asset: &AssetId,
    plan: &Plan,
    company: &Company,
    files: &AssetFiles,
    stored: Option<StoredRun>,
    workflow: &Review,
) -> Result<Outcome, Failure> {
    let shared = &files.shared;
    let stored = stored.filter(|stored| !gives_way(stored, plan));
    let opened = match &stored {
        Some(stored) => stored.run.opened().clone(),
        None => opening::open(asset, plan, &*shared.view.lock().await)?,
    };
    let ended = RunEnded { run: opened.run.clone(), asset_id: asset.clone() };
    let desk = &shared.desk;
    let registration = desk.run_registration(shape::NAME, asset.as_str());
    let journal = RunJournal::new(desk.store.clone(), opened.run.clone(), registration)
        .also_when_decided(desk.write(&WorkspaceFact::RunEnded(ended))?);
    let stage = Stage {
        workflow,
        cast: &company.cast,
        journal: &journal,
        files,
        clock: &SystemClock,
        policy: plan.policy,
        events: &company.events,
        cancel: &company.cancel,
    };
    let mut driver = match stored {
        Some(stored) => {
            check_cast(&stored, plan)?;
            check_rules(&stored, plan)?;
            let mut driver = Driver::resume(stage, stored.run)?;
            set_limits(&mut driver, plan)?;
            driver
        }
        None => opening::driver(stage, opened, asset)?,
    };
    match driver.drive().await? {
        Rest::Decided(_) => {
            Ok(decided(asset, shared).await?.unwrap_or(Outcome::Stopped(Stop::Interrupted)))
        }
        Rest::Stopped(stop) => Ok(Outcome::Stopped(stop)),
        // A review has no gate.
        Rest::Waiting(turn) => {
            Err(Failure::new(Code::Waiting, format!("step {} waits for a person", turn.step)))
        }
    }
}

/// The decision that stands for an asset, from the journal or as it was taken in.
async fn decided(asset: &AssetId, shared: &Shared) -> Result<Option<Outcome>, Failure> {
    let mut view = shared.view.lock().await;
    view.refresh(&shared.desk.store, &shared.desk.key)?;
    outcome(asset, &view)
}

/// The outcome that a view shows for an asset: what its loop decided, or a person since.
pub(crate) fn outcome(asset: &AssetId, view: &View) -> Result<Option<Outcome>, Failure> {
    let state = view.state()?;
    let selected = state.asset(asset).and_then(|asset| asset.selected());
    let path = selected.map(|candidate| files::selection_path(asset, candidate.format));
    let Some(decision) = view.decision(asset) else { return Ok(None) };
    if let (Some(picked), Some(path)) = (view.workspace.pick_since_end(asset), &path) {
        return Ok(Some(Outcome::Selected { by: picked.by.clone(), path: path.clone() }));
    }
    Ok(Some(Outcome::Decided { decision, selected: path }))
}

/// An asset's run as it stands, or as it would be opened, to see what it would ask. Nothing is written.
pub(crate) fn rehearsal(
    asset: &AssetId,
    plan: &Plan,
    episode: &Episode,
    view: &View,
) -> Result<(Run, Review), Failure> {
    let workflow = workflow(asset, plan, &episode.files, view)?;
    let run = match view.current_run(asset) {
        Some(stored) => stored.run.clone(),
        None => Run::open(opening::open(asset, plan, view)?)
            .map_err(|error| Failure::of(Code::Failure, &error))?,
    };
    Ok((run, workflow))
}

fn workflow(
    asset: &AssetId,
    plan: &Plan,
    folder: &WorkspaceFiles,
    view: &View,
) -> Result<Review, Failure> {
    let state = view.state()?;
    let known = state.asset(asset);
    let run = view.current_run(asset).map(|stored| &stored.run);
    let of_run = |candidate: &Candidate| {
        let turns = run.into_iter().flat_map(|run| run.turns());
        let mut written = turns.flat_map(|turn| &turn.readings);
        written.any(|r| {
            kept::candidate_of(asset, r).is_some_and(|c| c.candidate_id == candidate.candidate_id)
        })
    };
    let candidates = known.into_iter().flat_map(|asset| &asset.candidates);
    let taken = candidates.filter(|c| !of_run(c)).map(|c| c.candidate_id).collect();
    let locked = selection::locked(asset, folder, view)?;
    let Briefing { names, brief } = plan.briefing.clone();
    let ours = plan.played_by_ours();
    Ok(Review { asset: asset.clone(), locked, taken, ours, names, brief })
}

/// A run in which nobody has answered yet gives way to one with other agents: a wrong key or a missing program holds
/// nobody up. What its calls may have cost stays in its record.
fn gives_way(stored: &StoredRun, plan: &Plan) -> bool {
    let run = &stored.run;
    let gives_way = is_unanswered(run) && cast_of(&run.opened().cast) != cast_of(&plan.members());
    if gives_way {
        let (asset, cast) = (&stored.asset, cast_of(&run.opened().cast));
        say::err(&format!(
            "{asset}: nobody has answered in the run with {cast}; a new one is opened"
        ));
    }
    gives_way
}

fn is_unanswered(run: &Run) -> bool {
    run.turns().len() == run.opened().past.len() && run.said().next().is_none()
}

/// Who plays which role, in one line.
pub(crate) fn cast_of(cast: &[CastMember]) -> String {
    cast.iter().map(plays).collect::<Vec<_>>().join(", ")
}

/// A run goes on with the agents it was opened with, and with their models.
fn check_cast(stored: &StoredRun, plan: &Plan) -> Result<(), Failure> {
    let (opened, wanted) = (cast_of(&stored.run.opened().cast), cast_of(&plan.members()));
    if opened == wanted {
        return Ok(());
    }
    let asset = &stored.asset;
    let message = format!("{asset}: the run was opened with {opened}, not with {wanted}");
    Err(Failure::usage(message).help("give the agents it was opened with, or leave them out"))
}

fn plays(member: &CastMember) -> String {
    let model = member.model.as_ref().map_or(String::new(), |model| format!(" ({model})"));
    format!("{}={}{model}", member.role, member.agent)
}

/// The rules of a run stand in its first fact.
fn check_rules(stored: &StoredRun, plan: &Plan) -> Result<(), Failure> {
    let rules = &stored.run.shape().rules;
    if plan.stop_on_stagnation && !rules.iter().any(|r| r.exit.reason == shape::NO_IMPROVEMENT) {
        let message = format!("{}: the run was opened without --stop-on-stagnation", stored.asset);
        return Err(
            Failure::usage(message).help("leave it out; the rules of an open run are fixed")
        );
    }
    Ok(())
}

fn set_limits(driver: &mut Driver<'_>, plan: &Plan) -> Result<(), Failure> {
    let now = driver.run().limits().clone();
    let rounds = plan.max_iterations.unwrap_or(now.rounds);
    if plan.limits_from(&now, rounds) == now {
        return Ok(());
    }
    let begun = driver.run().rounds_begun();
    if rounds < begun.max(1) {
        let asset = AssetId::parse(&driver.run().opened().subject)
            .map_err(|error| Failure::of(Code::Damaged, &error))?;
        return Err(opening::below_recorded(&asset, rounds, begun));
    }
    bound(driver, plan, rounds)
}

/// Gives the run what this command says of its limits, and so many rounds.
fn bound(driver: &mut Driver<'_>, plan: &Plan, rounds: u32) -> Result<(), Failure> {
    let now = driver.run().limits().clone();
    let limits = plan.limits_from(&now, rounds);
    if limits != now {
        driver.give(Input::Bound(Bounded { limits, at: clock::now() }))?;
    }
    Ok(())
}

/// A file of the asset's runs that differs from what was synced is damage, or a person's change: it stays, and is
/// named.
async fn check_files(asset: &AssetId, shared: &Shared) -> Result<(), Failure> {
    let view = shared.view.lock().await;
    let runs: Vec<&StoredRun> = view.runs.iter().filter(|stored| stored.asset == *asset).collect();
    if runs.is_empty() || !runs.iter().all(|stored| view.is_synced(stored)) {
        return Ok(());
    }
    for (path, file) in expected(&view, &shared.desk.store)? {
        // Each version of this program may tell more in its own file: one that another wrote, or that an earlier one
        // did not write, is no damage.
        let counts = file.asset.as_ref() == Some(asset) && !path.ends_with("/redraft.json");
        if counts && !crate::commands::files::is_as_written(&shared.files, &path, &file)? {
            return Err(crate::commands::files::differs(&shared.files, &path));
        }
    }
    Ok(())
}
