//! Checks the file below the rows: its header, its tables and triggers, and its pages.

use super::{Finding, VerifyReport, guarded};
use crate::db::connection::{APPLICATION_ID, FORMAT, SCHEMA};
use crate::db::error::StoreError;
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How many damaged pages are told at most.
const MOST: u32 = 1000;

/// The parts of the file's header that never change, with their places.
fn fixed() -> Vec<(usize, Vec<u8>, &'static str)> {
    let number = |n: i64| u32::try_from(n).unwrap_or(0).to_be_bytes().to_vec();
    vec![
        (0, b"SQLite format 3\0".to_vec(), "the name of the format"),
        (16, vec![0x10, 0x00], "the size of a page"),
        (18, vec![2, 2], "the versions for reading and writing"),
        (20, vec![0, 64, 32, 32], "the fractions of a page"),
        (44, number(4), "the version of the schema's format"),
        (52, vec![0; 4], "the page of the largest root"),
        (56, number(1), "the encoding of text"),
        (60, number(FORMAT), "the version of the journal's format"),
        (64, vec![0; 4], "the mode of vacuum"),
        (68, number(APPLICATION_ID), "the application's id"),
        (72, vec![0; 20], "the reserved bytes"),
    ]
}

/// Compares the header as it stands in the file, below anything SQLite makes of it.
pub(super) fn header(path: &Path, report: &mut VerifyReport) -> Result<(), StoreError> {
    let mut header = Vec::new();
    let read = File::open(path).and_then(|file| file.take(100).read_to_end(&mut header));
    read.map_err(StoreError::io(path, "read the header"))?;
    for (at, expected, name) in fixed() {
        if header.get(at..at + expected.len()) != Some(&expected[..]) {
            let what = format!("page 1: byte {at}: {name} is not what it must be");
            report.findings.push(Finding::of_home(what));
        }
    }
    Ok(())
}

/// Compares tables, indexes and triggers with those that this program makes.
pub(super) fn schema(db: &Connection, report: &mut VerifyReport) -> rusqlite::Result<()> {
    let model = Connection::open_in_memory()?;
    model.execute_batch(SCHEMA)?;
    let expected = objects(&model)?;
    guarded(report, "the schema", |report| {
        let found = objects(db)?;
        for (kind, name, _) in expected.difference(&found) {
            let what = format!("page 1: the {kind} {name} is missing or changed");
            report.findings.push(Finding::of_home(what));
        }
        for (kind, name, _) in found.difference(&expected) {
            if !expected.iter().any(|known| (&known.0, &known.1) == (kind, name)) {
                let what = format!("page 1: the {kind} {name} does not belong there");
                report.findings.push(Finding::of_home(what));
            }
        }
        Ok(())
    })
}

type Object = (String, String, String);

fn objects(db: &Connection) -> rusqlite::Result<BTreeSet<Object>> {
    let mut query =
        db.prepare("SELECT type, name, tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// SQLite's own check of all pages and indexes.
pub(super) fn integrity(db: &Connection, report: &mut VerifyReport) -> rusqlite::Result<()> {
    guarded(report, "the file", |report| {
        let mut query = db.prepare(&format!("PRAGMA integrity_check({MOST})"))?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let text: String = row.get(0)?;
            let told = text.lines().filter(|line| *line != "ok" && !line.starts_with("***"));
            report.findings.extend(told.map(|line| Finding::of_home(by_page(line))));
        }
        Ok(())
    })
}

/// Puts the page's number first, where the message has one.
fn by_page(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    let number = lower
        .split("page ")
        .nth(1)
        .map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    match number {
        Some(number) if !number.is_empty() => format!("page {number}: {line}"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_starts_with_its_page_where_it_has_one() {
        assert_eq!(by_page("Tree 3 page 12 cell 1: x"), "page 12: Tree 3 page 12 cell 1: x");
        assert_eq!(by_page("Page 7: never used"), "page 7: Page 7: never used");
        assert_eq!(by_page("row 1 missing from index a"), "row 1 missing from index a");
    }
}
