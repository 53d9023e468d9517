//! Playing the reviews of one command side by side, and settling what they wrote.
//!
//! Invariant: nobody else drives these runs until the journal says that their files are on disk.
//! Absent here: printing outcomes.

use super::{
    casting, home_caps,
    troupe::{self, Troupe, Troupes},
};
use crate::{
    commands::{
        block_on, block_on_one_thread,
        together::{settle_programs, together},
    },
    config::Config,
    episode::{Episode, Shared, View},
    exit::Failure,
    play::{self, Outcome},
    players::SCRIPTED,
    say,
};
use redraft_workflows::review::{files, model::AssetId};
use std::{collections::BTreeMap, sync::Arc};

/// The outcomes, when every asset is decided without a journal and stays so: then nothing at all is written.
pub(super) fn all_decided(
    episode: &Episode,
    view: &View,
    assets: &[AssetId],
) -> Result<Option<Outcomes>, Failure> {
    if view.pending.is_none() || episode.store()?.is_some() {
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
    troupes: Troupes,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    episode.admit(files::places(assets))?;
    casting::notes(&troupes, &view).iter().for_each(|note| say::err(note));
    let scripted = |troupe: &Arc<Troupe>| troupe.plan.agents().any(|name| name == SCRIPTED);
    let scripted = troupes.iter().any(scripted);
    let played = play_together(episode, config, view, troupes, assets, as_json);
    // On one thread runs are opened in the order of their assets, so that a script gives the same files each time:
    // of runs that write one file, the newest counts.
    let outcomes = if scripted { block_on_one_thread(played) } else { block_on(played) };
    settle_programs();
    outcomes
}

async fn play_together(
    episode: &Episode,
    config: &Config,
    view: View,
    troupes: Troupes,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    let shared = Arc::new(Shared::of(episode)?);
    shared.take_in(view.pending.as_ref()).await?;
    if troupes.iter().any(|troupe| !troupe.cast.is_empty()) {
        home_caps::hold(&shared.desk.store, config).await?;
    }
    let played = together(assets, as_json, |asset, watch| {
        let (troupe, shared) = (troupe::of(&troupes, &asset), Arc::clone(&shared));
        async move {
            let Troupe { plan, cast, .. } = match &troupe {
                Ok(troupe) => troupe.as_ref(),
                Err(failure) => return (Err(failure.clone()), None),
            };
            match play::lock(asset.as_str(), plan, &watch.cancel, &shared).await {
                Ok(guard) => {
                    let company = watch.over(cast.clone());
                    (play::review(&asset, plan, &company, &shared).await, Some(guard))
                }
                Err(failure) => (Err(failure), None),
            }
        }
    });
    // Until all is settled nobody else drives these runs: the mark speaks of what was written here.
    let (mut outcomes, mut guards) = (Outcomes::new(), Vec::new());
    for (asset, (outcome, guard)) in played.await? {
        outcomes.push((asset, outcome));
        guards.push(guard);
    }
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
