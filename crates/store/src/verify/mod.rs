//! Verifying checks everything in a journal and tells all that is wrong, the first bad fact first.
//!
//! Invariant: nothing is changed, not even the log is checkpointed, and unreadable pages do not
//! end the search. Found: any edit, swap or loss of facts, heads, commits and registrations; an edit of
//! budgets and captured bytes; damage to pages that SQLite can tell. Not found: a flip in bytes that hold
//! nothing; a budget or captured bytes that are gone as a whole row (whoever needs them says so); a journal put back whole to an earlier state, or emptied of its newest commits with all
//! that belongs to them, since only something outside of it could tell.
//! Absent here: mending.

mod commits;
mod pages;
mod streams;
mod tables;

use crate::db::connection;
use crate::db::error::{Fault, StoreError, chain_of};
use crate::home::Home;
use rusqlite::Connection;
use std::fmt;

/// What was checked and what is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// How many streams were walked.
    pub streams: u64,
    /// How many facts were read and fit the chain.
    pub facts: u64,
    /// How many rows of the home's chain were read.
    pub commits: u64,
    /// What is wrong: bad facts first, by stream and number; damaged pages last.
    pub findings: Vec<Finding>,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The stream that is hit, where one is.
    pub stream: Option<String>,
    /// What the stream is about, as far as it can be read.
    pub subject: Option<String>,
    /// The number of the bad fact, where it is a fact.
    pub seq: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(stream) = &self.stream {
            write!(f, "{stream}")?;
            if let Some(subject) = &self.subject {
                write!(f, " ({subject})")?;
            }
            f.write_str(": ")?;
        }
        if let Some(seq) = self.seq {
            write!(f, "fact {seq}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl Finding {
    /// Something that belongs to no stream.
    fn of_home(what: impl Into<String>) -> Self {
        Self { stream: None, subject: None, seq: None, what: what.into() }
    }

    /// Bad facts first, then streams, then the rest.
    fn rank(&self) -> u8 {
        match (&self.seq, &self.stream) {
            (Some(_), _) => 0,
            (None, Some(_)) => 1,
            (None, None) => 2,
        }
    }
}

/// Checks the journal of a home.
///
/// # Errors
/// When there is no journal, a newer program wrote it, or it cannot be reached. Damage is no error
/// but a finding.
pub fn verify(home: &Home) -> Result<VerifyReport, StoreError> {
    let path = connection::path_in(home);
    let mut report = VerifyReport::default();
    let opened = connection::open_existing(home);
    let db = match opened {
        Ok(Some(db)) => db,
        Ok(None) => return Err(StoreError::Missing { path }),
        Err(error) if error.is_damage() => {
            report.findings.push(Finding::of_home(format!("page 1: {}", chain_of(&error))));
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    match all(&db, &mut report) {
        Ok(()) => {}
        Err(error) if is_damage(&error) => report.findings.push(unreadable("the journal", &error)),
        Err(error) => return Err(Fault::from(error).at(&path, "verify the journal")),
    }
    pages::header(&path, &mut report)?;
    report.findings.sort_by_key(Finding::rank);
    Ok(report)
}

/// All checks over one snapshot, so that other processes may go on writing.
fn all(db: &Connection, report: &mut VerifyReport) -> rusqlite::Result<()> {
    let snapshot = db.unchecked_transaction()?;
    let ends = streams::check(&snapshot, report)?;
    commits::check(&snapshot, &ends, report)?;
    tables::budgets(&snapshot, report)?;
    tables::contents(&snapshot, report)?;
    pages::schema(&snapshot, report)?;
    pages::integrity(&snapshot, report)
}

/// Tells damage, which is a finding, from a failure that makes verifying pointless.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode;
    match error.sqlite_error_code() {
        // A damaged schema makes tables vanish, which SQLite calls an unknown error.
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => true,
        Some(_) => false,
        None => true,
    }
}

fn unreadable(what: &str, error: &rusqlite::Error) -> Finding {
    Finding::of_home(format!("{what} cannot be read: {error}"))
}

/// Runs one check; damage in its middle becomes a finding about `what`.
fn guarded(
    report: &mut VerifyReport,
    what: &str,
    check: impl FnOnce(&mut VerifyReport) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    match check(report) {
        Err(error) if is_damage(&error) => {
            report.findings.push(unreadable(what, &error));
            Ok(())
        }
        other => other,
    }
}
