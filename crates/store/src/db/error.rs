//! What can go wrong with the journal, each case naming the file, the stream or the fact.
//!
//! Invariant: an error is never turned into an empty answer; damage and absence are told apart.
//! Absent here: hints and exit codes, which the binary chooses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why the journal could not be read or appended to.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// There is no journal where one is needed.
    #[error("{path}: there is no journal")]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// What stands in the journal's place is not a journal.
    #[error("{path}: not a journal: {what}")]
    NotAJournal {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        what: String,
    },
    /// A later version of the program wrote it.
    #[error(
        "{path}: the journal has format {found}, this program knows up to {known}; use a newer one"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format of the file.
        found: i64,
        /// The newest format that this program knows.
        known: i64,
    },
    /// The database cannot be read at this place.
    #[error("{path}: the journal is damaged: cannot {doing}")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What SQLite says.
        source: Arc<rusqlite::Error>,
    },
    /// The facts of a stream contradict each other or its head.
    #[error("{stream}: fact {seq}: {what}")]
    Damaged {
        /// The stream.
        stream: String,
        /// The first bad fact, from 1.
        seq: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A budget's row is not what was written.
    #[error("budget {unit} of {scope}: it is not what was written")]
    DamagedBudget {
        /// Whose budget.
        scope: String,
        /// What it counts.
        unit: String,
    },
    /// A captured input is not what was captured.
    #[error("content {sha256}: its bytes are not what was captured")]
    DamagedContent {
        /// The hash under which it was captured.
        sha256: String,
    },
    /// A later driver has taken the stream over.
    #[error("{stream}: another driver has taken over (epoch {newest}, ours was {ours})")]
    Stale {
        /// The stream.
        stream: String,
        /// The epoch of the append.
        ours: u32,
        /// The epoch of the stream's newest fact.
        newest: u32,
    },
    /// The stream holds other facts than the writer believes.
    #[error("{stream}: it holds {found} facts, not {expected}")]
    Moved {
        /// The stream.
        stream: String,
        /// How many facts the writer believed.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// Nobody has said what this stream is.
    #[error("{stream}: no such stream, and the append does not register it")]
    Unregistered {
        /// The stream.
        stream: String,
    },
    /// Claims need a stream to stand in.
    #[error("an append with claims has no write to put them in")]
    ClaimsWithoutWrite,
    /// Another process kept the journal for itself for too long.
    #[error("{path}: another process has held the journal for {seconds} s")]
    Busy {
        /// The file.
        path: PathBuf,
        /// How long was waited, in seconds.
        seconds: u64,
    },
    /// A commit failed; from then on this store takes nothing more.
    #[error("{path}: the commit failed, nothing more is written: {cause}")]
    Stopped {
        /// The file.
        path: PathBuf,
        /// The failure, with its causes.
        cause: String,
    },
    /// SQLite failed for another reason: a full disk, missing rights.
    #[error("{path}: cannot {doing}")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What SQLite says.
        source: Arc<rusqlite::Error>,
    },
    /// The file system failed.
    #[error("{path}: cannot {doing}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system says.
        source: Arc<std::io::Error>,
    },
}

impl StoreError {
    /// Whether what stands on disk is damaged (the binary's exit code 6), not just out of reach.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::NotAJournal { .. }
            | Self::Corrupt { .. }
            | Self::Damaged { .. }
            | Self::DamagedBudget { .. }
            | Self::DamagedContent { .. } => true,
            Self::Missing { .. }
            | Self::Newer { .. }
            | Self::Stale { .. }
            | Self::Moved { .. }
            | Self::Unregistered { .. }
            | Self::ClaimsWithoutWrite
            | Self::Busy { .. }
            | Self::Stopped { .. }
            | Self::Sqlite { .. }
            | Self::Io { .. } => false,
        }
    }

    pub(crate) fn io(
        path: &Path,
        doing: &'static str,
    ) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::Io { path, doing, source: Arc::new(source) }
    }
}

/// A failure on the inside, before it is known which file it belongs to.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The database failed.
    Sqlite(rusqlite::Error),
    /// The request cannot be served; the database is fine.
    Refused(StoreError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

impl Fault {
    /// Names the file and what was tried.
    pub(crate) fn at(self, path: &Path, doing: &'static str) -> StoreError {
        match self {
            Self::Refused(error) => error,
            Self::Sqlite(error) => of_sqlite(error, path, doing),
        }
    }
}

fn of_sqlite(error: rusqlite::Error, path: &Path, doing: &'static str) -> StoreError {
    use rusqlite::ErrorCode;
    let path = path.to_path_buf();
    let code = error.sqlite_error_code();
    if code == Some(ErrorCode::NotADatabase) {
        return StoreError::NotAJournal { path, what: error.to_string() };
    }
    let busy =
        [ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked, ErrorCode::FileLockingProtocolFailed];
    if code.is_some_and(|code| busy.contains(&code)) {
        return StoreError::Busy { path, seconds: super::connection::PATIENCE.as_secs() };
    }
    let source = Arc::new(error);
    if code == Some(ErrorCode::DatabaseCorrupt) || is_unreadable(&source) {
        return StoreError::Corrupt { path, doing, source };
    }
    StoreError::Sqlite { path, doing, source }
}

/// Whether a value stands in the database that its column can never have had.
fn is_unreadable(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    )
}

/// An error and all its causes in one line.
pub(crate) fn chain_of(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
