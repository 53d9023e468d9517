//! Who proposes and who builds: agents made once, and the bounds of their run.
//!
//! Invariant: whatever is missing is told before anything is written or asked.
//! Absent here: worktrees, and playing.

use super::tree::place_of;
use crate::{
    briefing,
    commands::review::{home_caps, planning},
    config::{self, Agent as Configured, CallFlags, Config, Origin as Said, PairFlags, Sourced},
    exit::Failure,
    play::{Caps, Plan},
    players::{OFFLINE, Players as Agents, SCRIPTED},
    standalone::{Place, check_cast},
};
use redraft_agents::{
    MockPair, Preset,
    command::preset,
    llm::{Connections, KeySource},
    worktree::{Protected, Work},
};
use redraft_engine::{Agent, Policy};
use redraft_loop::{CastMember, Limits, Role, Run, RunId};
use redraft_workflows::{
    pair::{ARCHITECT, BUILDER, DEFAULT_TURNS, NAME, settings},
    review::brief::Template,
};
use std::{sync::Arc, time::Duration};

/// The command that opens a new run of the same task.
const AGAIN: &str = "redraft pair --again";

/// The name under which the pair without a model is recorded.
const MOCK: &str = "mock";

/// A cast with the bounds of its run.
pub(crate) struct Table {
    pub(crate) architect: Arc<dyn Agent>,
    pub(crate) builder: Arc<dyn Agent>,
    /// How the builder works, where there is a repository to work in.
    pub(crate) work: Work,
    pub(crate) members: Vec<CastMember>,
    pub(crate) limits: Limits,
    /// What is said anew of the bounds of a run that goes on.
    pub(crate) raised: Caps,
    pub(crate) policy: Policy,
    /// What they are told.
    pub(crate) prompts: Vec<Template>,
    pub(crate) site: Site,
}

/// What a command allows a run, where it says so.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    /// The most turns.
    pub(crate) turns: Option<u32>,
    /// How often a call that a crash cut off may be asked again.
    pub(crate) ask_again: Option<u32>,
}

/// What holds in the worktree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    /// What the builder may not touch.
    pub(crate) protected: Protected,
    /// How long one check may take.
    pub(crate) check_limit: Duration,
    /// How long a program may edit.
    pub(crate) edit_limit: Option<Duration>,
    /// Variables that checks do not see.
    pub(crate) withheld: Vec<String>,
}

/// Plays both sides without a model, within these caps.
pub(crate) fn mock(turns: Option<u32>, caps: Caps) -> Table {
    let member = |role: &str| CastMember {
        role: role.into(),
        agent: MOCK.to_owned(),
        model: None,
        provider: None,
        family: None,
        lens: None,
    };
    let turns = turns.unwrap_or(DEFAULT_TURNS);
    Table {
        architect: Arc::new(MockPair),
        builder: Arc::new(MockPair),
        work: Work::Answers,
        members: [ARCHITECT, BUILDER].map(member).into(),
        limits: caps.limits(turns, 1),
        raised: Caps::default(),
        policy: Policy::STANDARD,
        prompts: Vec::new(),
        site: Site::default(),
    }
}

/// The agents of a pair, by name.
struct Names {
    architect: String,
    builder: String,
}

impl Names {
    fn configured(config: &Config) -> Result<Self, Failure> {
        let architect = config.architect.as_ref().unwrap_or(&config.creator);
        let plain = |name: &Sourced<String>| planning::plain(config, &name.value);
        Ok(Self { architect: plain(architect), builder: plain(config.who_builds()?) })
    }

    /// Those that a run was opened with, unless a flag says otherwise.
    fn recorded(run: &Run, config: &Config, said: &PairFlags) -> Self {
        let one = |said: &Option<String>, role: &str| {
            let member = run.opened().cast.iter().find(|member| member.role.as_str() == role);
            let recorded = member.map(|member| member.agent.clone());
            let said = said.as_ref().map(|name| planning::plain(config, name));
            said.or(recorded).unwrap_or_default()
        };
        Self { architect: one(&said.architect, ARCHITECT), builder: one(&said.builder, BUILDER) }
    }
}

/// Casts a new run as configured.
///
/// # Errors
/// When an agent is missing, cannot play, or cannot be held to a cap.
pub(crate) fn table(
    config: &Config,
    flags: &CallFlags,
    Allowed { turns, ask_again }: Allowed,
    place: &Place,
    run: &RunId,
) -> Result<Table, Failure> {
    let names = Names::configured(config)?;
    let plan = planning::of_calls(config, flags, names.builder.clone());
    let turns = turns.unwrap_or(DEFAULT_TURNS);
    let limits = plan.run_caps().limits(turns, ask_again.unwrap_or(1));
    seated(config, &names, (&plan, limits), place, run)
}

