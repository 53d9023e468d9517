//! Keeps what has happened: the journal of a home, locks between drivers, and a workspace's files.
//!
//! The one invariant: **what was answered as kept stays kept, and is never silently different.**
//! Facts are durable before an append answers, every edit of them is found, and a file is written
//! whole or not at all.
//!
//! Absent here: what workflows mean, agents, the network, printing, exit codes.

mod db;
mod files;
mod home;
mod lock;
mod paths;
mod run_journal;
mod sqlite;
mod temporary;
mod verify;

pub use db::append::{
    Append, AppendOutcome, Claims, OverCap, Registration, Reservation, StreamId, StreamWrite,
};
pub use db::error::StoreError;
pub use db::read::{BudgetUse, Entry, Filter, StreamRow};
pub use db::store::Store;
pub use files::{FileError, WorkspaceFiles};
pub use home::{HOME, Home, HomeError};
pub use lock::{LockError, LockGuard, Wait};
pub use paths::PathError;
pub use run_journal::{
    CALLS, FactError, HOME_SCOPE, MICRODOLLARS, RunJournal, SERVER_SCOPE, TOKENS, decode_fact,
    encode_fact,
};
pub use sqlite::{OLDEST_SQLITE, SqliteBuild, sqlite_build};
pub use verify::{Finding, VerifyReport, verify};
