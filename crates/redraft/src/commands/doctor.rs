//! `redraft doctor`: what works here, what does not, why, and what to do about it.
//!
//! Invariant: it changes nothing that stays; one small file is written, synced and removed.
//! Absent here: repairing.

mod agents;
mod check;
mod clock;
mod disk;
#[cfg(unix)]
mod git;
mod home;
mod library;
mod terminal;

use crate::{
    commands::{block_on, refusals::refusals},
    config::{CallFlags, Config, Flags, Surroundings},
    exit::{Code, Failure},
    say,
};
use check::{Check, State};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Check what works here: configuration, agents, keys, journal, disk, clock and terminal
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The workspace, or a folder in or below the project
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
    /// Trust the project's file for this command: it may name programs, servers and keys
    #[arg(long)]
    trust_project: bool,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let steadiness = clock::Steadiness::begin();
    let flags =
        Flags::from(CallFlags { trust_project: args.trust_project, ..CallFlags::default() });
    let config = Config::load(&Surroundings::of_process(&args.workspace), &flags);
    let mut checks = settings(&config);
    if let Ok(config) = &config {
        checks.extend(refused(config, &args.workspace));
        checks.extend(block_on(async { Ok(agents::checks(config).await) })?);
    }
    checks.push(library::check());
    #[cfg(unix)]
    checks.push(block_on(async { Ok(git::check().await) })?);
    checks.extend(of_machine(&args.workspace));
    checks.push(steadiness.check());
    let failed = checks.iter().any(|check| check.state == State::Error);
    let code = match (&config, failed) {
        (Err(_), _) => Code::Usage,
        (Ok(_), true) => Code::Failure,
        (Ok(_), false) => Code::Done,
    };
    print(&checks, code, as_json);
    Ok(code)
}

/// The home, its disk, the clock beside it, and the terminal.
fn of_machine(workspace: &Path) -> Vec<Check> {
    let (mut checks, found) = home::checks(workspace);
    if let Some(folder) = found.folder {
        checks.push(disk::space(&folder));
        checks.extend(disk::sync(&folder));
    }
    checks.push(clock::system(found.newest));
    checks.push(clock::prices());
    checks.extend(terminal::checks());
    checks
}

fn settings(config: &Result<Config, crate::config::ConfigError>) -> Vec<Check> {
    let config = match config {
        Ok(config) => config,
        Err(error) => {
            let fix = error.help().unwrap_or_else(|| "correct what is named".to_owned());
            return vec![Check::error("config", error.to_string(), fix)];
        }
    };
    let files = config.files.iter().filter(|file| file.exists);
    let names: Vec<String> = files.map(|file| file.path.display().to_string()).collect();
    let found = match names.is_empty() {
        true => "no file; what is built in holds".to_owned(),
        false => names.join(" and "),
    };
    let remark = |remark: &String| {
        Check::warning("config", remark.clone(), "unset the variable, or correct its name")
    };
    let mut checks = vec![Check::ok("config", found)];
    checks.extend(config.remarks.iter().map(remark));
    checks
}

/// What every review would refuse.
fn refused(config: &Config, workspace: &Path) -> Vec<Check> {
    let correct = || "correct what is named".to_owned();
    let check = |found: String, fix: Option<String>| {
        Check::error("config", found, fix.unwrap_or_else(correct))
    };
    match refusals(config, workspace) {
        Ok(complaints) => complaints.into_iter().map(|c| check(c.to_string(), c.help)).collect(),
        Err(failure) => vec![check(failure.message, failure.help)],
    }
}

fn print(checks: &[Check], code: Code, as_json: bool) {
    let count = |state| checks.iter().filter(|check| check.state == state).count();
    let (errors, warnings) = (count(State::Error), count(State::Warning));
    if as_json {
        let rows: Vec<Value> = checks.iter().map(Check::json).collect();
        let fields = json!({ "checks": rows, "errors": errors, "warnings": warnings });
        return say::json("doctor", code, fields);
    }
    for check in checks {
        say::out(&format!("{:<8} {}: {}", check.state.name(), check.name, check.found));
        check.fix.iter().for_each(|fix| say::out(&format!("         fix: {fix}")));
    }
    say::out(&match (errors, warnings) {
        (0, 0) => "All is well.".to_owned(),
        (errors, warnings) => format!("Errors: {errors}. Warnings: {warnings}."),
    });
}
