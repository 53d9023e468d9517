//! Pairs by the built binary: architect and builder on real repositories.

mod killed;
mod mock;

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
