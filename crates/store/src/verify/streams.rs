//! Walks every stream: its registration, its facts one by one, and its head.
//!
//! Invariant: a fact is judged by the hash that stands before it, so one bad fact does not make
//! those after it look bad. Absent here: the home's chain.

use super::{Finding, VerifyReport, guarded, is_damage};
use crate::db::append::Registration;
use crate::db::chain::{self, Hash32, Link};
use crate::db::read::{STREAM, registration};
use rusqlite::{Connection, OptionalExtension, Row, Statement, params};
use std::collections::{BTreeMap, BTreeSet};

/// Where each stream ends, by its key.
pub(super) type Ends = BTreeMap<i64, End>;

/// What is known of a stream once it was walked.
pub(super) struct End {
    pub(super) name: String,
    pub(super) subject: Option<String>,
    /// The number of the newest fact, as the head has it.
    pub(super) head: Option<i64>,
}

impl End {
    pub(super) fn finding(&self, seq: Option<i64>, what: impl Into<String>) -> Finding {
        Finding {
            stream: Some(self.name.clone()),
            subject: self.subject.clone(),
            seq: seq.map(|seq| u64::try_from(seq).unwrap_or(0)),
            what: what.into(),
        }
    }
}

/// Walks all streams, also those of which only facts, heads or commits are left.
pub(super) fn check(db: &Connection, report: &mut VerifyReport) -> rusqlite::Result<Ends> {
    let mut walk = Walk::prepare(db)?;
    let mut ends = Ends::new();
    for key in keys(db, report)? {
        report.streams += 1;
        let end = walk.stream(key, report)?;
        ends.insert(key, end);
    }
    Ok(ends)
}

fn keys(db: &Connection, report: &mut VerifyReport) -> rusqlite::Result<BTreeSet<i64>> {
    let mut keys = BTreeSet::new();
    for (table, column) in
        [("streams", "key"), ("heads", "stream"), ("facts", "stream"), ("commits", "stream")]
    {
        guarded(report, &format!("the table {table}"), |_| {
            let sql = format!("SELECT DISTINCT {column} FROM {table} NOT INDEXED");
            let mut query = db.prepare(&sql)?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                keys.insert(row.get(0)?);
            }
            Ok(())
        })?;
    }
    Ok(keys)
}

struct Walk<'c> {
    stream: Statement<'c>,
    head: Statement<'c>,
    seqs: Statement<'c>,
    fact: Statement<'c>,
}

struct Head {
    seq: i64,
    epoch: i64,
    hash: Vec<u8>,
}

/// What stands before the next fact.
#[derive(Clone, Copy)]
struct Before {
    seq: i64,
    epoch: i64,
    /// Unknown after a hole.
    hash: Option<Hash32>,
}

