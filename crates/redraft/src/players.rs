//! Who can play a role: agents by name, made from the configuration.
//!
//! Invariant: making an agent sends nothing, starts nothing and reads no key.
//! Absent here: roles. A plan casts them.

pub(crate) mod model;
mod person;
#[cfg(unix)]
mod program;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use crate::{
    commands::agents,
    config::{self, Config},
    exit::{Code, Failure},
    say,
    standalone::Place,
};
use person::Person;
use redraft_agents::{
    OfflineAgent, Preset,
    llm::{Connections, LlmAgent},
    offline,
    scripted::{Script, Scripted},
};
use redraft_engine::Agent;
use redraft_loop::{CastMember, Role};
use redraft_workflows::Prompt;
use std::{path::PathBuf, sync::Arc, time::Duration};
#[cfg(unix)]
use {
    redraft_agents::{command::CommandAgent, worktree::Work},
    std::path::Path,
};

/// The agent that works without network and key.
pub(crate) const OFFLINE: &str = "offline";
/// The agent that says what a script says.
pub(crate) const SCRIPTED: &str = "scripted";
/// The agent that asks a person.
pub(crate) const HUMAN: &str = "human";

/// What agents are made from.
pub(crate) struct Players<'a> {
    pub(crate) config: &'a Config,
    pub(crate) script: Option<Script>,
    /// The offline agent, over what it works from.
    pub(crate) offline: Option<Arc<dyn Agent>>,
    /// Where prompts for a person are laid, one folder a run.
    pub(crate) inbox: PathBuf,
    /// The workspace, as it was named.
    pub(crate) workspace: PathBuf,
    /// The transcript's file in it, where it has one.
    pub(crate) transcript: Option<String>,
}

/// An agent, ready to be asked.
#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) agent: Arc<dyn Agent>,
    /// The model that is asked for, where it is one.
    pub(crate) model: Option<String>,
    /// Who serves the model.
    pub(crate) provider: Option<String>,
    /// The model's family.
    pub(crate) family: Option<String>,
}

impl Player {
    fn of(agent: impl Agent + 'static) -> Self {
        Self { agent: Arc::new(agent), model: None, provider: None, family: None }
    }

    /// The player of this role, as a run's first fact names it.
    pub(crate) fn member(&self, role: Role, name: &str) -> CastMember {
        CastMember {
            role,
            agent: name.to_owned(),
            model: self.model.clone(),
            provider: self.provider.clone(),
            family: self.family.clone(),
            lens: None,
        }
    }

    /// Whether nobody knows how many tokens its calls may use: programs tell afterwards, if at all.
    pub(crate) fn is_uncounted(&self) -> bool {
        let bound = self.agent.bound(&Prompt::default());
        bound.tokens == 0 && bound.cost.is_none()
    }

    /// Why it cannot play under a cap on money, where nobody knows what its calls cost: such a cap could not be held
    /// (design §4).
    pub(crate) fn unpriced(&self, name: &str) -> Option<Failure> {
        if self.agent.bound(&Prompt::default()).cost.is_some() {
            return None;
        }
        let model = self.model.as_deref().unwrap_or(name);
        let message =
            format!("agent {name}: the price of {model} is unknown, and there is a cap on money");
        let help = match &self.model {
            Some(model) => format!(
                "give its price: [prices.\"{model}\"] with input and output, in US dollars for a million tokens; or leave the cap out"
            ),
            None => "leave the cap on money out, and cap calls instead".to_owned(),
        };
        Some(Failure::usage(message).help(help))
    }
}

impl<'a> Players<'a> {
    /// For runs that belong to no workspace: nobody is scripted, works from a transcript or is offline.
    pub(crate) fn without_workspace(config: &'a Config, place: &Place) -> Self {
        Self {
            config,
            script: None,
            offline: None,
            inbox: place.inbox(),
            workspace: place.root.clone(),
            transcript: None,
        }
    }
}

