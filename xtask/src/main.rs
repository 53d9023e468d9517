//! The project's chores as one program: `cargo xtask tidy|test|check|verify|episodes|ajv`.
//!
//! Who calls it: a developer, the justfile and `.ci/run`; all three run the same code. Absent here:
//! anything the product needs at run time. No crate depends on this one, and it depends on none.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the terminal")]

mod ajv;
mod episodes;
mod house;
mod http_clients;
mod litellm;
mod shell;
mod suite;
mod tidy;
mod venv;
mod verify;

use anyhow::{Result, bail};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  tidy                      check the house rules: floors, sizes, docs, names, no_std
  test [--deep]             run all tests and tidy; --deep adds sweeps of more than two minutes
  check                     fmt, clippy, tidy, deny, typos
  verify                    what CI runs: check and test
  episodes DIR [--release]  run every transcript in DIR and print a table of outcomes
  ajv                       install Ajv below the target folder and print its folder last";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match chore(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn chore(words: &[&str]) -> Result<()> {
    match words {
        ["tidy"] => tidy::run(),
        ["test"] => suite::run(suite::Depth::Usual),
        ["test", "--deep"] => suite::run(suite::Depth::Deep),
        ["check"] => verify::check(),
        ["verify"] => verify::run(),
        ["episodes", dir] => episodes::run(dir, episodes::Build::Dev),
        ["episodes", dir, "--release"] | ["episodes", "--release", dir] => {
            episodes::run(dir, episodes::Build::Release)
        }
        ["ajv"] => {
            println!("{}", ajv::installed()?.display());
            Ok(())
        }
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        other => bail!("no such chore: {}\n{USAGE}", other.join(" ")),
    }
}
