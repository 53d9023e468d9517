//! The agents: those that are built in, those that are configured, and programs that could be.
//!
//! Invariant: nothing here costs money, and no key is in a finding.
//! Absent here: playing a role.

mod models;
mod programs;

use super::check::Check;
use crate::config::{Agent, Config, Launch, Program};
use futures::{FutureExt, future::join_all};
use redraft_agents::{Preset, llm::Connections};
use std::path::PathBuf;

/// One check or more for each agent; they are asked side by side.
pub(super) async fn checks(config: &Config) -> Vec<Check> {
    let mut checks = vec![Check::ok("agent offline", "built in; needs no network and no key")];
    let connections = Connections::new();
    let configured = config.agents.iter().map(|(name, defined)| {
        let name = format!("agent {name}");
        match &defined.agent {
            Agent::Llm(llm) => models::checks(name, llm, &connections).boxed(),
            Agent::Command(program) => of_program(name, program).boxed(),
            Agent::Human | Agent::Offline | Agent::Scripted => {
                futures::future::ready(vec![Check::ok(name, defined.agent.kind())]).boxed()
            }
        }
    });
    checks.extend(join_all(configured).await.into_iter().flatten());
    let used = |preset: &Preset| {
        config.agents.values().any(|defined| match &defined.agent {
            Agent::Command(program) => program.launch == Launch::Preset(*preset),
            Agent::Llm(_) | Agent::Human | Agent::Offline | Agent::Scripted => false,
        })
    };
    let unused = Preset::ALL.into_iter().filter(|preset| !used(preset));
    checks.extend(join_all(unused.map(of_preset)).await);
    checks
}

async fn of_program(name: String, program: &Program) -> Vec<Check> {
    let (path, fix) = match &program.launch {
        Launch::Preset(preset) => (PathBuf::from(preset.name()), install(*preset)),
        Launch::Program(path) => {
            (path.clone(), "install it, put it on PATH, or correct `program`".to_owned())
        }
    };
    let check = match programs::version(&path).await {
        Ok(version) => Check::ok(name, version),
        Err(programs::Trouble::Missing(found)) => Check::error(name, found, fix),
        Err(programs::Trouble::Silent(found)) => {
            Check::warning(name, found, format!("run it yourself: {} --version", path.display()))
        }
    };
    vec![check]
}

/// A program that nothing here uses: that it is missing is no fault.
async fn of_preset(preset: Preset) -> Check {
    let name = format!("preset {}", preset.name());
    match programs::version(&PathBuf::from(preset.name())).await {
        Ok(version) => Check::ok(name, format!("{version}; no agent uses it")),
        Err(programs::Trouble::Missing(_)) => Check::note(name, "not installed", install(preset)),
        Err(programs::Trouble::Silent(found)) => {
            Check::note(name, found, format!("run it yourself: {} --version", preset.name()))
        }
    }
}

fn install(preset: Preset) -> String {
    format!("to use it, install it: {}", preset.install())
}
