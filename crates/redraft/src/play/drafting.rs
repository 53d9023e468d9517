//! Drafting one asset: its run is found or opened, driven, and what it wrote is kept.
//!
//! Invariant: what was answered is never asked for again. Candidates stand in their run first and in the workspace
//! next; a command that was killed in between is made up for by the next one, which then asks nobody.
//! Absent here: the offline agent, whose drafts cost nothing and are made anew each time.

use super::{
    Batch, Company, Plan,
    batch::is_enough,
    workflow,
    writing::{self, gives_way, writer},
};
use crate::{
    briefing, clock,
    episode::{Episode, Shared, StoredRun, View},
    exit::{Code, Failure},
};
use redraft_engine::Rest;
use redraft_loop::{Opened, Run, Stop};
use redraft_workflows::review::{
    draft::{self, Draft},
    files,
    model::{AssetId, Candidate},
    workspace::{self, WorkspaceFact},
};
use std::sync::Arc;

/// A candidate, and the agent that wrote it.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) by: String,
    pub(crate) candidate: Candidate,
}

/// How the drafting of an asset rests.
#[derive(Debug, Clone)]
pub(crate) struct Drafted {
    /// The candidates that are new in the workspace.
    pub(crate) candidates: Vec<Written>,
    /// Why there are no more of them, where it cannot go on now.
    pub(crate) stopped: Option<Stop>,
    /// It was done before, and nobody was asked.
    pub(crate) left_out: bool,
}

/// Drafts one asset until its run rests; of one that is done, only what a killed command has left is kept. The
/// caller holds the lock of the asset's drafts.
pub(crate) async fn draft(
    asset: &AssetId,
    batch: &Batch,
    plan: &Plan,
    company: &Company,
    shared: &Arc<Shared>,
) -> Result<Drafted, Failure> {
    let (unsynced, stored, workflow) = {
        let mut view = shared.view.lock().await;
        view.refresh(&shared.desk.store, &shared.desk.key)?;
        let unsynced = unsynced(asset, &view);
        let workflow = Draft(workflow(asset, plan, &shared.files, &view)?);
        (unsynced, view.newest_draft(asset).cloned(), workflow)
    };
    shared.check_state().await?;
    let mut candidates = Vec::new();
    if let Some(stored) = &stored {
        candidates = unsynced;
        candidates.extend(keep(stored, &workflow, shared).await?);
        let made_up_for = !candidates.is_empty() && is_enough(&stored.run, plan);
        if (made_up_for || batch.done().contains(asset)) && stored.run.decision().is_some() {
            let left_out = candidates.is_empty();
            return Ok(Drafted { candidates, stopped: None, left_out });
        }
    }
    let open = stored.filter(|stored| stored.run.decision().is_none());
    let rounds = |run: &Run| rounds(run, plan);
    let writing = writing::writing(open, plan, false, rounds, || opened(asset, plan, batch))?;
    let rest = writing::drive(&workflow, plan, company, shared, writing).await;
    let newest = {
        let mut view = shared.view.lock().await;
        view.refresh(&shared.desk.store, &shared.desk.key)?;
        view.newest_draft(asset).cloned()
    };
    if let Some(newest) = newest {
        candidates.extend(keep(&newest, &workflow, shared).await?);
    }
    let stopped = match rest?.0 {
        Rest::Stopped(stop) => Some(stop),
        // A draft has no gate.
        Rest::Decided(_) | Rest::Waiting(_) => None,
    };
    Ok(Drafted { candidates, stopped, left_out: false })
}

/// How many candidates an open run is to write: as this command says, and no fewer than it has begun.
fn rounds(run: &Run, plan: &Plan) -> u32 {
    plan.max_iterations.unwrap_or(run.limits().rounds).max(run.rounds_begun())
}

/// The candidates of the asset that a command was killed over before their files were all on disk.
fn unsynced(asset: &AssetId, view: &View) -> Vec<Written> {
    let drafted = view.workspace.unsynced().iter().filter_map(|fact| {
        if let WorkspaceFact::Drafted(drafted) = fact { Some(drafted) } else { None }
    });
    let written = drafted.flat_map(|drafted| written(&drafted.by, &drafted.candidates));
    written.filter(|written| written.candidate.asset_id == *asset).collect()
}

fn written(by: &str, candidates: &[Candidate]) -> Vec<Written> {
    let written =
        |candidate: &Candidate| Written { by: by.to_owned(), candidate: candidate.clone() };
    candidates.iter().map(written).collect()
}

/// A new run.
fn opened(asset: &AssetId, plan: &Plan, batch: &Batch) -> Result<Opened, Failure> {
    let rounds = plan.max_iterations.unwrap_or(plan.defaults.iterations);
    let mut sources = plan.sources.clone();
    sources.extend(briefing::prompt_sources(&plan.briefing, asset, &plan.members())?);
    let opened = writing::opened(plan, asset.to_string(), rounds, draft::shape, sources);
    Ok(Opened { settings: batch.settings(), ..opened })
}

/// Takes what a run wrote into the workspace, as far as the asset does not have it; each text once.
async fn keep(
    stored: &StoredRun,
    workflow: &Draft,
    shared: &Shared,
) -> Result<Vec<Written>, Failure> {
    let asset = &stored.asset;
    let state = shared.view.lock().await.state()?;
    let known = state.asset(asset).map(|asset| asset.candidates.clone()).unwrap_or_default();
    let mut new: Vec<Candidate> = Vec::new();
    for candidate in workflow.candidates(&stored.run) {
        if !known.iter().chain(&new).any(|other| other.content == candidate.content) {
            new.push(candidate);
        }
    }
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let mut changes = Vec::new();
    for candidate in &new {
        let written = files::of_candidate(candidate);
        changes.extend(written.map_err(|error| Failure::of(Code::Failure, &error))?);
    }
    let by = writer(&stored.run);
    let kept = written(&by, &new);
    let fact = workspace::Drafted { at: clock::now(), by, candidates: new };
    shared.record(None, &WorkspaceFact::Drafted(fact), Vec::new(), &changes).await?;
    Ok(kept)
}

/// An asset's open draft run, or the one that would be opened, to see what it would ask. Nothing is written.
pub(crate) fn rehearsed_draft(
    asset: &AssetId,
    (plan, batch): (&Plan, &Batch),
    episode: &Episode,
    view: &View,
) -> Result<(Run, Draft, usize), Failure> {
    let workflow = Draft(workflow(asset, plan, &episode.files, view)?);
    let open = view.newest_draft(asset).filter(|stored| stored.run.decision().is_none());
    let run = match open.filter(|stored| !gives_way(stored, plan, false)) {
        Some(stored) => stored.run.clone(),
        None => Run::open(opened(asset, plan, batch)?)
            .map_err(|error| Failure::of(Code::Failure, &error))?,
    };
    let left = (rounds(&run, plan) as usize).saturating_sub(run.turns().len());
    Ok((run, workflow, left))
}
