//! Pairs by the built binary: architect and builder on real repositories.

mod by_hand;
mod by_models;
mod cast;
mod editing;
mod ends;
mod mock;
mod places;
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

/// Runs git in the repository of a desk, and gives what it printed.
fn git(sandbox: &Sandbox, words: &[&str]) -> String {
    let mut command = sandbox.command("git", "-c user.name=Ada -c user.email=ada@example.org");
    let output = command.current_dir(sandbox.join("repository")).args(words).output().unwrap();
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A folder with a home, and below it a repository whose one file `x` says 1.
fn desk_with_repository() -> Sandbox {
    let sandbox = desk();
    sandbox.write("repository/x", "1\n");
    git(&sandbox, &["init", "--quiet"]);
    git(&sandbox, &["add", "x"]);
    git(&sandbox, &["commit", "--quiet", "-m", "one"]);
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
