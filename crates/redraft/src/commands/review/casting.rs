//! Casting a command's reviews: agents are made, and what they are told is gathered.
//!
//! Invariant: whatever is missing is told before anything is written or asked.
//! Absent here: playing.

use super::{
    home_caps,
    troupe::{Troupe, Troupes},
};
use crate::{
    briefing::{self, Briefing},
    commands::agents,
    config::Config,
    episode::{Episode, View},
    exit::Failure,
    play::{Cast, Plan, Traits},
    players::{OFFLINE, Player, Players, SCRIPTED, offline_agent},
};
use redraft_agents::{llm::Connections, offline, scripted::Script};
use redraft_loop::{Limits, Role, Run};
use redraft_store::{HOME, HOME_SCOPE};
use redraft_workflows::review::{model::AssetId, shape};
use std::{collections::BTreeMap, sync::Arc};

/// The troupes with all that their players are told, and the players; nobody where all of a troupe is decided.
pub(super) fn cast(
    episode: &Episode,
    config: &Config,
    script: Option<Script>,
    view: &View,
    parts: Vec<(Plan, Vec<AssetId>)>,
) -> Result<Troupes, Failure> {
    let seats = Seats { episode, config, script, view };
    let troupe = |(plan, assets): (Plan, Vec<AssetId>)| {
        let played = played(&plan, view, &assets);
        if played.is_empty() {
            return Ok(Arc::new(Troupe { plan, cast: Cast::new(), assets }));
        }
        let runs = played.iter().filter_map(|asset| view.current_run(asset));
        let runs: Vec<&Run> = runs.map(|stored| &stored.run).collect();
        let (plan, cast) = seated(&seats, plan, &played, &runs)?;
        Ok(Arc::new(Troupe { plan, cast, assets }))
    };
    parts.into_iter().map(troupe).collect()
}

/// What all the seats of a command are filled from.
pub(crate) struct Seats<'a> {
    pub(crate) episode: &'a Episode,
    pub(crate) config: &'a Config,
    pub(crate) script: Option<Script>,
    pub(crate) view: &'a View,
}

/// The plan with all that its players are told, and the players, for these assets, of which these runs are known.
pub(crate) fn seated(
    seats: &Seats<'_>,
    plan: Plan,
    played: &[&AssetId],
    runs: &[&Run],
) -> Result<(Plan, Cast), Failure> {
    let Seats { episode, config, script, view } = seats;
    if plan.agents().any(|name| name == OFFLINE) {
        played.iter().try_for_each(|asset| agents::check_offline_asset(asset))?;
    }
    let (plan, heard) = briefed(episode, plan, view)?;
    let is_heard = heard.is_some();
    let chapters = view.state()?.chapters.into_iter().map(Into::into).collect();
    let heard = heard.filter(|_| plan.agents().any(|name| name == OFFLINE));
    let offline = heard.map(|heard| offline::Episode::new(heard.transcript, chapters));
    let home = episode.home().map(|home| home.dir().to_path_buf());
    let players = Players {
        config,
        script: script.clone(),
        offline: offline.map(|episode| offline_agent(episode, plan.creator == OFFLINE)),
        inbox: home.unwrap_or_else(|| episode.root.join(HOME)).join("inbox"),
        workspace: episode.root.clone(),
        transcript: is_heard.then(|| agents::transcript_file(episode, view)),
    };
    let (money, tokens) = capped(config, &plan, runs);
    let money = money || home_caps::caps_money(episode.store()?.as_ref(), HOME_SCOPE)?;
    seat(&players, plan, (money, tokens))
}

/// The assets whose reviews are not decided.
fn played<'a>(plan: &Plan, view: &View, assets: &'a [AssetId]) -> Vec<&'a AssetId> {
    let plays = |asset: &&AssetId| view.decision(asset).is_none() || plan.reopens(asset);
    assets.iter().filter(plays).collect()
}

