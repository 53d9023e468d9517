//! Who plays a session's roles: agents by name, or a person who writes response files.
//!
//! Invariant: whatever is missing is told before anything is written or asked.
//! Absent here: responses that lie there already.

use crate::{
    commands::review::{home_caps, planning},
    config::{CallFlags, Config, MANUAL, Origin},
    exit::Failure,
    play::cast_of,
    players::{HUMAN, OFFLINE, Players, SCRIPTED},
    standalone::Place,
};
use redraft_agents::llm::Connections;
use redraft_engine::{Agent, Policy};
use redraft_loop::{CastMember, Limits, Role as Seat, Run};
use redraft_workflows::gated::profile::{Phase, Profile, Role};
use std::sync::Arc;

/// A cast with the bounds of its session.
pub(crate) struct Table {
    pub(crate) members: Vec<CastMember>,
    pub(crate) by_hand: Vec<Role>,
    pub(crate) limits: Limits,
}

/// Casts a new session with the agents that are configured; a role that nobody is named for is played by hand.
///
/// A configuration is for all profiles: only a flag that names somebody for a role the profile lacks is a mistake.
///
/// # Errors
/// When an agent is missing, cannot play, or cannot be held to a cap.
pub(crate) fn cast(
    config: &Config,
    flags: &CallFlags,
    profile: &Profile,
    (iterations, place): (u32, &Place),
) -> Result<Table, Failure> {
    let plan = planning::of_calls(config, flags, MANUAL.to_owned());
    let limits = plan.run_caps().limits(iterations, 1);
    let mut table = Table { members: Vec::new(), by_hand: Vec::new(), limits };
    for role in roles(profile) {
        let name = config.gated.get(&role).map_or(MANUAL, |name| name.value.as_str());
        if is_by_hand(config, name) {
            table.by_hand.push(role);
        }
        table.members.push(member(config, role, name, (&table.limits, place))?);
    }
    let mut said = config.gated.iter().filter(|(_, name)| matches!(name.origin, Origin::Flag(_)));
    if let Some((stray, _)) = said.find(|(role, _)| !roles(profile).contains(role)) {
        let message = format!("profile {} has no phase for a {stray}", profile.name());
        return Err(Failure::usage(message).help(format!("leave --{stray} out")));
    }
    Ok(table)
}

/// The roles of a profile, in the order of its phases.
fn roles(profile: &Profile) -> Vec<Role> {
    let mut roles: Vec<Role> = Phase::ALL.map(|phase| profile.phase(phase).role).into();
    roles.sort();
    roles.dedup();
    roles
}

fn is_by_hand(config: &Config, name: &str) -> bool {
    let configured = config.agents.get(name).map(|defined| &defined.agent);
    [MANUAL, HUMAN].contains(&name) || matches!(configured, Some(crate::config::Agent::Human))
}

fn member(
    config: &Config,
    role: Role,
    name: &str,
    bounds: (&Limits, &Place),
) -> Result<CastMember, Failure> {
    let seat = Seat::from(role.name());
    if is_by_hand(config, name) {
        let agent = MANUAL.to_owned();
        let (model, provider, family, lens) = (None, None, None, None);
        return Ok(CastMember { role: seat, agent, model, provider, family, lens });
    }
    let (_, member) = seated(config, role.name(), name, bounds)?;
    Ok(member)
}

fn seated(
    config: &Config,
    role: &str,
    name: &str,
    (limits, place): (&Limits, &Place),
) -> Result<(Arc<dyn Agent>, CastMember), Failure> {
    if [OFFLINE, SCRIPTED].contains(&planning::plain(config, name).as_str()) {
        let message = format!("the {role} is {name}, which knows nothing of code");
        return Err(Failure::usage(message)
            .help(format!("name a model, a program or {MANUAL} with --{role}")));
    }
    let agents = Players::without_workspace(config, place);
    let capped = home_caps::capped(config, limits, place)?;
    let player = agents.seat(name, &Connections::default(), capped)?;
    let member = player.member(Seat::from(role), name);
    Ok((player.agent, member))
}

/// The agent that a session was begun with for a role, and how patiently it is asked.
///
/// # Errors
/// When it is not there any more, or has another model.
pub(crate) fn player(
    run: &Run,
    config: &Config,
    flags: &CallFlags,
    (role, place): (&str, &Place),
) -> Result<(Arc<dyn Agent>, Policy), Failure> {
    let member = run.opened().cast.iter().find(|member| member.role.as_str() == role);
    let name = member.map_or(MANUAL, |member| member.agent.as_str());
    let (agent, now) = seated(config, role, name, (run.limits(), place))?;
    if let Some(then) = member {
        let (then, now) = (cast_of(std::slice::from_ref(then)), cast_of(&[now]));
        if then != now {
            let id = &run.opened().run;
            return Err(Failure::usage(format!(
                "session {id} was begun with {then}, not with {now}"
            ))
            .help("configure the agent as it was, or begin a new session"));
        }
    }
    let plan = planning::of_calls(config, flags, name.to_owned());
    Ok((agent, plan.policy))
}
