//! Who plans, writes and criticises: agents made once, and the bounds that every run of theirs has.
//!
//! Invariant: whatever is missing is told before anything is written or asked.
//! Absent here: playing.

use crate::{
    commands::review::{home_caps, planning},
    config::{CallFlags, Config},
    exit::Failure,
    play::Caps,
    players::{Player, Players as Agents},
};
use redraft_agents::{OfflineAnswerer, llm::Connections};
use redraft_engine::{Agent, Policy};
use redraft_loop::{CastMember, Limits, Role};
use redraft_store::{Home, Store};
use redraft_workflows::solve::{self, Bounds, DEFAULT_CALLS, GENERATOR, PLANNER};
use std::{collections::BTreeMap, sync::Arc};

/// How long a solve may take when nothing else is said, in microseconds.
const TOTAL: i64 = 300_000_000;

/// Who plays which role.
pub(crate) type Players = BTreeMap<Role, Arc<dyn Agent>>;

/// A company of players with the bounds of their runs.
pub(crate) struct Table {
    pub(crate) players: Players,
    pub(crate) members: Vec<CastMember>,
    pub(crate) bounds: Bounds,
    pub(crate) policy: Policy,
    /// The agent that writes, by name.
    pub(crate) writer: String,
}

/// Casts solves: who writes also plans and revises; reviewers are the critics.
///
/// # Errors
/// When an agent is missing, cannot be held to a cap, or the cap on calls leaves no critique.
pub(crate) fn table(config: &Config, flags: &CallFlags, home: &Home) -> Result<Table, Failure> {
    let name = |name: &str| planning::plain(config, name);
    let writer = name(&config.creator.value);
    let critics: Vec<String> = config.reviewers.value.iter().map(|one| name(one)).collect();
    let count = u32::try_from(critics.len()).unwrap_or(u32::MAX);
    let plan = planning::of_calls(config, flags, writer.clone());
    let bounds = bounds(plan.run_caps(), count)?;
    let agents = Agents {
        config,
        script: None,
        offline: Some(Arc::new(OfflineAnswerer)),
        inbox: home.dir().join("inbox"),
        workspace: home.root().to_owned(),
        transcript: None,
    };
    let roles = [(Role::new(PLANNER), &writer), (Role::new(GENERATOR), &writer)];
    let roles = roles.into_iter().chain(solve::critic_roles(count).into_iter().zip(&critics));
    let connections = Connections::default();
    let capped = capped(config, &bounds.limits, home)?;
    let (mut players, mut members) = (Players::new(), Vec::new());
    for (role, name) in roles {
        let Player { agent, model, provider, family } = agents.seat(name, &connections, capped)?;
        let lens = config.lenses.get(name).filter(|_| role.as_str().starts_with("critic"));
        members.push(CastMember {
            role: role.clone(),
            agent: name.clone(),
            model,
            provider,
            family,
            lens: lens.map(|lens| lens.value.clone()),
        });
        players.insert(role, agent);
    }
    Ok(Table { players, members, bounds, policy: plan.policy, writer })
}

fn bounds(caps: Caps, critics: u32) -> Result<Bounds, Failure> {
    let standard = Caps { calls: Some(DEFAULT_CALLS), time: Some(TOTAL), ..Caps::default() };
    let fewest = solve::fewest_calls(critics);
    let mut limits = caps.or(standard).limits(1, 1);
    // More critics than usual come with the calls for them.
    if caps.calls.is_none() {
        limits.calls = limits.calls.map(|calls| calls + 2 * (critics.max(1) - 1));
    }
    match limits.calls {
        Some(calls) if calls < fewest => {
            let message = format!(
                "{calls} calls leave no critique: a plan, an answer and its critique take {fewest}"
            );
            Err(Failure::usage(message).help(format!("give --max-calls {fewest} or more")))
        }
        _ => Ok(Bounds { critics, limits, repairs: 1 }),
    }
}

/// Whether a cap on money, and one on tokens, holds.
fn capped(config: &Config, limits: &Limits, home: &Home) -> Result<(bool, bool), Failure> {
    let stands = home_caps::caps_money(Store::open_existing(home)?.as_ref())?;
    let money = stands || limits.cost.is_some() || config.home.usd.is_some();
    Ok((money, limits.tokens.is_some() || config.home.tokens.is_some()))
}
