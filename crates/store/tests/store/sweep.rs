//! One byte of a checkpointed page is flipped, at many places: it is found, or nothing has changed.

use crate::stage::{Stage, append, small_journal, write};
use redraft_store::{Store, StreamId};
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Every row that counts, as text.
pub(crate) fn rows(path: &Path) -> rusqlite::Result<Vec<String>> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut all = Vec::new();
    for sql in [
        "SELECT key || quote(id) || quote(kind) || quote(workspace) || quote(subject)
         || quote(workflow) || opened_at FROM streams ORDER BY key",
        "SELECT stream || ',' || seq || ',' || epoch || ',' || version || quote(body) || quote(hash)
         FROM facts ORDER BY stream, seq",
        "SELECT stream || ',' || seq || ',' || epoch || quote(hash) FROM heads ORDER BY stream",
        "SELECT n || ',' || stream || ',' || seq || quote(head) || quote(chain) FROM commits ORDER BY n",
        "SELECT quote(scope) || quote(unit) || quote(cap) || used FROM budgets ORDER BY scope, unit",
        "SELECT quote(sha256) || quote(bytes) FROM contents ORDER BY sha256",
    ] {
        let mut query = db.prepare(sql)?;
        let rows = query.query_map([], |row| row.get::<_, String>(0))?;
        for row in rows {
            all.push(row?);
        }
    }
    Ok(all)
}

/// What the store itself gives out for every stream.
fn read(stage: &Stage) -> Option<Vec<String>> {
    let store = Store::open(&stage.home).ok()?;
    let mut all = Vec::new();
    for stream in ["run-a", "run-b", "run-c", "workspace"] {
        all.extend(store.read(&StreamId::new(stream)).ok()?.into_iter().map(|entry| entry.body));
    }
    Some(all)
}

/// The first bytes of each page with its cell pointers, and a sample of the rest.
fn places(length: u64) -> Vec<u64> {
    if std::env::var_os("REDRAFT_DEEP").is_some() {
        return (0..length).collect();
    }
    let header = |at: u64| at < 108 || at % 4096 < 24;
    (0..length).filter(|at| header(*at) || at % 61 == 0).collect()
}

#[derive(Default)]
struct Tally {
    found: u32,
    found_in_fact: u32,
    harmless: u32,
}

#[tokio::test]
async fn a_flipped_byte_is_found_or_changes_nothing() {
    let stage = small_journal().await;
    let length = fs::metadata(stage.database()).unwrap().len();
    sweep(&stage, places(length));
}

/// Long facts lie on pages of their own and run over into others; trees have inner pages.
#[tokio::test]
async fn a_flipped_byte_of_a_large_journal_is_found_or_changes_nothing() {
    let stage = small_journal().await;
    let store = stage.store();
    for round in 0..8_u64 {
        let long = format!("{round} ").repeat(3000);
        for run in ["run-a", "run-b", "run-c"] {
            let bodies = [long.as_str(), "short", &long[..2400]];
            append(&store, write(run, Some(4 + 3 * round), 1, &bodies)).await.unwrap();
        }
    }
    drop(store);
    let length = fs::metadata(stage.database()).unwrap().len();
    let step = if std::env::var_os("REDRAFT_DEEP").is_some() { 97 } else { 2003 };
    let page_starts = (0..length).step_by(4096).skip(1);
    sweep(&stage, (0..length).step_by(step).chain(page_starts).collect());
}

fn sweep(stage: &Stage, places: Vec<u64>) {
    let length = fs::metadata(stage.database()).unwrap().len();
    let (before, said) = (rows(&stage.database()).unwrap(), read(stage));
    let file = File::options().read(true).write(true).open(stage.database()).unwrap();
    let mut tally = Tally::default();
    for at in places {
        let mut byte = [0];
        file.read_exact_at(&mut byte, at).unwrap();
        for flip in [0xff_u8, 1 << (at % 8)] {
            file.write_all_at(&[byte[0] ^ flip], at).unwrap();
            judge(stage, at, &before, said.as_ref(), &mut tally);
        }
        file.write_all_at(&byte, at).unwrap();
    }
    assert!(stage.findings().is_empty(), "the sweep has left the file as it was");
    let Tally { found, found_in_fact, harmless } = tally;
    println!(
        "{length} bytes: {found} flips found ({found_in_fact} as a bad fact), {harmless} harmless"
    );
    assert!(found_in_fact > 0 && found > found_in_fact);
}

fn judge(stage: &Stage, at: u64, before: &[String], said: Option<&Vec<String>>, tally: &mut Tally) {
    let first = match redraft_store::verify(&stage.home) {
        Ok(report) => report.findings.first().cloned().map(|finding| finding.seq.is_some()),
        Err(_) => Some(false),
    };
    match first {
        Some(in_fact) => {
            tally.found += 1;
            tally.found_in_fact += u32::from(in_fact);
        }
        None => {
            let page = at / 4096 + 1;
            assert_eq!(rows(&stage.database()).unwrap(), before, "byte {at} of page {page}");
            assert_eq!(read(stage).as_ref(), said, "byte {at} of page {page}");
            tally.harmless += 1;
        }
    }
}
