//! One append inside a transaction: what is checked, and which rows it writes.
//!
//! Invariant: checks come from rows read in the same transaction; a refusal is undone by the
//! caller's savepoint, so it leaves no trace.
//! Absent here: beginning and ending transactions, and threads.

use super::append::{Append, AppendOutcome, Claims, StreamWrite};
use super::budget::{Budgets, clamp};
use super::chain::{self, Hash32, Link, ROW_VERSION};
use super::error::{Fault, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, Statement, params};
use std::collections::BTreeMap;

/// The end of a stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    key: i64,
    seq: u64,
    epoch: u32,
    hash: Hash32,
}

/// The ends of the streams that a transaction has written to, by their keys.
pub(super) type Touched = BTreeMap<i64, End>;

/// The prepared statements of the writer's connection.
pub(super) struct Rows<'c> {
    pub(super) budgets: Budgets<'c>,
    pub(super) begin: Statement<'c>,
    pub(super) commit: Statement<'c>,
    pub(super) save: Statement<'c>,
    pub(super) release: Statement<'c>,
    end: Statement<'c>,
    add_stream: Statement<'c>,
    add_fact: Statement<'c>,
    set_head: Statement<'c>,
    last_commit: Statement<'c>,
    add_commit: Statement<'c>,
    add_content: Statement<'c>,
}

impl<'c> Rows<'c> {
    pub(super) fn prepare(db: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            budgets: Budgets::prepare(db)?,
            begin: db.prepare("BEGIN IMMEDIATE")?,
            commit: db.prepare("COMMIT")?,
            save: db.prepare("SAVEPOINT one")?,
            release: db.prepare("RELEASE one")?,
            end: db.prepare(
                "SELECT s.key, h.seq, h.epoch, h.hash
                 FROM streams s LEFT JOIN heads h ON h.stream = s.key WHERE s.id = ?1",
            )?,
            add_stream: db.prepare(
                "INSERT INTO streams(id, kind, workspace, subject, workflow, opened_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING key",
            )?,
            add_fact: db.prepare(
                "INSERT INTO facts(stream, seq, epoch, version, body, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?,
            set_head: db.prepare(
                "INSERT INTO heads(stream, seq, epoch, hash) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT(stream) DO UPDATE SET
                 seq = excluded.seq, epoch = excluded.epoch, hash = excluded.hash",
            )?,
            last_commit: db.prepare("SELECT n, chain FROM commits ORDER BY n DESC LIMIT 1")?,
            add_commit: db.prepare(
                "INSERT INTO commits(n, stream, seq, head, chain) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?,
            add_content: db.prepare(
                "INSERT INTO contents(sha256, bytes) SELECT ?1, ?2
                 WHERE NOT EXISTS (SELECT 1 FROM contents WHERE sha256 = ?1)",
            )?,
        })
    }

    /// Does one append; gives the ends of the streams it has written to.
    pub(super) fn append(&mut self, append: Append) -> Result<(AppendOutcome, Touched), Fault> {
        let Append { mut writes, claims, refund, overdraft, contents } = append;
        for bytes in &contents {
            self.add_content.execute(params![chain::content(bytes), bytes])?;
        }
        self.budgets.refund(&refund)?;
        self.budgets.overdraw(&overdraft)?;
        let outcome = match claims {
            None => AppendOutcome::All,
            Some(claims) => {
                let first = writes.first_mut().ok_or(StoreError::ClaimsWithoutWrite)?;
                self.claim(claims, first)?
            }
        };
        let mut touched = Touched::new();
        for write in writes {
            let end = self.write(&write)?;
            if !write.bodies.is_empty() {
                touched.insert(end.key, end);
            }
        }
        Ok((outcome, touched))
    }

    fn claim(&mut self, claims: Claims, into: &mut StreamWrite) -> Result<AppendOutcome, Fault> {
        match self.budgets.reserve(&claims.reserve)? {
            None => {
                into.bodies.extend(claims.bodies);
                Ok(AppendOutcome::All)
            }
            Some(text) => {
                into.bodies.push((claims.over)(&text));
                Ok(AppendOutcome::OverCap(text))
            }
        }
    }

