//! Who plans, writes and criticises: agents made once, and the bounds that every run of theirs has.
//!
//! Invariant: whatever is missing is told before anything is written or asked.
//! Absent here: playing.

use super::playing::AGAIN;
use crate::{
    briefing,
    commands::{
        agents,
        review::{home_caps, planning},
    },
    config::{self, CallFlags, Config, Origin as Said, SolverFlags},
    exit::Failure,
    play::{Caps, Plan},
    players::{Players as Agents, SCRIPTED},
    standalone::{Place, Players, check_cast},
};
use redraft_agents::{OfflineAnswerer, llm::Connections};
use redraft_engine::Policy;
use redraft_loop::{CastMember, Role, Run};
use redraft_workflows::{
    review::brief::{Origin, Template},
    solve::{self, Bounds, DEFAULT_CALLS, GENERATOR, PLANNER},
};
use std::sync::Arc;

/// How long a solve may take when nothing else is said, in microseconds.
const TOTAL: i64 = 300_000_000;

/// A company of players with the bounds of their runs.
pub(crate) struct Table {
    pub(crate) players: Players,
    pub(crate) members: Vec<CastMember>,
    pub(crate) bounds: Bounds,
    /// What is said anew of the bounds of a run that goes on.
    pub(crate) raised: Caps,
    pub(crate) policy: Policy,
    /// What they are told.
    pub(crate) prompts: Vec<Template>,
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

impl Table {
    /// Whether anybody of the cast does as prompts say.
    pub(crate) fn reads_prompts(&self) -> bool {
        self.members.iter().any(|member| agents::reads_prompts(&member.agent))
    }

    /// The files of the project's own prompts that this cast reads.
    pub(crate) fn prompts_of_project<'a>(&'a self) -> Vec<&'a str> {
        let is_read = self.reads_prompts();
        let own = |template: &'a Template| match &template.origin {
            Origin::BuiltIn => None,
            Origin::Project { path } => Some(path.as_str()),
        };
        self.prompts.iter().filter(|_| is_read).filter_map(own).collect()
    }
}

/// The agents of a solve, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Names {
    planner: String,
    generator: String,
    critics: Vec<String>,
}

impl Names {
    fn configured(config: &Config) -> Self {
        let plain = |name: &String| planning::plain(config, name);
        Self {
            planner: plain(&config.planner.value),
            generator: plain(&config.generator.value),
            critics: config.critics.value.iter().map(plain).collect(),
        }
    }

    /// Those that a run was opened with, unless a flag says otherwise.
    fn recorded(run: &Run, config: &Config, said: &SolverFlags) -> Self {
        let plain = |name: &String| planning::plain(config, name);
        let of = |is: &dyn Fn(&str) -> bool| -> Vec<String> {
            let cast = run.opened().cast.iter().filter(|member| is(member.role.as_str()));
            cast.map(|member| member.agent.clone()).collect()
        };
        let one = |said: &Option<String>, role: &str| {
            said.as_ref().map(plain).or(of(&|name| name == role).pop()).unwrap_or_default()
        };
        let critics = match said.critic.is_empty() {
            true => of(&|name| name != PLANNER && name != GENERATOR),
            false => said.critic.iter().map(plain).collect(),
        };
        let (planner, generator) = (one(&said.planner, PLANNER), one(&said.generator, GENERATOR));
        Self { planner, generator, critics }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.critics.len()).unwrap_or(u32::MAX)
    }

    /// In the order of their roles.
    fn seats(&self) -> impl Iterator<Item = (Role, &String)> {
        let first = [(Role::new(PLANNER), &self.planner), (Role::new(GENERATOR), &self.generator)];
        first.into_iter().chain(solve::critic_roles(self.count()).into_iter().zip(&self.critics))
    }
}

/// Casts new solves as configured.
///
/// # Errors
/// When an agent is missing, cannot be held to a cap, or the cap on calls leaves no critique.
pub(crate) fn table(config: &Config, flags: &CallFlags, place: &Place) -> Result<Table, Failure> {
    table_within(config, flags, place, None)
}

/// The same for runs that are counted in a scope of their own too.
///
/// # Errors
/// As for [`table`].
pub(crate) fn table_within(
    config: &Config,
    flags: &CallFlags,
    place: &Place,
    shared: Option<Shared>,
) -> Result<Table, Failure> {
    let names = Names::configured(config);
    let plan = planning::of_calls(config, flags, names.generator.clone());
    let bounds = bounds(plan.run_caps(), names.count(), config)?;
    seated(config, &names, (&plan, bounds), place, shared)
}

