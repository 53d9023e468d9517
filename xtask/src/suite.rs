//! The test command: sets up what the tests need, runs them all, and says what it ran.
//!
//! Passes in an empty clone: nextest, strace, the shared data and, for a deep run, LiteLLM and HTTP
//! clients are used where they are or can be got, and their absence is said, never hidden.

use crate::{ajv, house, http_clients, litellm, shell, tidy};
use anyhow::Result;
use std::{path::PathBuf, process::Command};

/// How far the sweeps go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// All tests that together take about two minutes.
    Usual,
    /// Also the sweeps that take longer.
    Deep,
}

/// `cargo xtask test`: tidy and every test.
pub(crate) fn run(depth: Depth) -> Result<()> {
    tidy::run()?;
    tests(depth)
}

/// Every test, without tidy.
pub(crate) fn tests(depth: Depth) -> Result<()> {
    let SetUp { found, mut notes } = set_up(depth);
    let nextest = shell::works("cargo nextest --version");
    if !nextest {
        notes.push("cargo-nextest is not installed: ran with `cargo test` instead".to_owned());
    }
    for line in lines(depth, nextest) {
        shell::run(prepared(&mut shell::command(line), depth).envs(found.clone()))?;
    }
    println!("\nran: {}", lines(depth, nextest).join("; "));
    notes.iter().for_each(|note| println!("NOTE: {note}"));
    Ok(())
}

/// What is typed: nextest runs no doc tests, so they follow on their own line.
fn lines(depth: Depth, nextest: bool) -> &'static [&'static str] {
    match (nextest, depth) {
        (false, _) => &["cargo test --workspace"],
        (true, Depth::Usual) => {
            &["cargo nextest run --workspace", "cargo test --workspace --doc --quiet"]
        }
        (true, Depth::Deep) => &[
            "cargo nextest run --workspace --profile deep",
            "cargo test --workspace --doc --quiet",
        ],
    }
}

/// Adds the environment that tests read; an unset name means: skip what needs it.
fn prepared(command: &mut Command, depth: Depth) -> &mut Command {
    command.envs(house::shared_data());
    if depth == Depth::Deep {
        command.env("REDRAFT_DEEP", "1");
    }
    command
}

/// What the tests need beside cargo.
struct SetUp {
    /// Where things were found, by the variable that tells the tests.
    found: Vec<(&'static str, PathBuf)>,
    /// A note for each thing the tests will have to do without.
    notes: Vec<String>,
}

/// Gets what can be got.
fn set_up(depth: Depth) -> SetUp {
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    if house::shared_data().is_empty() {
        notes.push("no ../shared/data: tests over real transcripts have nothing to run on".into());
    }
    if let Err(why) = strace() {
        notes.push(format!("STRACE SWEEPS ARE SKIPPED: {why}"));
    }
    if depth == Depth::Deep {
        for (what, variable, installed) in [
            ("LITELLM", litellm::VARIABLE, litellm::installed()),
            ("AJV", ajv::VARIABLE, ajv::installed()),
            ("HTTP CLIENTS", http_clients::VARIABLE, http_clients::installed()),
        ] {
            match installed {
                Ok(place) => found.push((variable, place)),
                Err(why) => notes.push(format!("TESTS AGAINST {what} ARE SKIPPED: {why:#}")),
            }
        }
    }
    SetUp { found, notes }
}

/// The kill sweep counts and kills at system calls; why it may be absent is said to the caller.
fn strace() -> Result<(), &'static str> {
    const PROBE: &str = "strace -o /dev/null true";
    if shell::works(PROBE) {
        return Ok(());
    }
    if shell::works("strace -V") {
        return Err("strace is installed but may not trace here");
    }
    if !is_root() || !shell::works("apt-get --version") {
        return Err("strace is not installed (Debian: apt-get install strace)");
    }
    shell::run(&mut shell::command("apt-get update -qq"))
        .and_then(|()| shell::run(&mut shell::command("apt-get install -y -qq strace")))
        .map_err(|_| "strace could not be installed")?;
    if shell::works(PROBE) { Ok(()) } else { Err("strace was installed but may not trace here") }
}

fn is_root() -> bool {
    shell::read(&mut shell::command("id -u")).is_ok_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doc_tests_run_with_and_without_nextest() {
        assert_eq!(lines(Depth::Usual, false), ["cargo test --workspace"]);
        assert!(lines(Depth::Usual, true)[1].contains("--doc"));
        assert!(lines(Depth::Deep, true)[0].ends_with("--profile deep"));
    }

    #[test]
    fn only_a_deep_run_tells_the_tests_to_go_deep() {
        let asks = |depth| {
            let mut command = shell::command("cargo test");
            prepared(&mut command, depth).get_envs().any(|(name, _)| name == "REDRAFT_DEEP")
        };
        assert!(asks(Depth::Deep));
        assert!(!asks(Depth::Usual));
    }
}
