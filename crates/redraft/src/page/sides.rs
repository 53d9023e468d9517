//! A diff as two columns: the old side and the new one, line beside line.
//!
//! Invariant: every line of the diff stands in the page; what a side has not is left blank.
//! Absent here: reading diffs; see `redraft_workflows::pair::patch`.

use super::passage::Passage;
use redraft_workflows::pair::patch::{FileChange, Hunk, Line};

/// Diffs of more lines are shown as they are, in one column: a row takes more room in a page than its line does.
const LINES: usize = 20_000;

/// A diff, ready to be shown.
pub(super) enum Sides<'a> {
    /// File by file, in two columns.
    Files(Vec<FileSides<'a>>),
    /// As it is.
    Whole(Passage<'a>),
}

/// A file in two columns.
pub(super) struct FileSides<'a> {
    pub(super) path: &'a str,
    pub(super) inserted: usize,
    pub(super) removed: usize,
    /// What stands before its first hunk.
    pub(super) head: String,
    pub(super) rows: Vec<Row<'a>>,
}

/// A line of both columns.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Row<'a> {
    /// Where a hunk begins, or a remark.
    Between(&'a str),
    /// The same on both sides.
    Kept { old: u64, new: u64, text: &'a str },
    /// Other on each side, or on one alone.
    Changed { old: Option<Numbered<'a>>, new: Option<Numbered<'a>> },
}

/// A line with its number in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbered<'a> {
    pub(crate) number: u64,
    pub(crate) text: &'a str,
}

/// A diff as two columns, if it is not too long; `files` are what was read of it.
pub(super) fn sides<'a>(diff: &'a str, files: &[FileChange<'a>]) -> Sides<'a> {
    match diff.bytes().filter(|byte| *byte == b'\n').count() {
        ..=LINES => Sides::Files(files.iter().map(file).collect()),
        _ => Sides::Whole(Passage::shown(diff)),
    }
}

fn file<'a>(file: &FileChange<'a>) -> FileSides<'a> {
    let (inserted, removed) = file.counts();
    FileSides { path: file.path(), inserted, removed, head: file.head.join("\n"), rows: rows(file) }
}

/// The lines of a file's hunks in two columns.
pub(crate) fn rows<'a>(file: &FileChange<'a>) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    file.hunks.iter().for_each(|hunk| add(&mut rows, hunk));
    rows
}

fn add<'a>(rows: &mut Vec<Row<'a>>, hunk: &Hunk<'a>) {
    rows.push(Row::Between(hunk.head));
    let (mut removed, mut inserted) = (Vec::new(), Vec::new());
    for line in &hunk.lines {
        match *line {
            Line::Removed { old, text } => {
                // What comes after an insertion is another change.
                if !inserted.is_empty() {
                    pair(rows, &mut removed, &mut inserted);
                }
                removed.push(Numbered { number: old, text });
            }
            Line::Inserted { new, text } => inserted.push(Numbered { number: new, text }),
            Line::Kept { old, new, text } => {
                pair(rows, &mut removed, &mut inserted);
                rows.push(Row::Kept { old, new, text });
            }
            Line::Note(text) => {
                pair(rows, &mut removed, &mut inserted);
                rows.push(Row::Between(text));
            }
        }
    }
    pair(rows, &mut removed, &mut inserted);
}

/// Lines that are taken out beside those that are put in, in their order.
fn pair<'a>(
    rows: &mut Vec<Row<'a>>,
    removed: &mut Vec<Numbered<'a>>,
    inserted: &mut Vec<Numbered<'a>>,
) {
    let longest = removed.len().max(inserted.len());
    let row =
        |n: usize| Row::Changed { old: removed.get(n).copied(), new: inserted.get(n).copied() };
    rows.extend((0..longest).map(row));
    removed.clear();
    inserted.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_workflows::pair::patch::read;

    fn numbered(number: u64, text: &str) -> Option<Numbered<'_>> {
        Some(Numbered { number, text })
    }

    #[test]
    fn lines_that_replace_each_other_stand_side_by_side() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n one\n-two\n-three\n+II\n four\n+five\n";
        let files = read(diff);
        let Sides::Files(files) = sides(diff, &files) else { panic!("it is short") };
        assert_eq!((files[0].path, files[0].inserted, files[0].removed), ("x", 2, 2));
        assert_eq!(
            files[0].rows,
            [
                Row::Between("@@ -1,4 +1,4 @@"),
                Row::Kept { old: 1, new: 1, text: "one" },
                Row::Changed { old: numbered(2, "two"), new: numbered(2, "II") },
                Row::Changed { old: numbered(3, "three"), new: None },
                Row::Kept { old: 4, new: 3, text: "four" },
                Row::Changed { old: None, new: numbered(4, "five") },
            ]
        );
    }

    #[test]
    fn a_diff_of_too_many_lines_stands_as_it_is() {
        let diff = format!("@@ -0,0 +1,{LINES} @@\n{}", "+x\n".repeat(LINES));
        let Sides::Whole(whole) = sides(&diff, &read(&diff)) else { panic!("it is long") };
        assert_eq!(whole.pieces.iter().map(|piece| &*piece.text).collect::<String>(), diff);
    }
}
