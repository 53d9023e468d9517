//! Playing the reviews of one command side by side, and settling what they wrote.
//!
//! Invariant: nobody else drives these runs until the journal says that their files are on disk.
//! Absent here: printing outcomes.

use crate::{
    briefing::{self, Briefing},
    commands::{agents, block_on},
    display,
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
    play::{self, Company, Outcome, Plan},
    say,
};
use redraft_agents::{offline, scripted::Script};
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
    view: View,
    mut plan: Plan,
    script: Option<Script>,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    episode.admit(files::places(assets))?;
    let plays = |asset: &&AssetId| view.decision(asset).is_none() || plan.reopens(asset);
    let played: Vec<&AssetId> = assets.iter().filter(plays).collect();
    let undecided = !played.is_empty();
    let players = || std::iter::once(&plan.creator).chain(&plan.reviewers);
    let needs_offline = undecided && players().any(|name| name == agents::OFFLINE);
    let needs_brief = undecided && players().any(|name| agents::reads_prompts(name));
    if needs_offline {
        played.into_iter().try_for_each(agents::check_offline_asset)?;
    }
    let heard = match (undecided, needs_offline || needs_brief) {
        (true, true) => agents::hear(episode, &view, episode.store()?.as_ref())?,
        // Scripts need no transcript: without a readable one, it is only not known who speaks.
        (true, false) => agents::hear(episode, &view, episode.store()?.as_ref()).unwrap_or(None),
        (false, _) => None,
    };
    plan.briefing = briefing(episode, &view, heard.as_ref(), needs_brief)?;
    if needs_offline || needs_brief {
        plan.sources.extend(heard.as_ref().map(|heard| heard.source.clone()));
    }
    let chapters = view.state()?.chapters.into_iter().map(Into::into).collect();
    let offline = heard
        .filter(|_| needs_offline)
        .map(|heard| offline::Episode::new(heard.transcript, chapters));
    let cast = match undecided {
        true => agents::cast(&plan, script, offline)?,
        false => BTreeMap::new(),
    };
    if undecided && let Some(note) = agents::note(&plan) {
        say::err(&note);
    }
    let company = agents::company(cast);
    // One thread is enough: calls wait, they do not compute. It also gives a run one order of writes.
    block_on(play_together(episode, view, plan, company, assets, as_json))
}

/// What the reviews are told; models and people more than programs of ours.
fn briefing(
    episode: &Episode,
    view: &View,
    heard: Option<&agents::Heard>,
    needs_brief: bool,
) -> Result<Briefing, Failure> {
    let transcript = heard.map(|heard| &heard.transcript);
    let names = briefing::names(episode, transcript);
    let brief = match needs_brief {
        true => Some(Arc::new(briefing::brief(episode, view, &names, transcript)?)),
        false => None,
    };
    Ok(Briefing { names: Arc::new(names), brief })
}

async fn play_together(
    episode: &Episode,
    view: View,
    plan: Plan,
    company: Company,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    let shared = Arc::new(Shared::of(episode)?);
    shared.take_in(view.pending.as_ref()).await?;
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