    fn write(&mut self, write: &StreamWrite) -> Result<End, Fault> {
        let name = write.stream.as_str();
        let mut end = match self.find(name)? {
            Some(end) => end,
            None => self.register(write)?,
        };
        if write.epoch < end.epoch {
            let (stream, ours, newest) = (name.to_owned(), write.epoch, end.epoch);
            return Err(StoreError::Stale { stream, ours, newest }.into());
        }
        if let Some(expected) = write.after.filter(|after| *after != end.seq) {
            let (stream, found) = (name.to_owned(), end.seq);
            return Err(StoreError::Moved { stream, expected, found }.into());
        }
        if write.bodies.is_empty() {
            return Ok(end);
        }
        for body in &write.bodies {
            let (seq, epoch) = (end.seq + 1, write.epoch);
            let link = Link { stream: name, seq, epoch, version: ROW_VERSION, body };
            let hash = chain::fact(&end.hash, link);
            let row = params![end.key, clamp(seq), epoch, ROW_VERSION, body, hash];
            self.add_fact.execute(row).map_err(|error| in_the_way(error, name, seq))?;
            end = End { seq, epoch, hash, ..end };
        }
        self.set_head.execute(params![end.key, clamp(end.seq), end.epoch, end.hash])?;
        Ok(end)
    }

    /// The end of a stream; a stream without a head has lost it.
    fn find(&mut self, name: &str) -> Result<Option<End>, Fault> {
        let found = self.end.query_row([name], |row| Ok((row.get::<_, Option<i64>>(1)?, end(row))));
        match found.optional()? {
            None => Ok(None),
            Some((Some(_), end)) => Ok(Some(end?)),
            Some((None, _)) => {
                let what = "the stream's head is missing".to_owned();
                Err(StoreError::Damaged { stream: name.to_owned(), seq: 1, what }.into())
            }
        }
    }

    fn register(&mut self, write: &StreamWrite) -> Result<End, Fault> {
        let stream = || write.stream.as_str().to_owned();
        let of =
            write.register.as_ref().ok_or_else(|| StoreError::Unregistered { stream: stream() })?;
        let mut end =
            End { key: 0, seq: 0, epoch: 0, hash: chain::genesis(write.stream.as_str(), of) };
        if !write.bodies.is_empty() {
            let row = params![
                write.stream.as_str(),
                of.kind,
                of.workspace,
                of.subject,
                of.workflow,
                of.at
            ];
            end.key = self.add_stream.query_row(row, |row| row.get(0))?;
        }
        Ok(end)
    }

    /// Adds a row of the home's chain for each stream that the transaction has written to.
    pub(super) fn chain(&mut self, touched: &Touched) -> Result<(), Fault> {
        let last = self.last_commit.query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)));
        let (n, mut before): (i64, Hash32) = last.optional()?.unwrap_or((0, [0; 32]));
        let mut n = u64::try_from(n).unwrap_or(0);
        for end in touched.values() {
            n += 1;
            before = chain::commit(&before, n, end.key, end.seq, &end.hash);
            self.add_commit.execute(params![
                clamp(n),
                end.key,
                clamp(end.seq),
                end.hash,
                before
            ])?;
        }
        Ok(())
    }
}

fn end(row: &Row<'_>) -> rusqlite::Result<End> {
    let out_of_range = |at, value| rusqlite::Error::IntegralValueOutOfRange(at, value);
    let seq: i64 = row.get(1)?;
    let seq = u64::try_from(seq).map_err(|_| out_of_range(1, seq))?;
    Ok(End { key: row.get(0)?, seq, epoch: row.get(2)?, hash: row.get(3)? })
}

/// A fact that stands where the head says that none is.
fn in_the_way(error: rusqlite::Error, stream: &str, seq: u64) -> Fault {
    if error.sqlite_error_code() != Some(rusqlite::ErrorCode::ConstraintViolation) {
        return error.into();
    }
    let what = format!("the head does not know of it: {error}");
    StoreError::Damaged { stream: stream.to_owned(), seq, what }.into()
}
