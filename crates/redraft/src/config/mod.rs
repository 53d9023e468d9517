//! The configuration: built-in values, two files, the environment and flags, each over the ones before.
//!
//! The order is: built in, the user's file, the project's file, the environment, flags.
//!
//! Invariant: every value knows where it came from; what a file says by mistake is an error with its place;
//! a key is never part of it, only where a key comes from.
//! Absent here: making agents of it, printing, exit codes.

mod agent;
mod agent_table;
mod cast;
mod checks;
mod complaint;
mod document;
mod file_layer;
mod files;
mod flags;
mod gated;
mod key_table;
mod layer;
mod money;
mod origin;
mod paths;
mod project;
mod shown;
mod suggest;
mod table;
#[cfg(test)]
mod tests;
mod trust;
mod variables;

pub(crate) use agent::{Agent, Defined, Input, Launch, Llm, Program};
pub(crate) use agent_table::KEYS;
pub(crate) use cast::Cast;
pub(crate) use complaint::{Complaint, ConfigError};
pub(crate) use file_layer::Owner;
pub(crate) use files::{ConfigFile, Surroundings};
pub(crate) use flags::{CallFlags, Flags, GatedFlags, PairFlags, SolverFlags, WriterFlags};
pub(crate) use gated::MANUAL;
pub(crate) use layer::{Caps, Price};
pub(crate) use money::MicroUsd;
pub(crate) use origin::{Origin, Sourced};
pub(crate) use project::{project_folder, real_folder};
pub(crate) use shown::{Setting, sounds_secret, toml_text};
pub(crate) use suggest::{did_you_mean, nearest};

use document::Document;
use gated::GatedRoles;
use layer::Layer;
use std::collections::BTreeMap;
use trust::Untrusted;

/// The last iteration where nobody says otherwise.
const MAX_ITERATIONS: u64 = 3;

/// How long one check of a change may take where nobody says otherwise: a build and its tests.
const CHECK_SECONDS: u64 = 600;

/// Everything that is configured, checked, with origins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    /// Agents by name, beside `offline`, `scripted` and `human`, which need no table.
    pub(crate) agents: BTreeMap<String, Defined>,
    /// Who writes; an agent that exists.
    pub(crate) creator: Sourced<String>,
    /// Who reviews; agents that exist, at least one.
    pub(crate) reviewers: Sourced<Vec<String>>,
    /// Who plans an answer; the creator where nobody is named.
    pub(crate) planner: Sourced<String>,
    /// Who writes and revises an answer; the creator where nobody is named.
    pub(crate) generator: Sourced<String>,
    /// Who criticises an answer; the reviewers where nobody is named.
    pub(crate) critics: Sourced<Vec<String>>,
    /// Who proposes and verifies a change of a repository; no agent of ours can.
    pub(crate) architect: Option<Sourced<String>>,
    /// Who makes it.
    pub(crate) builder: Option<Sourced<String>>,
    /// Who plays the roles of gated sessions; whoever is not named is a person.
    pub(crate) gated: GatedRoles,
    /// Why the creator may not build where no builder is named: somebody else's project named it.
    refused_builder: Option<Complaint>,
    /// The lens that an agent reviews through, by agent.
    pub(crate) lenses: BTreeMap<String, Sourced<String>>,
    /// The bounds of one run.
    pub(crate) run: Caps,
    /// The bounds that all runs of a home share.
    pub(crate) home: Caps,
    /// How long one call may take.
    pub(crate) call_seconds: Sourced<u64>,
    /// How long one run may take; `None` is unbounded.
    pub(crate) total_seconds: Option<Sourced<u64>>,
    /// Prices by model, over the built-in table.
    pub(crate) prices: BTreeMap<String, Price>,
    /// The last iteration. An open run keeps its own unless this is said by a flag.
    pub(crate) max_iterations: Sourced<u64>,
    /// Whether a candidate that was there before ends a run.
    pub(crate) stop_on_stagnation: Sourced<bool>,
    /// Patterns of paths that no builder may touch.
    pub(crate) protected: Vec<Sourced<String>>,
    /// How long one check of a change may take.
    pub(crate) check_seconds: Sourced<u64>,
    /// The files that were looked for, lowest first.
    pub(crate) files: Vec<ConfigFile>,
    /// What is odd but no error.
    pub(crate) remarks: Vec<String>,
}

