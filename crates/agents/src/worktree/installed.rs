//! Which git is installed, and whether it is new enough to work with.
//!
//! Absent here: working with it.

use super::git::{Git, GitError};
use std::path::Path;

/// The oldest git that we work with, as major and minor version: its `worktree add` takes a reason for the lock
/// (release notes of 2.34).
pub const OLDEST_GIT: (u32, u32) = (2, 34);

/// The git that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// What it calls itself, such as `2.47.3`.
    pub version: String,
    /// Major and minor version; `None` where its name for itself tells none.
    pub number: Option<(u32, u32)>,
}

impl Installed {
    /// Asks it.
    ///
    /// # Errors
    /// When there is none, or it cannot be run.
    pub async fn find() -> Result<Self, GitError> {
        let said = Git::in_folder(Path::new("."), "version").fine(b"").await?;
        Ok(Self::named(&said.line()))
    }

    fn named(line: &str) -> Self {
        let version = line.strip_prefix("git version ").unwrap_or(line).to_owned();
        let mut parts = version.split('.').map(|part| part.parse().ok());
        let number = parts.next().flatten().zip(parts.next().flatten());
        Self { version, number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_whoever_built_it() {
        for (line, number) in [
            ("git version 2.47.3", Some((2, 47))),
            ("git version 2.39.5 (Apple Git-154)", Some((2, 39))),
            ("git version 2.45.1.windows.1", Some((2, 45))),
            ("something else", None),
        ] {
            assert_eq!(Installed::named(line).number, number, "{line}");
        }
    }
}
