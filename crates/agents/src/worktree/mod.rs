//! Agents that work in a git worktree: a builder whose change is taken or refused, and the checks that judge it.
//!
//! Git is run by its command line. A change of a model is made in an index that stands for no files, looked at, and
//! only then written; a program edits the files itself, and what it made of them is looked at afterwards.
//!
//! Invariant: the user's files, index, `HEAD`, stash and branches are never written. What is reported as applied is
//! git's own diff against the commit that the run began at.
//! Absent here: the journal, turns and verdicts; applying a change to the user's files; and confinement: a program of
//! the user's has the user's rights, and what it does elsewhere is its own.

mod admin;
mod builder;
mod changes;
mod checks;
mod fault;
mod git;
mod headers;
mod hunks;
mod links;
mod patch;
mod protected;
mod repository;
mod root;
mod shared;
mod state;
mod tree;
mod visible;

pub use builder::{InWorktree, Work};
pub use checks::Checks;
pub use fault::TreeError;
pub use git::GitError;
pub use protected::{PatternError, Protected};
pub use repository::{Budget, told};
pub use root::Root;
pub use state::LONGEST;
pub use tree::{Worktree, leftovers, remove_leftovers};