impl Config {
    /// Reads and checks all sources.
    ///
    /// # Errors
    /// All that is wrong in the first source that has a fault; then what does not fit together.
    pub(crate) fn load(around: &Surroundings, flags: &Flags) -> Result<Self, ConfigError> {
        let files = around.files()?;
        let layer = |owner| -> Result<Layer, ConfigError> {
            let file = files.iter().find(|file| file.owner == owner);
            let document = file.map(|file| Document::read(&file.path)).transpose()?.flatten();
            document.map_or(Ok(Layer::default()), |document| file_layer::read(&document, owner))
        };
        let (user, project) = (layer(Owner::User)?, layer(Owner::Project)?);
        let (environment, trusts) = variables::read(&around.variables)?;
        let trusts = flags.calls.trust_project || trusts.unwrap_or(false);
        let said = flags.layer().over(environment);
        let folder = around.project_folder(&files);
        let untrusted = folder.filter(|folder| !trusts && !trust::is_listed(&user, folder));
        let user_file = files.iter().find(|file| file.owner == Owner::User);
        let untrusted = untrusted.as_deref().map(|folder| Untrusted {
            project: &project,
            user: &user,
            said: &said,
            folder,
            user_file: user_file.map(|file| file.path.as_path()),
        });
        let complaints = untrusted.as_ref().map(Untrusted::complaints).unwrap_or_default();
        if !complaints.is_empty() {
            return Err(ConfigError { complaints });
        }
        let refused_builder = untrusted.and_then(|untrusted| untrusted.refused_builder());
        let merged = said.over(project).over(user);
        let config = Self::of(merged, files, variables::unknown(&around.variables));
        let config = Self { refused_builder, ..config };
        let complaints = checks::complaints(&config);
        if complaints.is_empty() { Ok(config) } else { Err(ConfigError { complaints }) }
    }

    /// Who changes a repository: the builder, and where nobody is named the creator.
    ///
    /// # Errors
    /// When only the file of an untrusted project names them, and they would edit files.
    pub(crate) fn who_builds(&self) -> Result<&Sourced<String>, ConfigError> {
        match &self.refused_builder {
            Some(complaint) => Err(ConfigError { complaints: vec![complaint.clone()] }),
            None => Ok(self.builder.as_ref().unwrap_or(&self.creator)),
        }
    }

    fn of(layer: Layer, files: Vec<ConfigFile>, remarks: Vec<String>) -> Self {
        let offline = || "offline".to_owned();
        let or = |value, built_in| -> Sourced<u64> {
            Option::unwrap_or_else(value, || Sourced::built_in(built_in))
        };
        let creator = layer.creator.unwrap_or_else(|| Sourced::built_in(offline()));
        let reviewers = layer.reviewers.unwrap_or_else(|| Sourced::built_in(vec![offline()]));
        Self {
            agents: layer.agents,
            planner: layer.planner.unwrap_or_else(|| creator.clone()),
            generator: layer.generator.unwrap_or_else(|| creator.clone()),
            critics: layer.critics.unwrap_or_else(|| reviewers.clone()),
            architect: layer.architect,
            builder: layer.builder,
            gated: layer.gated,
            refused_builder: None,
            creator,
            reviewers,
            lenses: layer.lenses,
            run: layer.run,
            home: layer.home,
            call_seconds: or(layer.call_seconds, 60),
            total_seconds: layer.total_seconds,
            prices: layer.prices,
            max_iterations: or(layer.max_iterations, MAX_ITERATIONS),
            stop_on_stagnation: layer.stop_on_stagnation.unwrap_or(Sourced::built_in(false)),
            protected: layer.protected,
            check_seconds: or(layer.check_seconds, CHECK_SECONDS),
            files,
            remarks,
        }
    }
}
