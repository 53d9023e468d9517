//! Pairs by the built binary: architect and builder on real repositories.

mod by_hand;
mod by_models;
mod cast;
mod counting;
mod dry_run;
mod editing;
mod ends;
mod events;
mod ground;
mod hostile;
mod killed;
mod mock;
mod places;
mod progress;
mod projects;
mod repositories;
mod scripted;
mod shown;
mod slips;

use crate::sandbox::{Ended, REDRAFT, Sandbox, ended};
use std::process::Command;

/// A folder with a home.
fn desk() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    sandbox
}

/// `redraft pair` with these words.
fn pair(sandbox: &Sandbox, words: &[&str]) -> Command {
    let mut command = sandbox.command(REDRAFT, "pair");
    command.args(words);
    command
}

fn paired(sandbox: &Sandbox, words: &[&str]) -> Ended {
    ended(&pair(sandbox, words).output().unwrap())
}

fn last_line(ended: &Ended) -> &str {
    ended.out.lines().last().unwrap_or_default()
}
