//! Reading streams, checking every fact against the chain and the stream's head.
//!
//! Invariant: what is given out is whole: each fact follows the one before it, and the last is the
//! one that the head names. A hole, a wrong hash or a missing end is an error.
//! Absent here: reporting all damage at once, which `verify` does.

use super::append::{Registration, StreamId};
use super::chain::{self, Hash32, Link};
use super::error::{Fault, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// One fact as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the stream, from 1.
    pub seq: u64,
    /// The epoch of the driver that wrote it.
    pub epoch: u32,
    /// The fact, encoded.
    pub body: String,
    /// Its place in the chain, as 64 hexadecimal digits.
    pub hash: String,
}

/// A stream and where it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRow {
    /// The stream.
    pub stream: StreamId,
    /// What it is.
    pub registration: Registration,
    /// How many facts it holds.
    pub seq: u64,
    /// The epoch of the newest.
    pub epoch: u32,
    /// The hash of the newest, as 64 hexadecimal digits; it changes with every fact.
    pub hash: String,
}

/// Which streams to list; what is `None` is not asked about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only streams of this kind.
    pub kind: Option<String>,
    /// Only streams of the workspace with this key.
    pub workspace: Option<String>,
    /// Only streams about this.
    pub subject: Option<String>,
    /// Only runs of this workflow.
    pub workflow: Option<String>,
}

/// How far a budget is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetUse {
    /// What is counted.
    pub unit: String,
    /// The cap, where there is one.
    pub cap: Option<u64>,
    /// What is reserved or used up.
    pub used: u64,
}

pub(crate) const STREAM: &str = "s.id, s.kind, s.workspace, s.subject, s.workflow, s.opened_at";

/// Who a stream is, from the columns of [`STREAM`].
pub(crate) fn registration(row: &Row<'_>) -> rusqlite::Result<(String, Registration)> {
    let registration = Registration {
        kind: row.get(1)?,
        workspace: row.get(2)?,
        subject: row.get(3)?,
        workflow: row.get(4)?,
        at: row.get(5)?,
    };
    Ok((row.get(0)?, registration))
}

/// The end that a stream's head names.
struct Head {
    key: i64,
    seq: u64,
    hash: Hash32,
}

/// At most so many of the facts of a stream after `after`; none when the stream does not exist. That the stream ends
/// where its head says is known once its last fact is read.
pub(super) fn entries(
    db: &Connection,
    stream: &StreamId,
    after: u64,
    most: u64,
) -> Result<Vec<Entry>, Fault> {
    let snapshot = db.unchecked_transaction()?;
    let Some((head, genesis)) = head(&snapshot, stream)? else {
        return Ok(Vec::new());
    };
    if after >= head.seq {
        return Ok(Vec::new());
    }
    let damaged = |seq, what: &str| damaged(stream, seq, what);
    let mut before = match after {
        0 => genesis,
        _ => hash_of(&snapshot, head.key, after)?.ok_or_else(|| damaged(after, "it is missing"))?,
    };
    let mut entries = Vec::new();
    let mut query = snapshot.prepare(
        "SELECT seq, epoch, version, body, hash FROM facts WHERE stream = ?1 AND seq > ?2
         ORDER BY seq LIMIT ?3",
    )?;
    let mut rows = query.query(params![head.key, number(after), number(most)])?;
    loop {
        let seq = after + 1 + entries.len() as u64;
        let unreadable =
            |error: rusqlite::Error| damaged(seq, &format!("it cannot be read: {error}"));
        let Some(row) = rows.next().map_err(unreadable)? else { break };
        let entry = checked(row, stream, &mut before, seq).map_err(|what| damaged(seq, &what))?;
        entries.push(entry);
    }
    let last = after + entries.len() as u64;
    if last < head.seq && entries.len() as u64 == most {
        return Ok(entries);
    }
    if last < head.seq {
        return Err(damaged(last + 1, "it is missing").into());
    }
    if last > head.seq {
        return Err(damaged(head.seq + 1, "the stream's head does not know of it").into());
    }
    if before != head.hash {
        return Err(damaged(last, "the stream's head names another one").into());
    }
    Ok(entries)
}

fn damaged(stream: &StreamId, seq: u64, what: &str) -> StoreError {
    StoreError::Damaged { stream: stream.as_str().to_owned(), seq, what: what.to_owned() }
}

fn checked(
    row: &Row<'_>,
    stream: &StreamId,
    before: &mut Hash32,
    seq: u64,
) -> Result<Entry, String> {
    let unreadable = |error: rusqlite::Error| format!("it cannot be read: {error}");
    let found: i64 = row.get(0).map_err(unreadable)?;
    if found != number(seq) {
        return Err("it is missing".to_owned());
    }
    let epoch = row.get(1).map_err(unreadable)?;
    let version = row.get(2).map_err(unreadable)?;
    let body: String = row.get(3).map_err(unreadable)?;
    let hash: Hash32 = row.get(4).map_err(unreadable)?;
    let link = Link { stream: stream.as_str(), seq, epoch, version, body: &body };
    if chain::fact(before, link) != hash {
        return Err("its hash does not fit what it says".to_owned());
    }
    *before = hash;
    Ok(Entry { seq, epoch, body, hash: chain::hex(&hash) })
}