impl<'c> Walk<'c> {
    fn prepare(db: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            stream: db.prepare(&format!("SELECT {STREAM} FROM streams s WHERE s.key = ?1"))?,
            head: db.prepare("SELECT seq, epoch, hash FROM heads WHERE stream = ?1")?,
            seqs: db.prepare("SELECT seq FROM facts WHERE stream = ?1 ORDER BY seq")?,
            fact: db.prepare(
                "SELECT epoch, version, body, hash FROM facts WHERE stream = ?1 AND seq = ?2",
            )?,
        })
    }

    fn stream(&mut self, key: i64, report: &mut VerifyReport) -> rusqlite::Result<End> {
        let unknown = || End { name: format!("stream #{key}"), subject: None, head: None };
        let found = self.stream.query_row([key], registration).optional();
        let (mut end, known) = match found {
            Ok(Some((name, found))) => {
                (End { name, subject: found.subject.clone(), head: None }, Some(found))
            }
            Ok(None) => {
                let end = unknown();
                report.findings.push(end.finding(Some(1), "its stream is missing"));
                (end, None)
            }
            Err(error) if is_damage(&error) => {
                let end = unknown();
                let what = format!("its stream's registration cannot be read: {error}");
                report.findings.push(end.finding(Some(1), what));
                (end, None)
            }
            Err(error) => return Err(error),
        };
        let before = self.facts(key, &end, known.as_ref(), report)?;
        self.end(key, &mut end, &before, report)?;
        Ok(end)
    }

    fn facts(
        &mut self,
        key: i64,
        end: &End,
        known: Option<&Registration>,
        report: &mut VerifyReport,
    ) -> rusqlite::Result<Before> {
        let genesis = known.map(|known| chain::genesis(&end.name, known));
        let mut before = Before { seq: 0, epoch: 0, hash: genesis };
        for seq in self.seqs(key, end, report)? {
            if seq <= before.seq {
                report.findings.push(end.finding(Some(seq), "it is out of order"));
                continue;
            }
            if seq > before.seq + 1 {
                let what = missing(before.seq + 1, seq - 1);
                report.findings.push(end.finding(Some(before.seq + 1), what));
                before.hash = None;
            }
            before = self.fact(key, seq, end, known.is_some(), before, report)?;
        }
        Ok(before)
    }

    /// The numbers of a stream's facts, as far as they can be listed.
    fn seqs(
        &mut self,
        key: i64,
        end: &End,
        report: &mut VerifyReport,
    ) -> rusqlite::Result<Vec<i64>> {
        let mut seqs = Vec::new();
        let mut rows = self.seqs.query([key])?;
        loop {
            match rows.next().and_then(|row| row.map(|row| row.get::<_, i64>(0)).transpose()) {
                Ok(Some(seq)) => seqs.push(seq),
                Ok(None) => return Ok(seqs),
                Err(error) if is_damage(&error) => {
                    let next = seqs.last().map_or(1, |last| last + 1);
                    let what = format!("it and those after it cannot be listed: {error}");
                    report.findings.push(end.finding(Some(next), what));
                    return Ok(seqs);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn fact(
        &mut self,
        key: i64,
        seq: i64,
        end: &End,
        named: bool,
        before: Before,
        report: &mut VerifyReport,
    ) -> rusqlite::Result<Before> {
        let row = self.fact.query_row(params![key, seq], Fact::read);
        let fact = match row {
            Ok(fact) => fact,
            Err(error) if is_damage(&error) => {
                report.findings.push(end.finding(Some(seq), format!("it cannot be read: {error}")));
                return Ok(Before { seq, hash: None, ..before });
            }
            Err(error) => return Err(error),
        };
        let link = fact.link(&end.name, u64::try_from(seq).unwrap_or(0));
        match before.hash {
            Some(hash)
                if named && link.is_none_or(|link| chain::fact(&hash, link) != fact.hash) =>
            {
                report.findings.push(end.finding(Some(seq), "its hash does not fit what it says"));
            }
            _ if fact.epoch < before.epoch => {
                report
                    .findings
                    .push(end.finding(Some(seq), "its epoch is older than the one before"));
            }
            _ => report.facts += 1,
        }
        Ok(Before { seq, epoch: fact.epoch, hash: Some(fact.hash) })
    }

    fn end(
        &mut self,
        key: i64,
        end: &mut End,
        last: &Before,
        report: &mut VerifyReport,
    ) -> rusqlite::Result<()> {
        let read =
            |row: &Row<'_>| Ok(Head { seq: row.get(0)?, epoch: row.get(1)?, hash: row.get(2)? });
        let head = match self.head.query_row([key], read).optional() {
            Ok(Some(head)) => head,
            Ok(None) => {
                report.findings.push(end.finding(None, "its head is missing"));
                return Ok(());
            }
            Err(error) if is_damage(&error) => {
                report
                    .findings
                    .push(end.finding(None, format!("its head cannot be read: {error}")));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        end.head = Some(head.seq);
        if head.seq > last.seq {
            let what = format!("{}; the head says so", missing(last.seq + 1, head.seq));
            report.findings.push(end.finding(Some(last.seq + 1), what));
        } else if head.seq < last.seq {
            let what = format!("the head ends before it, at fact {}", head.seq);
            report.findings.push(end.finding(Some(head.seq.saturating_add(1)), what));
        } else if last.hash.is_some_and(|hash| hash[..] != head.hash[..])
            || head.epoch != last.epoch
        {
            let what = format!("its head is not that of fact {}, its last", last.seq);
            report.findings.push(end.finding(None, what));
        }
        Ok(())
    }
}

fn missing(first: i64, last: i64) -> String {
    match last - first {
        0 => "it is missing".to_owned(),
        _ => format!("it is missing, and all up to fact {last}"),
    }
}

struct Fact {
    epoch: i64,
    version: i64,
    body: String,
    hash: Hash32,
}

impl Fact {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (epoch, version, body) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Self { epoch, version, body, hash: row.get(3)? })
    }

    /// `None` when a number is one that no writer has written.
    fn link<'a>(&'a self, stream: &'a str, seq: u64) -> Option<Link<'a>> {
        let epoch = u32::try_from(self.epoch).ok()?;
        let version = u32::try_from(self.version).ok()?;
        Some(Link { stream, seq, epoch, version, body: &self.body })
    }
}