/// What the players are told, and the transcript that it comes from.
fn briefed(
    episode: &Episode,
    plan: Plan,
    view: &View,
) -> Result<(Plan, Option<agents::Heard>), Failure> {
    let reads_prompts = plan.agents().any(agents::reads_prompts);
    let hears = reads_prompts || plan.agents().any(|name| name == OFFLINE);
    let heard = agents::hear(episode, view, episode.store()?.as_ref());
    // Scripts need no transcript: without a readable one, it is only not known who speaks.
    let heard = if hears { heard? } else { heard.unwrap_or(None) };
    let transcript = heard.as_ref().map(|heard| &heard.transcript);
    let names = briefing::names(episode, transcript);
    let brief = match reads_prompts {
        true => Some(Arc::new(briefing::brief(episode, view, &names, transcript)?)),
        false => None,
    };
    let mut sources = plan.sources.clone();
    sources.extend(heard.iter().filter(|_| hears).map(|heard| heard.source.clone()));
    let briefing = Briefing { names: Arc::new(names), brief };
    Ok((Plan { briefing, sources, ..plan }, heard))
}

/// Makes the players; under a cap on money nobody whose price is unknown, and under one on tokens nobody who cannot
/// say what they may use.
fn seat(
    players: &Players<'_>,
    plan: Plan,
    (money, tokens): (bool, bool),
) -> Result<(Plan, Cast), Failure> {
    let (mut cast, mut traits, connections) =
        (Cast::new(), BTreeMap::new(), Connections::default());
    let roles = std::iter::once(Role::new(shape::CREATOR))
        .chain(shape::reviewer_roles(plan.reviewers.len()));
    for (role, name) in roles.zip(plan.agents()) {
        let Player { agent, model, provider, family } =
            players.seat(name, &connections, (money, tokens))?;
        traits.insert(name.to_owned(), Traits { model, provider, family });
        cast.insert(role, agent);
    }
    check_lenses(&plan)?;
    Ok((Plan { traits, ..plan }, cast))
}

/// Whether a cap on money, and one on tokens, holds for new runs or for those of these that are open.
fn capped(config: &Config, plan: &Plan, runs: &[&Run]) -> (bool, bool) {
    let open = runs.iter().filter(|run| run.decision().is_none());
    let open: Vec<&Limits> = open.map(|run| run.limits()).collect();
    let new = plan.run_caps();
    let money = new.cost.is_some()
        || config.home.usd.is_some()
        || open.iter().any(|limits| limits.cost.is_some());
    let tokens = new.tokens.is_some()
        || config.home.tokens.is_some()
        || open.iter().any(|limits| limits.tokens.is_some());
    (money, tokens)
}

/// A lens that nobody has ground would show nothing.
fn check_lenses(plan: &Plan) -> Result<(), Failure> {
    let Some(brief) = &plan.briefing.brief else { return Ok(()) };
    let worn = plan.reviewers.iter().filter(|name| agents::reads_prompts(name));
    for name in worn {
        if let Some(lens) = plan.lenses.get(name)
            && brief.templates.lens(lens).is_none()
        {
            let message = format!("lenses.{name}: there is no lens {lens:?}");
            return Err(Failure::usage(message).help("redraft prompts list shows the lenses"));
        }
    }
    Ok(())
}

/// Tells a person who plays, where that matters; each thing once.
pub(super) fn notes(troupes: &Troupes, view: &View) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for troupe in troupes.iter().filter(|troupe| !troupe.cast.is_empty()) {
        for note in notes_of(&troupe.plan, view, &troupe.assets) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes
}

fn notes_of(plan: &Plan, view: &View, assets: &[AssetId]) -> Vec<String> {
    let mut notes: Vec<String> = agents::note(plan).into_iter().collect();
    notes.extend(projects_prompts(plan, &played(plan, view, assets)));
    if plan.creator != SCRIPTED {
        let warnings = redraft_engine::cast_warnings(&plan.members());
        notes.extend(warnings.into_iter().map(|warning| format!("warning: {warning}")));
    }
    notes
}

/// A project may be somebody else's, and what it tells models is not to go unseen (ADR 6).
pub(crate) fn projects_prompts(plan: &Plan, assets: &[&AssetId]) -> Option<String> {
    let own = briefing::prompts_of_project(&plan.briefing, assets, &plan.members());
    let files: Vec<&str> = own.into_iter().collect();
    (!files.is_empty()).then(|| format!("prompts of this project are used: {}", files.join(", ")))
}