fn head(db: &Connection, stream: &StreamId) -> Result<Option<(Head, Hash32)>, Fault> {
    let mut query =
        db.prepare(&format!("SELECT {STREAM}, s.key FROM streams s WHERE s.id = ?1"))?;
    let found = query.query_row([stream.as_str()], |row| Ok((registration(row)?.1, row.get(6)?)));
    let Some((registration, key)) = found.optional()? else {
        return Ok(None);
    };
    let mut query = db.prepare("SELECT seq, hash FROM heads WHERE stream = ?1")?;
    let found = query.query_row([key], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)));
    let (seq, hash) =
        found.optional()?.ok_or_else(|| damaged(stream, 1, "the stream's head is missing"))?;
    let seq =
        u64::try_from(seq).map_err(|_| damaged(stream, 1, "the stream's head is no number"))?;
    Ok(Some((Head { key, seq, hash }, chain::genesis(stream.as_str(), &registration))))
}

fn hash_of(db: &Connection, key: i64, seq: u64) -> Result<Option<Hash32>, Fault> {
    let mut query = db.prepare("SELECT hash FROM facts WHERE stream = ?1 AND seq = ?2")?;
    Ok(query.query_row(params![key, number(seq)], |row| row.get(0)).optional()?)
}

fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

/// At most so many of the streams that the filter asks for, made before this one or at all, the last made first. Reads no
/// more rows than it has to; nothing where there is no such stream to begin before.
pub(super) fn page(
    db: &Connection,
    filter: &Filter,
    before: Option<&StreamId>,
    limit: usize,
) -> Result<Option<Vec<StreamRow>>, Fault> {
    let mut query = db.prepare("SELECT key FROM streams WHERE id = ?1")?;
    let end = match before {
        None => i64::MAX,
        Some(before) => match query.query_row([before.as_str()], |row| row.get(0)).optional()? {
            Some(key) => key,
            None => return Ok(None),
        },
    };
    let (mut sql, values) = selected(filter);
    let word = if values.is_empty() { "WHERE" } else { "AND" };
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    sql.push_str(&format!(" {word} s.key < {end} ORDER BY s.key DESC LIMIT {limit}"));
    let mut query = db.prepare(&sql)?;
    let rows = query.query_map(rusqlite::params_from_iter(values), stream_row)?;
    Ok(Some(rows.collect::<rusqlite::Result<_>>()?))
}

/// The streams that the filter asks for, newest first.
pub(super) fn streams(db: &Connection, filter: &Filter) -> Result<Vec<StreamRow>, Fault> {
    let (mut sql, values) = selected(filter);
    sql.push_str(" ORDER BY s.opened_at DESC, s.key DESC");
    let mut query = db.prepare(&sql)?;
    let rows = query.query_map(rusqlite::params_from_iter(values), stream_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The question that a filter asks, without an order, and its values.
fn selected(filter: &Filter) -> (String, Vec<&String>) {
    let mut sql = format!(
        "SELECT {STREAM}, h.seq, h.epoch, h.hash FROM streams s JOIN heads h ON h.stream = s.key"
    );
    let asked = [
        ("kind", &filter.kind),
        ("workspace", &filter.workspace),
        ("subject", &filter.subject),
        ("workflow", &filter.workflow),
    ];
    let mut values = Vec::new();
    for (name, value) in asked.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    {
        let word = if values.is_empty() { "WHERE" } else { "AND" };
        sql.push_str(&format!(" {word} s.{name} = ?"));
        values.push(value);
    }
    (sql, values)
}

fn stream_row(row: &Row<'_>) -> rusqlite::Result<StreamRow> {
    let (stream, registration) = registration(row)?;
    let seq: i64 = row.get(6)?;
    let hash: Hash32 = row.get(8)?;
    Ok(StreamRow {
        stream: StreamId::new(stream),
        registration,
        seq: u64::try_from(seq).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(6, seq))?,
        epoch: row.get(7)?,
        hash: chain::hex(&hash),
    })
}

/// All budgets of a scope.
pub(super) fn usage(db: &Connection, scope: &str) -> Result<Vec<BudgetUse>, Fault> {
    let mut query =
        db.prepare("SELECT unit, cap, used, seal FROM budgets WHERE scope = ?1 ORDER BY unit")?;
    let mut rows = query.query([scope])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let (unit, cap, used): (String, Option<i64>, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let seal: Hash32 = row.get(3)?;
        if seal != chain::budget(scope, &unit, cap, used) {
            return Err(StoreError::DamagedBudget { scope: scope.to_owned(), unit }.into());
        }
        let positive = |n: i64| u64::try_from(n).unwrap_or(0);
        all.push(BudgetUse { unit, cap: cap.map(positive), used: positive(used) });
    }
    Ok(all)
}

/// Captured bytes; `None` when nothing was captured under this hash.
pub(super) fn content(db: &Connection, sha256: &str) -> Result<Option<Vec<u8>>, Fault> {
    let Some(hash) = chain::unhex(sha256) else {
        return Ok(None);
    };
    let mut query = db.prepare("SELECT bytes FROM contents WHERE sha256 = ?1")?;
    let bytes: Option<Vec<u8>> = query.query_row([hash], |row| row.get(0)).optional()?;
    match bytes {
        Some(bytes) if chain::content(&bytes) != hash => {
            Err(StoreError::DamagedContent { sha256: sha256.to_owned() }.into())
        }
        bytes => Ok(bytes),
    }
}