impl Players<'_> {
    /// The agent of this name, ready to play: one that starts, and under a cap on money or on tokens one that can be
    /// held to it.
    pub(crate) fn seat(
        &self,
        name: &str,
        connections: &Connections,
        capped: (bool, bool),
    ) -> Result<Player, Failure> {
        self.seated(name, self.player(name, connections)?, capped)
    }

    /// The agent of this name, ready to build in the worktree at this place, and how it works there: programs edit
    /// its files for so long unless their configuration says that they do not, and all others answer. Ready is as for a
    /// seat.
    #[cfg(unix)]
    pub(crate) fn builder(
        &self,
        name: &str,
        connections: &Connections,
        capped: (bool, bool),
        (place, limit): (&Path, Duration),
    ) -> Result<(Player, Work), Failure> {
        match self.command(name).filter(|program| program.edits) {
            Some(program) => {
                let program = program::editing(&program, limit, place);
                let player = Player::of(CommandAgent::new(program));
                Ok((self.seated(name, player, capped)?, Work::Edits))
            }
            None => Ok((self.seat(name, connections, capped)?, Work::Answers)),
        }
    }

    /// The player, if it starts and can be held to the caps on money and on tokens.
    fn seated(
        &self,
        name: &str,
        player: Player,
        (money, tokens): (bool, bool),
    ) -> Result<Player, Failure> {
        self.check_startable(name)?;
        if money && let Some(failure) = player.unpriced(name) {
            return Err(failure);
        }
        if tokens && player.is_uncounted() {
            return Err(uncounted(name));
        }
        Ok(player)
    }

    /// The agent of this name.
    pub(crate) fn player(&self, name: &str, connections: &Connections) -> Result<Player, Failure> {
        match self.config.agents.get(name).map(|defined| &defined.agent) {
            Some(config::Agent::Llm(llm)) => self.model(name, llm, connections),
            Some(config::Agent::Command(program)) => self.program(program),
            Some(config::Agent::Human) => Ok(self.person()),
            Some(config::Agent::Offline) => self.offline(),
            Some(config::Agent::Scripted) => self.scripted(),
            None => self.built_in(name),
        }
    }

    /// Refuses an agent whose program cannot be started, before anybody else is paid.
    pub(crate) fn check_startable(&self, name: &str) -> Result<(), Failure> {
        self.command(name).map_or(Ok(()), |program| self.find(name, &program))
    }

    /// The program that the agent of this name is, where it is one.
    fn command(&self, name: &str) -> Option<config::Program> {
        match self.config.agents.get(name).map(|defined| &defined.agent) {
            Some(config::Agent::Command(program)) => Some(program.clone()),
            Some(
                config::Agent::Llm(_)
                | config::Agent::Human
                | config::Agent::Offline
                | config::Agent::Scripted,
            ) => None,
            None => preset_of(name).map(config::Program::preset),
        }
    }

    #[cfg(unix)]
    fn find(&self, name: &str, program: &config::Program) -> Result<(), Failure> {
        let found = program::of(program, Duration::ZERO).startable();
        let refused = |error| {
            Failure::new(Code::Failure, format!("agent {name}: {error}"))
                .help("mend it, or name another agent for its role")
        };
        found.map(drop).map_err(refused)
    }

    #[cfg(not(unix))]
    fn find(&self, _: &str, _: &config::Program) -> Result<(), Failure> {
        Ok(())
    }

    fn built_in(&self, name: &str) -> Result<Player, Failure> {
        match (name, preset_of(name)) {
            (_, Some(preset)) => self.program(&config::Program::preset(preset)),
            (HUMAN, None) => Ok(self.person()),
            (SCRIPTED, None) => self.scripted(),
            (OFFLINE, None) => self.offline(),
            (name, None) => Err(unknown(name)),
        }
    }

    fn model(
        &self,
        name: &str,
        llm: &config::Llm,
        connections: &Connections,
    ) -> Result<Player, Failure> {
        let model = model::of(llm, self.config.prices.get(&llm.model));
        let agent = LlmAgent::new(model, connections)
            .map_err(|error| Failure::usage(format!("agent {name}: {error}")))?;
        let (model, family) = (Some(llm.model.clone()), Some(agent.family()));
        let provider = Some(llm.provider.name().to_owned());
        Ok(Player { agent: Arc::new(agent), model, provider, family })
    }

    #[cfg(unix)]
    fn program(&self, program: &config::Program) -> Result<Player, Failure> {
        Ok(Player::of(CommandAgent::new(program::of(program, self.patience()))))
    }

    /// How long the engine waits for one call.
    #[cfg(unix)]
    fn patience(&self) -> Duration {
        Duration::from_secs(self.config.call_seconds.value)
    }

    #[cfg(not(unix))]
    fn program(&self, _: &config::Program) -> Result<Player, Failure> {
        Err(Failure::usage("programs can play a role on Unix only"))
    }

    fn person(&self) -> Player {
        let transcript = self.transcript.as_ref().map(|file| self.workspace.join(file));
        Player::of(Person {
            inbox: self.inbox.clone(),
            workspace: say::at(&self.workspace),
            transcript: transcript.map(|place| place.display().to_string()),
        })
    }

    fn offline(&self) -> Result<Player, Failure> {
        match &self.offline {
            Some(agent) => {
                Ok(Player { agent: agent.clone(), model: None, provider: None, family: None })
            }
            None => Err(agents::no_transcript(&self.workspace)),
        }
    }

    fn scripted(&self) -> Result<Player, Failure> {
        let log = std::env::var_os("REDRAFT_SCRIPT_LOG").map(PathBuf::from);
        match &self.script {
            Some(script) => Ok(Player::of(Scripted::new(script.clone()).logging_to(log))),
            None => Err(Failure::usage("these roles are played by a script")
                .help("give --script FILE or --fake-runner")),
        }
    }
}

/// The preset of this name.
fn preset_of(name: &str) -> Option<Preset> {
    Preset::ALL.into_iter().find(|preset| preset.name() == name)
}

/// A number that nobody knows beforehand cannot be held under a cap (design §4).
fn uncounted(name: &str) -> Failure {
    let message = format!(
        "agent {name}: a program does not say how many tokens it may use, and there is a cap on tokens"
    );
    Failure::usage(message).help("leave the cap on tokens out, and cap calls and time instead")
}

/// An open run may name an agent that is not configured any more.
fn unknown(name: &str) -> Failure {
    Failure::new(Code::Usage, format!("there is no agent {name:?} any more"))
        .help("configure it again, or name another for its role; redraft config show lists agents")
}

/// The offline agent for an episode. Where somebody else writes, it judges form and names, and does not ask for
/// words that were said: only an extract has those alone.
pub(crate) fn offline_agent(episode: offline::Episode, writes: bool) -> Arc<dyn Agent> {
    let agent = OfflineAgent::new(episode);
    Arc::new(if writes { agent } else { agent.judging_others() })
}
