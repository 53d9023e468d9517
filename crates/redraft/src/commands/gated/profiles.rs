//! `redraft gated profiles`: which profiles there are, what one says, and what is wrong with it.

use crate::{
    exit::{Code, Failure},
    gated::{self, Found, Origin},
    say,
};
use redraft_workflows::gated::profile::{Finding, Phase, Profile, Weight, lint};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// List profiles, show one, or find what is wrong with one: `profiles lint NAME`
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    /// The profile to show
    name: Option<String>,
    #[command(subcommand)]
    lint: Option<Lint>,
    /// A folder of the project whose profiles count
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
}

#[derive(Debug, clap::Subcommand)]
enum Lint {
    /// Find unknown placeholders, missing phases, includes in a circle and other mistakes
    Lint {
        /// A profile's name, or the path of its folder; all there are where none is named
        names: Vec<String>,
        /// A folder of the project whose profiles count
        #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
        workspace: PathBuf,
    },
}

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    match (&args.lint, &args.name) {
        (Some(Lint::Lint { names, workspace }), _) => linted(names, workspace, as_json),
        (None, Some(name)) => shown(&gated::find(&args.workspace, name)?, as_json),
        (None, None) => listed(&args.workspace, as_json),
    }
}

fn listed(from: &Path, as_json: bool) -> Result<Code, Failure> {
    let mut rows = Vec::new();
    for (name, origin) in gated::known(from)? {
        let profile = gated::find(from, &name).ok();
        let profile = profile.and_then(|found| found.profile().ok());
        let told = profile.as_ref().map_or(BROKEN, Profile::description).to_owned();
        rows.push((name, place(&origin), told));
    }
    if as_json {
        let rows: Vec<Value> = rows
            .iter()
            .map(|(name, place, told)| json!({"name": name, "origin": place, "description": told}))
            .collect();
        say::json_line("gated profiles", Code::Done, json!({"profiles": rows}));
        return Ok(Code::Done);
    }
    for (name, place, told) in rows {
        say::out(&format!("{name}  ({place})  {told}"));
    }
    Ok(Code::Done)
}

/// What stands for a profile that cannot be read.
const BROKEN: &str = "cannot be used: redraft gated profiles lint tells why";

fn place(origin: &Origin) -> String {
    match origin {
        Origin::Folder(place) => place.display().to_string(),
        Origin::BuiltIn => "built in".to_owned(),
    }
}

fn shown(found: &Found, as_json: bool) -> Result<Code, Failure> {
    let profile = found.profile()?;
    if as_json {
        say::json_line("gated profiles", Code::Done, fields(found, &profile));
        return Ok(Code::Done);
    }
    say::out(&format!("{}: {}", profile.name(), profile.description()));
    say::out(&format!("from: {}", place(&found.origin)));
    say::out(&format!("files: *.{}", profile.extension()));
    say::out(&format!("iterations: {}", profile.max_iterations()));
    say::out("context:");
    for key in profile.keys() {
        let default = key.default.as_ref().map(|value| format!(" [default: {value}]"));
        let allowed = if key.allowed.is_empty() {
            String::new()
        } else {
            format!(" ({})", key.allowed.join(", "))
        };
        say::out(&format!("  {}: {}{allowed}{}", key.name, key.help, default.unwrap_or_default()));
    }
    for phase in Phase::ALL {
        let plan = profile.phase(phase);
        say::out(&format!("{phase}: {}, gate {}, {}", plan.role, gate(plan.gate), plan.prompt));
    }
    Ok(Code::Done)
}

fn gate(gate: redraft_workflows::gated::profile::Gate) -> &'static str {
    match gate {
        redraft_workflows::gated::profile::Gate::Person => "person",
        redraft_workflows::gated::profile::Gate::Auto => "auto",
    }
}

fn fields(found: &Found, profile: &Profile) -> Value {
    let keys: Vec<Value> = profile
        .keys()
        .iter()
        .map(|key| json!({"name": key.name, "help": key.help, "default": key.default, "allowed": key.allowed}))
        .collect();
    let phases: Vec<Value> = Phase::ALL
        .iter()
        .map(|phase| {
            let plan = profile.phase(*phase);
            json!({"phase": phase, "role": plan.role, "gate": plan.gate, "prompt": plan.prompt})
        })
        .collect();
    json!({"profile": {
        "name": profile.name(),
        "origin": place(&found.origin),
        "description": profile.description(),
        "extension": profile.extension(),
        "max_iterations": profile.max_iterations(),
        "context": keys,
        "phases": phases,
    }})
}

fn linted(names: &[String], from: &Path, as_json: bool) -> Result<Code, Failure> {
    let names: Vec<String> = match names.is_empty() {
        true => gated::known(from)?.into_iter().map(|(name, _)| name).collect(),
        false => names.to_vec(),
    };
    let mut found = Vec::new();
    for name in &names {
        let files = match Path::new(name).is_dir() && name.contains(std::path::is_separator) {
            true => gated::read(Path::new(name))?,
            false => gated::find(from, name)?.files,
        };
        found.push((name, lint(&files)));
    }
    let broken = found.iter().any(|(_, findings)| findings.iter().any(is_error));
    let code = if broken { Code::Usage } else { Code::Done };
    if as_json {
        let profiles: Vec<Value> = found
            .iter()
            .map(|(name, findings)| json!({"profile": name, "findings": findings.iter().map(told).collect::<Vec<_>>()}))
            .collect();
        say::json_line("gated profiles lint", code, json!({"profiles": profiles}));
        return Ok(code);
    }
    for (name, findings) in &found {
        findings.iter().for_each(|finding| {
            let weight = if is_error(finding) { "error" } else { "warning" };
            say::out(&format!("{name}/{finding} ({weight})"));
        });
        if findings.is_empty() {
            say::out(&format!("{name}: nothing to mend"));
        }
    }
    Ok(code)
}

fn is_error(finding: &Finding) -> bool {
    finding.weight() == Weight::Error
}

fn told(finding: &Finding) -> Value {
    let weight = if is_error(finding) { "error" } else { "warning" };
    json!({
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "weight": weight,
        "message": finding.flaw.to_string(),
    })
}
