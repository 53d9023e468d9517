//! Walks the home's chain: each commit follows the one before and names a head that was.
//!
//! Invariant: every stream's newest commit names its newest fact. Absent here: facts themselves.

use super::streams::{End, Ends};
use super::{Finding, VerifyReport, guarded};
use crate::db::chain::{self, Hash32};
use rusqlite::{Connection, OptionalExtension, Row, Statement, params};
use std::collections::BTreeMap;

/// One row of the chain.
struct Commit {
    n: i64,
    stream: i64,
    seq: i64,
    head: Hash32,
    chain: Hash32,
}

/// Walks the chain and compares it with the streams' ends.
pub(super) fn check(
    db: &Connection,
    ends: &Ends,
    report: &mut VerifyReport,
) -> rusqlite::Result<()> {
    let mut newest = BTreeMap::new();
    let mut whole = false;
    guarded(report, "the chain of commits", |report| {
        walk(db, ends, &mut newest, report)?;
        whole = true;
        Ok(())
    })?;
    for (key, end) in ends.iter().filter(|_| whole) {
        let what = match (newest.get(key), end.head) {
            (None, _) => "no commit names it".to_owned(),
            (Some(seq), Some(head)) if *seq != head => {
                format!("its newest commit is of fact {seq}, its head of fact {head}")
            }
            _ => continue,
        };
        report.findings.push(end.finding(None, what));
    }
    Ok(())
}

fn walk(
    db: &Connection,
    ends: &Ends,
    newest: &mut BTreeMap<i64, i64>,
    report: &mut VerifyReport,
) -> rusqlite::Result<()> {
    let mut fact = db.prepare("SELECT hash FROM facts WHERE stream = ?1 AND seq = ?2")?;
    let mut query = db.prepare("SELECT n, stream, seq, head, chain FROM commits ORDER BY n")?;
    let mut rows = query.query([])?;
    let (mut expected, mut before) = (1, Some([0; 32]));
    while let Some(row) = rows.next()? {
        let commit = Commit::read(row)?;
        report.commits += 1;
        if commit.n != expected {
            let what = format!("commit {expected} is missing; the next is {}", commit.n);
            report.findings.push(Finding::of_home(what));
            before = None;
        }
        if before.is_some_and(|before| commit.follows(&before) != commit.chain) {
            let what = format!("commit {} does not fit the one before it", commit.n);
            report.findings.push(Finding::of_home(what));
        }
        if let Some(what) = commit.wrong_head(&mut fact, newest)? {
            let finding = ends.get(&commit.stream).map(|end: &End| end.finding(None, &what));
            report.findings.push(finding.unwrap_or_else(|| Finding::of_home(what)));
        }
        newest.insert(commit.stream, commit.seq);
        before = Some(commit.chain);
        expected = commit.n.saturating_add(1);
    }
    Ok(())
}

impl Commit {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (n, stream, seq) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Self { n, stream, seq, head: row.get(3)?, chain: row.get(4)? })
    }

    fn follows(&self, before: &Hash32) -> Hash32 {
        let number = |n: i64| u64::try_from(n).unwrap_or(u64::MAX);
        chain::commit(before, number(self.n), self.stream, number(self.seq), &self.head)
    }

    fn wrong_head(
        &self,
        fact: &mut Statement<'_>,
        newest: &BTreeMap<i64, i64>,
    ) -> rusqlite::Result<Option<String>> {
        let Self { n, seq, .. } = self;
        let found = fact.query_row(params![self.stream, seq], |row| row.get::<_, Hash32>(0));
        let found = match found.optional() {
            Ok(found) => found,
            Err(error) if super::is_damage(&error) => return Ok(None), // told by the streams' walk
            Err(error) => return Err(error),
        };
        Ok(match found {
            None => Some(format!("commit {n} names its fact {seq}, which is missing")),
            Some(hash) if hash != self.head => {
                Some(format!("commit {n} names another fact {seq} than the one that stands there"))
            }
            Some(_) if newest.get(&self.stream).is_some_and(|earlier| earlier >= seq) => {
                Some(format!("commit {n} names its fact {seq} after a later one"))
            }
            Some(_) => None,
        })
    }
}