/// Casts a run that goes on: with the agents that it was opened with, within its own bounds and what flags say of them.
///
/// # Errors
/// As for new ones, and when a role is played by another agent or model than then.
pub(crate) fn table_of(
    run: &Run,
    config: &Config,
    (flags, said): (&CallFlags, &SolverFlags),
    place: &Place,
) -> Result<Table, Failure> {
    let names = Names::recorded(run, config, said);
    let plan = planning::of_calls(config, flags, names.generator.clone());
    leaves_a_critique(plan.caps.calls, names.count(), config)?;
    let limits = plan.limits_from(run.limits(), run.limits().rounds);
    let bounds = Bounds { critics: names.count(), limits, repairs: 1 };
    let table = seated(config, &names, (&plan, bounds), place, None)?;
    check_cast(run, &table.members, AGAIN)?;
    Ok(Table { raised: plan.caps, ..table })
}

fn seated(
    config: &Config,
    names: &Names,
    (plan, bounds): (&Plan, Bounds),
    place: &Place,
    shared: Option<Shared>,
) -> Result<Table, Failure> {
    let mut agents = Agents::without_workspace(config, place);
    agents.offline = Some(Arc::new(OfflineAnswerer));
    let connections = Connections::default();
    let (money, tokens) = home_caps::capped(config, &bounds.limits, place)?;
    let held = |cap: fn(&Shared) -> bool| shared.as_ref().is_some_and(cap);
    let capped = (money || held(|shared| shared.money), tokens || held(|shared| shared.tokens));
    let (mut players, mut members) = (Players::new(), Vec::new());
    for (role, name) in names.seats() {
        check_unscripted(name, config)?;
        let player = agents.seat(name, &connections, capped)?;
        // Each critic looks from all views.
        members.push(player.member(role.clone(), name));
        players.insert(role, player.agent);
    }
    Ok(Table {
        players,
        members,
        bounds,
        raised: Caps::default(),
        policy: plan.policy,
        prompts: briefing::templates_by_step(&place.from, solve::NAME)?,
        writer: names.generator.clone(),
        scopes: shared.iter().map(|shared| shared.scope.to_owned()).collect(),
    })
}

/// A script holds the replies of a review; nobody can give one to a question.
fn check_unscripted(name: &str, config: &Config) -> Result<(), Failure> {
    let is_scripted = match config.agents.get(name) {
        Some(defined) => defined.agent == config::Agent::Scripted,
        None => name == SCRIPTED,
    };
    if !is_scripted {
        return Ok(());
    }
    Err(Failure::usage(format!("agent {name}: scripts play reviews, and no questions"))
        .help("name a model or a program, offline or human; redraft config show lists agents"))
}

fn bounds(caps: Caps, critics: u32, config: &Config) -> Result<Bounds, Failure> {
    let standard = Caps { calls: Some(DEFAULT_CALLS), time: Some(TOTAL), ..Caps::default() };
    let mut limits = caps.or(standard).limits(1, 1);
    // More critics than usual come with the calls for them.
    if caps.calls.is_none() {
        limits.calls = limits.calls.map(|calls| calls + 2 * (critics.max(1) - 1));
    }
    leaves_a_critique(limits.calls, critics, config)?;
    Ok(Bounds { critics, limits, repairs: 1 })
}

/// A cap on calls that leaves no critique is refused, of a new run and of one that goes on.
fn leaves_a_critique(calls: Option<u32>, critics: u32, config: &Config) -> Result<(), Failure> {
    let fewest = solve::fewest_calls(critics);
    let Some(calls) = calls.filter(|calls| *calls < fewest) else { return Ok(()) };
    let message = format!(
        "{calls} calls leave no critique: a plan, an answer and its critique take {fewest}"
    );
    let flag = format!("give --max-calls {fewest} or more");
    let help = match config.run.calls.as_ref().map(|cap| &cap.origin) {
        Some(at @ Said::File(_)) => {
            format!("{at} says so: make its budget.calls {fewest} or more, or {flag}")
        }
        Some(Said::Variable(name)) => {
            format!("{name} says so: make it {fewest} or more, or {flag}")
        }
        Some(Said::BuiltIn | Said::Flag(_)) | None => flag,
    };
    Err(Failure::usage(message).help(help))
}
