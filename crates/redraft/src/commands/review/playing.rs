//! Playing the reviews of one command side by side, and settling what they wrote.
//!
//! Invariant: nobody else drives these runs until the journal says that their files are on disk.
//! Absent here: printing outcomes.

use super::{
    casting::{self, Cast},
    home_caps,
};
use crate::{
    commands::{agents, block_on},
    config::Config,
    display,
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
    play::{self, Company, Outcome, Plan},
    say,
};
use redraft_store::LockGuard;
use redraft_workflows::review::{files, model::AssetId};
use std::{collections::BTreeMap, sync::Arc};

/// The outcomes, when every asset is decided without a journal and stays so: then nothing at all is written.
pub(super) fn all_decided(
    episode: &Episode,
    plan: &Plan,
    view: &View,
    assets: &[AssetId],
) -> Result<Option<Outcomes>, Failure> {
    if plan.reopening.is_some() || view.pending.is_none() || episode.store()?.is_some() {
        return Ok(None);
    }
    let mut outcomes = Outcomes::new();
    for asset in assets {
        match play::outcome(asset, view)? {
            Some(outcome) => outcomes.push((asset.clone(), Ok(outcome))),
            None => return Ok(None),
        }
    }
    Ok(Some(outcomes))
}

/// How each asset's review went.
pub(super) type Outcomes = Vec<(AssetId, Result<Outcome, Failure>)>;

pub(super) fn play_all(
    episode: &Episode,
    config: &Config,
    view: View,
    plan: Plan,
    cast: Cast,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    episode.admit(files::places(assets))?;
    if !cast.is_empty() {
        casting::notes(&plan, &view, assets).iter().for_each(|note| say::err(note));
    }
    let company = agents::company(cast);
    // One thread is enough: calls wait, they do not compute. It also gives a run one order of writes.
    let outcomes = block_on(play_together(episode, config, view, plan, company, assets, as_json));
    // Programs that were given up are still being ended.
    #[cfg(unix)]
    let _ = redraft_agents::command::settle(std::time::Duration::from_secs(2));
    outcomes
}

async fn play_together(
    episode: &Episode,
    config: &Config,
    view: View,
    plan: Plan,
    company: Company,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    let shared = Arc::new(Shared::of(episode)?);
    shared.take_in(view.pending.as_ref()).await?;
    if !company.cast.is_empty() {
        home_caps::hold(&shared.desk.store, config).await?;
    }
    let (plan, company) = (Arc::new(plan), Arc::new(company));
    let screen = display::show(&company.events, assets, as_json);
    let signals = tokio::spawn(display::listen_for_ctrl_c(company.cancel.clone(), screen.live()));
    let mut tasks = Vec::new();
    for asset in assets {
        let (asset, plan, company, shared) =
            (asset.clone(), Arc::clone(&plan), Arc::clone(&company), Arc::clone(&shared));
        tasks.push(tokio::spawn(async move {
            match play::lock(&asset, &plan, &company.cancel, &shared).await {
                Ok(guard) => {
                    let outcome = play::review(&asset, &plan, &company, &shared).await;
                    (asset, outcome, Some(guard))
                }
                Err(failure) => (asset, Err(failure), None),
            }
        }));
    }
    let mut outcomes = Outcomes::new();
    // Until all is settled nobody else drives these runs: the mark speaks of what was written here.
    let mut guards: Vec<Option<LockGuard>> = Vec::new();
    for task in tasks {
        let (asset, outcome, guard) =
            task.await.map_err(|error| Failure::of(Code::Failure, &error))?;
        outcomes.push((asset, outcome));
        guards.push(guard);
    }
    signals.abort();
    drop(company);
    screen.finish().await;
    settle(&shared, &outcomes).await?;
    drop(guards);
    Ok(outcomes)
}

/// Before the command reports its end: all files on disk, and a mark in the journal that they are.
async fn settle(shared: &Shared, outcomes: &Outcomes) -> Result<(), Failure> {
    let played = |asset: &AssetId| outcomes.iter().any(|(a, o)| a == asset && o.is_ok());
    let mut view = shared.view.lock().await;
    view.refresh(&shared.desk.store, &shared.desk.key)?;
    let new = view.runs.iter().filter(|run| played(&run.asset) && !view.is_synced(run));
    let runs: BTreeMap<_, _> = new.map(|run| (run.id.clone(), run.run.facts())).collect();
    drop(view);
    if runs.is_empty() {
        return Ok(());
    }
    shared.settle(runs).await
}
