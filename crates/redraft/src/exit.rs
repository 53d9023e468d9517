//! How a command ends: one table of exit codes, and failures with what, where, why and what to do next.
//!
//! Invariant: every error of the crates below gets its code and hint here and nowhere else.
//! Absent here: printing.

use crate::config::ConfigError;
#[cfg(unix)]
use redraft_agents::worktree::TreeError;
use redraft_engine::{DriveError, JournalError};
use redraft_store::{FileError, HomeError, LockError, PathError, StoreError};
use std::{error::Error, path::Path, process::ExitCode};

/// The exit codes, one table for all commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Code {
    Done = 0,
    Failure = 1,
    Usage = 2,
    Waiting = 3,
    Ended = 4,
    Budget = 5,
    Damaged = 6,
    Busy = 7,
    Interrupted = 130,
}

/// The table as `--help` shows it.
pub(crate) const TABLE: &str = "\
Exit codes:
    0  done, or converged
    1  failure
    2  usage, or invalid input
    3  waits for a person
    4  ended without convergence
    5  a budget is used up
    6  damaged or changed state
    7  busy: another driver is at work
  130  interrupted; the same command goes on";

impl Code {
    /// Of several assets, the first of 6, 7, 130, 1, 5, 4, 3, 0 that any of them has (design §8).
    pub(crate) fn worst(codes: impl IntoIterator<Item = Self>) -> Self {
        let order = [
            Self::Usage,
            Self::Damaged,
            Self::Busy,
            Self::Interrupted,
            Self::Failure,
            Self::Budget,
            Self::Ended,
            Self::Waiting,
        ];
        let codes: Vec<Self> = codes.into_iter().collect();
        order.into_iter().find(|code| codes.contains(code)).unwrap_or(Self::Done)
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

/// Why a command could not do what it was asked.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: String,
    /// What led to it, outermost first.
    pub(crate) causes: Vec<String>,
    /// What to do next.
    pub(crate) help: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), causes: Vec::new(), help: None }
    }

    /// What the user gave cannot be used.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Code::Usage, message)
    }

    pub(crate) fn of(code: Code, error: &dyn Error) -> Self {
        let message = error.to_string();
        let mut causes: Vec<String> = Vec::new();
        let mut source = error.source();
        while let Some(error) = source {
            let text = error.to_string();
            // Some errors already tell their cause in their own message.
            if !message.contains(&text) {
                causes.push(text);
            }
            source = error.source();
        }
        Self { causes, ..Self::new(code, message) }
    }

    /// Names the file that an error of a document stands in.
    pub(crate) fn in_file(code: Code, path: &Path, error: &dyn Error) -> Self {
        let failure = Self::of(code, error);
        Self { message: format!("{}: {}", path.display(), failure.message), ..failure }
    }

    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

#[cfg(unix)]
impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        let usage = |help| Self::of(Code::Usage, &error).help(help);
        match error {
            TreeError::NoFolder { .. } | TreeError::NoRepository { .. } => {
                usage("name a git repository with --repo; git init makes one")
            }
            TreeError::Bare { .. } => usage("name a repository that has files with --repo"),
            TreeError::NoCommit { .. } => {
                usage("commit what is there first: the pair works on a commit")
            }
            TreeError::NoSuchCommit { .. } => usage(
                "the run cannot go on without the commit it began at; redraft pair --again opens a new one",
            ),
            TreeError::BranchName { .. }
            | TreeError::BranchTaken { .. }
            | TreeError::NoIdentity { .. } => Self::of(Code::Usage, &error),
            TreeError::Git(_)
            | TreeError::Foreign { .. }
            | TreeError::Recorded { .. }
            | TreeError::File { .. } => Self::of(Code::Failure, &error),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        if error.is_damage() {
            let help = "redraft verify names the first bad fact; restore .redraft from a backup";
            return Self::of(Code::Damaged, &error).help(help);
        }
        let busy = matches!(error, StoreError::Busy { .. } | StoreError::Stale { .. });
        Self::of(if busy { Code::Busy } else { Code::Failure }, &error)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        let code = match &error {
            // Links and folders in the way are the user's, like any other path they give.
            FileError::Path(_) => Code::Usage,
            FileError::NotAFile { .. }
            | FileError::TooLarge { .. }
            | FileError::Clash { .. }
            | FileError::Unsynced { .. }
            | FileError::Io { .. } => Code::Failure,
        };
        Self::of(code, &error)
    }
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        Self::of(Code::Usage, &error)
    }
}

impl From<HomeError> for Failure {
    fn from(error: HomeError) -> Self {
        Self::of(Code::Usage, &error)
    }
}

impl From<LockError> for Failure {
    fn from(error: LockError) -> Self {
        match &error {
            LockError::Busy { .. } => {
                Self::of(Code::Busy, &error).help("try again later, or add --wait")
            }
            LockError::Io { .. } => Self::of(Code::Failure, &error),
        }
    }
}

impl From<DriveError> for Failure {
    fn from(error: DriveError) -> Self {
        let code = match &error {
            DriveError::Journal(JournalError::Stale { .. } | JournalError::Moved { .. }) => {
                Code::Busy
            }
            DriveError::Journal(JournalError::Damaged { .. }) | DriveError::Replay(_) => {
                Code::Damaged
            }
            DriveError::Journal(JournalError::Storage(_))
            | DriveError::Files(_)
            | DriveError::Refused(_)
            | DriveError::NotCast(_) => Code::Failure,
        };
        let failure = Self::of(code, &error);
        if code == Code::Busy {
            return failure.help("another process drives this run; nothing was lost");
        }
        if code == Code::Damaged {
            return failure.help("redraft verify names the first bad fact");
        }
        failure
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self { help: error.help(), ..Self::of(Code::Usage, &error) }
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn of_several_assets_the_worst_code_counts() {
        use Code::{Budget, Busy, Damaged, Done, Ended, Failure, Interrupted, Waiting};
        let order = [Damaged, Busy, Interrupted, Failure, Budget, Ended, Waiting, Done];
        for n in 0..order.len() {
            let mut codes = order[n..].to_vec();
            codes.reverse();
            assert_eq!(Code::worst(codes), order[n]);
        }
        assert_eq!(Code::worst([]), Done);
    }
}
