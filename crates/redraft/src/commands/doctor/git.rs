//! The git that pairs work with.

use super::check::Check;
use redraft_agents::worktree::{GitError, Installed, OLDEST_GIT};

const FIX: &str = "install a newer git; everything but redraft pair works without";

pub(super) async fn check() -> Check {
    match Installed::find().await {
        Ok(Installed { number: Some(number), version }) if number < OLDEST_GIT => {
            let (major, minor) = OLDEST_GIT;
            let found = format!("version {version}, older than {major}.{minor}");
            Check::warning("git", found, FIX)
        }
        Ok(Installed { version, .. }) => Check::ok("git", format!("version {version}")),
        Err(GitError::Missing) => Check::note(
            "git",
            "not installed, or not in PATH",
            "nothing to do, unless you want to change repositories with redraft pair",
        ),
        Err(error) => Check::warning("git", error.to_string(), FIX),
    }
}
