//! How a command's reviews are to be played: what flags say, what open runs were opened with, what is configured.
//!
//! Invariant: an open run keeps its agents, its rules and its caps unless a flag of this command says otherwise.
//! Absent here: making agents.

use super::Args;
use crate::{
    briefing::Briefing,
    config::{Agent, CallFlags, Caps as Configured, Config},
    episode::View,
    play::{Caps, Defaults, Plan},
    players::{OFFLINE, SCRIPTED},
};
use redraft_engine::Policy;
use redraft_loop::Source;
use redraft_workflows::review::model::AssetId;
use std::{collections::BTreeMap, time::Duration};

/// How an asset's review is to be played; a script that was given plays scripted roles only.
pub(super) fn plan(
    args: &Args,
    config: &Config,
    view: &View,
    asset: &AssetId,
    script: Option<&Source>,
) -> Plan {
    let (creator, reviewers) = roles(args, config, view, asset, script.is_some());
    let scripted = creator == SCRIPTED || reviewers.iter().any(|name| name == SCRIPTED);
    let of_calls = of_calls(config, &args.flags.calls, creator);
    Plan {
        reviewers,
        max_iterations: args.max_iterations(),
        ask_again: args.ask_again,
        stop_on_stagnation: args.flags.stop_on_stagnation,
        creator_is_named: args.flags.creator.is_some(),
        defaults: Defaults {
            iterations: u32::try_from(config.max_iterations.value).unwrap_or(u32::MAX),
            stop_on_stagnation: config.stop_on_stagnation.value,
            ..of_calls.defaults
        },
        lenses: config.lenses.iter().map(|(a, lens)| (a.clone(), lens.value.clone())).collect(),
        // A script says what it says: a repair would only read its next entry out of turn.
        repairs: if scripted { 0 } else { 1 },
        wait: args.wait,
        sources: script.cloned().into_iter().collect(),
        ..of_calls
    }
}

/// How one agent is asked, with nobody to review it.
pub(crate) fn of_calls(config: &Config, flags: &CallFlags, creator: String) -> Plan {
    let call_timeout = Duration::from_secs(config.call_seconds.value);
    let total = config.total_seconds.as_ref().map(|seconds| seconds.value);
    let caps = caps(&config.run, total);
    Plan {
        creator,
        creator_is_named: false,
        reviewers: Vec::new(),
        max_iterations: None,
        caps: of_flags(flags),
        ask_again: None,
        stop_on_stagnation: false,
        defaults: Defaults { iterations: 1, caps, stop_on_stagnation: false },
        traits: BTreeMap::new(),
        lenses: BTreeMap::new(),
        repairs: 1,
        wait: false,
        policy: Policy { call_timeout, longest_wait: call_timeout, ..Policy::STANDARD },
        sources: Vec::new(),
        reopening: None,
        briefing: Briefing::default(),
    }
}

/// Who writes and who reviews: as flags say, as the asset's open run was opened, or as it is configured.
fn roles(
    args: &Args,
    config: &Config,
    view: &View,
    asset: &AssetId,
    has_script: bool,
) -> (String, Vec<String>) {
    let by_script = || SCRIPTED.to_owned();
    let recorded = recorded_cast(view, asset)
        .filter(|cast| !has_script || cast.iter().all(|agent| agent == SCRIPTED));
    let mut recorded = recorded.unwrap_or_default().into_iter();
    let default = || if has_script { by_script() } else { config.creator.value.clone() };
    let asked = args.flags.creator.clone();
    let creator = asked.or(recorded.next()).unwrap_or_else(default);
    let recorded: Vec<String> = recorded.collect();
    let reviewers = match (args.flags.reviewer.is_empty(), recorded.is_empty()) {
        (false, _) => args.flags.reviewer.clone(),
        (true, false) => recorded,
        (true, true) if has_script => vec![by_script()],
        (true, true) => config.reviewers.value.clone(),
    };
    let reviewers = reviewers.iter().map(|name| plain(config, name)).collect();
    (plain(config, &creator), reviewers)
}

/// An agent of ours goes by its own name, whatever the configuration calls it.
pub(crate) fn plain(config: &Config, name: &str) -> String {
    match config.agents.get(name).map(|defined| &defined.agent) {
        Some(Agent::Offline) => OFFLINE.to_owned(),
        Some(Agent::Scripted) => SCRIPTED.to_owned(),
        Some(Agent::Llm(_) | Agent::Command(_) | Agent::Human) | None => name.to_owned(),
    }
}

/// The caps of this command's flags alone.
pub(crate) fn of_flags(flags: &CallFlags) -> Caps {
    Caps {
        calls: flags.max_calls.map(|calls| u32::try_from(calls).unwrap_or(u32::MAX)),
        tokens: flags.max_tokens,
        cost: flags.max_usd.map(|amount| amount.0),
        time: flags.total_seconds.map(micros),
    }
}

fn caps(run: &Configured, total_seconds: Option<u64>) -> Caps {
    let calls = run.calls.as_ref().map(|calls| calls.value);
    Caps {
        calls: calls.map(|calls| u32::try_from(calls).unwrap_or(u32::MAX)),
        tokens: run.tokens.as_ref().map(|tokens| tokens.value),
        cost: run.usd.as_ref().map(|usd| usd.value.0),
        time: total_seconds.map(micros),
    }
}

fn micros(seconds: u64) -> i64 {
    i64::try_from(seconds.saturating_mul(1_000_000)).unwrap_or(i64::MAX)
}

/// The agents that the asset's open run was opened with, creator first.
fn recorded_cast(view: &View, asset: &AssetId) -> Option<Vec<String>> {
    let open = view.current_run(asset).filter(|stored| stored.run.decision().is_none())?;
    Some(open.run.opened().cast.iter().map(|member| member.agent.clone()).collect())
}