/// Casts a run that goes on: with the agents that it was opened with, within its own bounds and what flags say of them.
///
/// # Errors
/// As for new ones, and when a role is played by another agent or model than then.
pub(crate) fn table_of(
    run: &Run,
    config: &Config,
    (flags, said): (&CallFlags, &PairFlags),
    Allowed { turns, ask_again }: Allowed,
    place: &Place,
) -> Result<Table, Failure> {
    let turns = turns.unwrap_or(run.limits().rounds);
    let begun = run.rounds_begun();
    if turns < begun.max(1) {
        let message = format!("--max-turns {turns}: the run has begun turn {begun}");
        return Err(Failure::usage(message).help(format!("give {begun} or more")));
    }
    let names = Names::recorded(run, config, said);
    let of_calls = planning::of_calls(config, flags, names.builder.clone());
    let plan = Plan { ask_again, ..of_calls };
    let limits = plan.limits_from(run.limits(), turns);
    if run.opened().cast.iter().all(|member| member.agent == MOCK) {
        return Ok(Table { limits, raised: plan.caps, ..mock(Some(turns), plan.caps) });
    }
    let table = seated(config, &names, (&plan, limits), place, &run.opened().run)?;
    check_cast(run, &table.members, AGAIN)?;
    check_work(run, &table)?;
    Ok(Table { raised: plan.caps, ..table })
}

/// A builder that was asked for a diff cannot edit in its place, nor the other way round.
fn check_work(run: &Run, table: &Table) -> Result<(), Failure> {
    let (then, now) = (settings(run).is_some_and(|then| then.edits), table.work == Work::Edits);
    if then == now {
        return Ok(());
    }
    let (id, does) = (&run.opened().run, if then { "edits" } else { "does not edit" });
    let message = format!("run {id} was opened with a builder that {does}");
    Err(Failure::usage(message)
        .help(format!("set `edits` of its agent as it was, or open a new run: {AGAIN}")))
}

fn seated(
    config: &Config,
    names: &Names,
    (plan, limits): (&Plan, Limits),
    place: &Place,
    run: &RunId,
) -> Result<Table, Failure> {
    let agents = Agents::without_workspace(config, place);
    let connections = Connections::default();
    let capped = home_caps::capped(config, &limits, place)?;
    check_able(&names.architect, "architect")?;
    check_able(&names.builder, "builder")?;
    let architect = agents.seat(&names.architect, &connections, capped)?;
    let edit_limit = edit_limit(config, &names.builder);
    let (builder, work) = agents.builder(
        &names.builder,
        &connections,
        capped,
        (&place_of(place, run), edit_limit),
    )?;
    let members = vec![
        architect.member(Role::new(ARCHITECT), &names.architect),
        builder.member(Role::new(BUILDER), &names.builder),
    ];
    Ok(Table {
        architect: architect.agent,
        builder: builder.agent,
        work,
        members,
        limits,
        raised: Caps::default(),
        policy: plan.policy,
        prompts: briefing::templates_by_step(&place.from, NAME)?,
        site: Site {
            protected: protected(config)?,
            check_limit: Duration::from_secs(config.check_seconds.value),
            edit_limit: (work == Work::Edits).then_some(edit_limit),
            withheld: withheld(config),
        },
    })
}

/// How long a program may edit where neither it nor the configuration says: such programs take minutes.
const EDIT_SECONDS: u64 = 600;

fn edit_limit(config: &Config, builder: &str) -> Duration {
    let own = match config.agents.get(builder).map(|defined| &defined.agent) {
        Some(Configured::Command(program)) => program.timeout_seconds,
        Some(
            Configured::Llm(_) | Configured::Human | Configured::Offline | Configured::Scripted,
        )
        | None => None,
    };
    let said = match &config.call_seconds.origin {
        Said::BuiltIn => None,
        Said::File(_) | Said::Variable(_) | Said::Flag(_) => Some(config.call_seconds.value),
    };
    let seconds = match (own, said) {
        (Some(own), Some(said)) => own.min(said),
        (Some(seconds), None) | (None, Some(seconds)) => seconds,
        (None, None) => EDIT_SECONDS,
    };
    Duration::from_secs(seconds)
}

/// Agents of ours know nothing of repositories.
fn check_able(name: &str, role: &str) -> Result<(), Failure> {
    if ![OFFLINE, SCRIPTED].contains(&name) {
        return Ok(());
    }
    Err(Failure::usage(format!("the {role} is {name}, which changes no repository")).help(format!(
        "name a model, a program or human with --{role} or roles.{role}; redraft pair --mock shows a pair without any"
    )))
}

/// What no builder may touch. The configuration has been read, so each pattern can be.
fn protected(config: &Config) -> Result<Protected, Failure> {
    let patterns: Vec<String> = config.protected.iter().map(|one| one.value.clone()).collect();
    Protected::new(&patterns).map_err(|error| Failure::usage(error.to_string()))
}

/// A key that is no agent's.
const OF_SERVER: &str = "REDRAFT_SERVER_TOKEN";

/// What agents are trusted with: checks run what a builder wrote, which has no use for keys. Folders and proxies that an
/// agent is handed by name are no secrets, and a check may need them.
fn withheld(config: &Config) -> Vec<String> {
    let named = |agent: &Configured| match agent {
        Configured::Llm(llm) => match &llm.key {
            Some(KeySource::Env(name)) => vec![name.clone()],
            Some(KeySource::File(_) | KeySource::Command { .. }) | None => Vec::new(),
        },
        Configured::Command(program) => secret(&program.env),
        Configured::Human | Configured::Offline | Configured::Scripted => Vec::new(),
    };
    let agents = config.agents.values().flat_map(|defined| named(&defined.agent));
    let presets = Preset::ALL.into_iter().flat_map(|known| secret(&preset(known).env));
    let customary = config::KEYS.into_iter().chain([OF_SERVER]).map(str::to_owned);
    agents.chain(presets).chain(customary).collect()
}

fn secret(names: &[String]) -> Vec<String> {
    names.iter().filter(|name| config::sounds_secret(name)).cloned().collect()
}
