//! `redraft gated providers`: who can play the roles of a session.

use crate::{
    commands::configured,
    config::{Agent, Config, Flags, Launch, MANUAL},
    exit::{Code, Failure},
    say,
};
use redraft_agents::Preset;
use serde_json::{Value, json};
use std::path::PathBuf;

/// List who can play a role, or show one
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The one to show
    name: Option<String>,
    /// A folder of the project whose configuration counts
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
}

/// Somebody who can play.
struct Provider {
    name: String,
    kind: &'static str,
    about: String,
}

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let config = configured(&args.workspace, &Flags::default())?;
    let mut all = providers(&config);
    if let Some(name) = &args.name {
        let known: Vec<String> = all.iter().map(|one| one.name.clone()).collect();
        all.retain(|one| one.name == *name);
        if all.is_empty() {
            let message = format!("there is no provider {name:?}; there are {}", known.join(", "));
            return Err(Failure::usage(message)
                .help("an agent is defined under [agents.NAME] of the configuration"));
        }
    }
    if as_json {
        let rows: Vec<Value> = all
            .iter()
            .map(|one| json!({"name": one.name, "kind": one.kind, "about": one.about}))
            .collect();
        say::json_line("gated providers", Code::Done, json!({"providers": rows}));
        return Ok(Code::Done);
    }
    for one in &all {
        say::out(&format!("{}  {}  {}", one.name, one.kind, one.about));
    }
    Ok(Code::Done)
}

fn providers(config: &Config) -> Vec<Provider> {
    let manual = Provider {
        name: MANUAL.to_owned(),
        kind: "person",
        about: "reads the prompt file and writes the response file".to_owned(),
    };
    let configured = config.agents.iter().filter_map(|(name, defined)| {
        let (kind, about) = match &defined.agent {
            Agent::Llm(llm) => ("llm", format!("{} {}", llm.provider.name(), llm.model)),
            Agent::Command(program) => (
                "command",
                match &program.launch {
                    Launch::Preset(preset) => preset.name().to_owned(),
                    Launch::Program(path) => path.display().to_string(),
                },
            ),
            Agent::Human => ("person", "as manual".to_owned()),
            // They know nothing of code.
            Agent::Offline | Agent::Scripted => return None,
        };
        Some(Provider { name: name.clone(), kind, about })
    });
    let presets = Preset::ALL.into_iter().map(Preset::name);
    let presets = presets.filter(|name| !config.agents.contains_key(*name)).map(|name| Provider {
        name: name.to_owned(),
        kind: "command",
        about: "preset; redraft doctor tells whether it is here".to_owned(),
    });
    let mut all: Vec<Provider> = std::iter::once(manual).chain(configured).chain(presets).collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}
