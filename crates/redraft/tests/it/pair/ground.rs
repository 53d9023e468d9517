//! The smallest repository that a pair can change.

use super::desk;
use crate::sandbox::Sandbox;

/// Runs git in the repository of a desk, and gives what it printed.
pub(super) fn git(sandbox: &Sandbox, words: &[&str]) -> String {
    let mut command = sandbox.command("git", "-c user.name=Ada -c user.email=ada@example.org");
    let output = command.current_dir(sandbox.join("repository")).args(words).output().unwrap();
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A folder with a home, and below it a repository whose one file `x` says 1.
pub(super) fn desk_with_repository() -> Sandbox {
    let sandbox = desk();
    sandbox.write("repository/x", "1\n");
    git(&sandbox, &["init", "--quiet"]);
    git(&sandbox, &["add", "x"]);
    git(&sandbox, &["commit", "--quiet", "-m", "one"]);
    sandbox
}
