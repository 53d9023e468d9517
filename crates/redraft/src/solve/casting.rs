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
use redraft_store::{HOME_SCOPE, Home, Store};
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
    /// The caps that the command itself gives.
    pub(crate) given: Caps,
    /// The agent that writes, by name.
    pub(crate) writer: String,
    /// The scopes beside the home's in whose budgets its runs are counted.
    pub(crate) scopes: Vec<String>,
}

/// A scope in whose budgets runs are counted beside the home's, and which caps will stand in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) scope: &'static str,
    pub(crate) money: bool,
    pub(crate) tokens: bool,
}

/// Casts solves: who writes also plans and revises; reviewers are the critics.
///
/// # Errors
/// When an agent is missing, cannot be held to a cap, or the cap on calls leaves no critique.
pub(crate) fn table(config: &Config, flags: &CallFlags, home: &Home) -> Result<Table, Failure> {
    table_within(config, flags, home, None)
}

/// The same for runs that are counted in a scope of their own too.
///
/// # Errors
/// As for [`table`].
pub(crate) fn table_within(
    config: &Config,
    flags: &CallFlags,
    home: &Home,
    shared: Option<Shared>,
) -> Result<Table, Failure> {
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
    let (money, tokens) = capped(config, &bounds.limits, home)?;
    let held = |cap: fn(&Shared) -> bool| shared.as_ref().is_some_and(cap);
    let capped = (money || held(|shared| shared.money), tokens || held(|shared| shared.tokens));
    let (mut players, mut members) = (Players::new(), Vec::new());
    for (role, name) in roles {
        let Player { agent, model, family } = agents.seat(name, &connections, capped)?;
        let lens = config.lenses.get(name).filter(|_| role.as_str().starts_with("critic"));
        members.push(CastMember {
            role: role.clone(),
            agent: name.clone(),
            model,
            family,
            lens: lens.map(|lens| lens.value.clone()),
        });
        players.insert(role, agent);
    }
    let scopes = shared.iter().map(|shared| shared.scope.to_owned()).collect();
    Ok(Table { players, members, bounds, policy: plan.policy, given: plan.caps, writer, scopes })
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
    let stands = home_caps::caps_money(Store::open_existing(home)?.as_ref(), HOME_SCOPE)?;
    let money = stands || limits.cost.is_some() || config.home.usd.is_some();
    Ok((money, limits.tokens.is_some() || config.home.tokens.is_some()))
}
