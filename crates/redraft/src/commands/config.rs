//! `redraft config`: which settings are in force, where each came from, and which files are read.

use super::refusals::refusals;
use crate::{
    config::{CallFlags, Config, ConfigError, Flags, Owner, SolverFlags, Surroundings, toml_text},
    exit::{Code, Failure},
    say,
};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Which settings are in force, and where each came from
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Settings {
    /// Print every setting that is in force
    Show(Box<Show>),
    /// Print which files are looked at, and which of them exist
    Path(Place),
    /// Check all files and variables, and print all that is wrong
    Check(Check),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// The folder from which the project's file (redraft.toml) is looked for, upward
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    #[command(flatten)]
    place: Place,
    /// Tell where each value came from
    #[arg(long)]
    origin: bool,
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    solvers: SolverFlags,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    place: Place,
    /// Trust the project's file for this command: it may name programs, servers and keys
    #[arg(long)]
    trust_project: bool,
}

impl Settings {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Show(_) => "config show",
            Self::Path(_) => "config path",
            Self::Check(_) => "config check",
        }
    }
}

pub(crate) fn run(command: &Settings, as_json: bool) -> Result<Code, Failure> {
    match command {
        Settings::Show(args) => show(args, as_json),
        Settings::Path(args) => path(args, as_json),
        Settings::Check(args) => check(args, as_json),
    }
}

fn show(args: &Show, as_json: bool) -> Result<Code, Failure> {
    let flags = Flags { solvers: args.solvers.clone(), ..args.flags.clone() };
    let config = Config::load(&Surroundings::of_process(&args.place.workspace), &flags)?;
    let settings = config.settings();
    if as_json {
        let row = |setting: &crate::config::Setting| {
            let mut row = json!({ "key": setting.key, "value": setting.value });
            if args.origin {
                row["origin"] = setting.origin.json();
            }
            row
        };
        let rows: Vec<Value> = settings.iter().map(row).collect();
        say::json(
            "config show",
            Code::Done,
            json!({ "settings": rows, "remarks": config.remarks }),
        );
        return Ok(Code::Done);
    }
    for setting in settings {
        let (key, value) = (setting.key, toml_text(&setting.value));
        match args.origin {
            true => say::out(&format!("{key} = {value}  # {}", setting.origin)),
            false => say::out(&format!("{key} = {value}")),
        }
    }
    config.remarks.iter().for_each(|remark| say::err(&format!("warning: {remark}")));
    Ok(Code::Done)
}

fn path(args: &Place, as_json: bool) -> Result<Code, Failure> {
    let files = Surroundings::of_process(&args.workspace).files()?;
    if as_json {
        let row = |file: &crate::config::ConfigFile| {
            let path = file.path.display().to_string();
            json!({ "owner": owner(file.owner), "path": path, "exists": file.exists })
        };
        let rows: Vec<Value> = files.iter().map(row).collect();
        say::json("config path", Code::Done, json!({ "files": rows }));
        return Ok(Code::Done);
    }
    for file in files {
        let state = if file.exists { "exists" } else { "does not exist" };
        say::out(&format!("{}: {} ({state})", owner(file.owner), file.path.display()));
    }
    Ok(Code::Done)
}

fn owner(owner: Owner) -> &'static str {
    match owner {
        Owner::User => "user",
        Owner::Project => "project",
    }
}

fn check(args: &Check, as_json: bool) -> Result<Code, Failure> {
    let flags =
        Flags::from(CallFlags { trust_project: args.trust_project, ..CallFlags::default() });
    let config = Config::load(&Surroundings::of_process(&args.place.workspace), &flags)?;
    let complaints = refusals(&config, &args.place.workspace)?;
    if !complaints.is_empty() {
        return Err(ConfigError { complaints }.into());
    }
    if as_json {
        say::json("config check", Code::Done, json!({ "remarks": config.remarks }));
        return Ok(Code::Done);
    }
    let read = config.files.iter().filter(|file| file.exists).count();
    let files = if read == 1 { "file" } else { "files" };
    say::out(&format!("The configuration is good: {read} {files} read."));
    config.remarks.iter().for_each(|remark| say::err(&format!("warning: {remark}")));
    Ok(Code::Done)
}
