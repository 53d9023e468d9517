//! Agents that work in a git worktree: a builder whose change is taken or refused, and the checks that judge it.
//!
//! Git is run by its command line. A change of a model is made in an index that stands for no files, looked at, and
//! only then written; a program edits the files itself, and what it made of them is looked at afterwards.
//!
//! A finished change is handed over when the user asks for it: [`apply`] puts it into his files, and [`branch`] makes it
//! a commit on a new branch.
//!
//! Invariant: the user's index, `HEAD` and stash are never written, and no branch of his is moved. His files are written
//! by [`apply`] alone, a branch is made by [`branch`] alone. What is reported as applied is git's own diff against the
//! commit that the run began at.
//! Absent here: the journal, turns and verdicts; whether a change is to be handed over; and confinement: a program of
//! the user's has the user's rights, and what it does elsewhere is its own.

mod admin;
mod branch;
mod builder;
mod changes;
mod checks;
mod fault;
mod git;
mod hand_over;
mod headers;
mod hunks;
mod installed;
mod kept;
mod links;
mod patch;
mod protected;
mod repository;
mod root;
mod scratch;
mod settings;
mod shared;
mod state;
mod tree;
mod visible;

pub use branch::{Branched, branch, check_branch};
pub use builder::{InWorktree, Work};
pub use checks::{Checks, LONGEST_TAIL};
pub use fault::TreeError;
pub use git::GitError;
pub use hand_over::{Applied, apply};
pub use installed::{Installed, OLDEST_GIT};
pub use protected::{PatternError, Protected};
pub use repository::{Budget, told};
pub use root::Root;
pub use state::LONGEST;
pub use tree::{Worktree, leftovers, remove_leftovers};
