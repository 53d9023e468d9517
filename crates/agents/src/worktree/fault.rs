//! Why there is no worktree to work in: each error says what, where, and what to do.
//!
//! Absent here: changes that are refused; they are an outcome and no error.

use super::git::GitError;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a worktree cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// Git failed.
    #[error(transparent)]
    Git(GitError),
    /// There is no such folder.
    #[error("there is no folder {}", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder belongs to no repository that git would open.
    #[error("{} is no repository that git can work on; `git init` makes one: {words}", path.display())]
    NoRepository {
        /// The folder.
        path: PathBuf,
        /// Git's own words.
        words: String,
    },
    /// The repository has no files of its own.
    #[error("{} is a bare repository; name a clone of it that has files", path.display())]
    Bare {
        /// The folder.
        path: PathBuf,
    },
    /// The repository has no commit yet.
    #[error("{} has no commit yet; a change is made against one, so commit something first", path.display())]
    NoCommit {
        /// The repository.
        path: PathBuf,
    },
    /// There is no commit of that name.
    #[error("{} has no commit {commit}", path.display())]
    NoSuchCommit {
        /// The repository.
        path: PathBuf,
        /// The name.
        commit: String,
    },
    /// Something else stands where the worktree is to be.
    #[error("{} is no worktree of ours for {}; move it away, or choose another place", place.display(), repository.display())]
    Foreign {
        /// The place.
        place: PathBuf,
        /// The repository.
        repository: PathBuf,
    },
    /// A recorded change no longer applies to its commit.
    #[error("the recorded change does not apply to {commit} in {}: {words}", place.display())]
    Recorded {
        /// The worktree.
        place: PathBuf,
        /// The commit.
        commit: String,
        /// Git's own words.
        words: String,
    },
    /// Git takes the name of a branch for none.
    #[error("{name:?} is no name for a branch; `git check-ref-format --branch` says which are")]
    BranchName {
        /// The name.
        name: String,
    },
    /// A branch stands in the way of a new one.
    #[error("{} has a branch {by} already, so no branch {name} can be made; choose another name", path.display())]
    BranchTaken {
        /// The repository.
        path: PathBuf,
        /// The name of the new one.
        name: String,
        /// The branch that is there.
        by: String,
    },
    /// Git does not know in whose name a commit is made.
    #[error("git does not know who makes a commit in {}; set it by `git config user.name` and `git config user.email`", path.display())]
    NoIdentity {
        /// The repository.
        path: PathBuf,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
}

impl TreeError {
    /// For `map_err`: this was tried with this path.
    pub(super) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { what, path, source }
    }
}
