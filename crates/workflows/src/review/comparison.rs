//! Two versions of a text side by side, word by word, row by row.
//!
//! Invariant: the kept and removed pieces of all rows are the first text, the kept and inserted ones the second.
//! Absent here: colours, and which versions there are.

mod place;

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

pub use place::line_of;

/// What became of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It stands in both versions.
    Kept,
    /// It stands in the second version only.
    Inserted,
    /// It stands in the first version only.
    Removed,
}

/// A stretch of one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// What became of it.
    pub change: Change,
    /// The text, without line ends.
    pub text: String,
}

/// A row: as much of both texts as stands before the next line end of either.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The line of the first text that it shows, from 1.
    pub old: usize,
    /// The line of the second text that it shows, from 1.
    pub new: usize,
    /// What stands on it, in order.
    pub pieces: Vec<Piece>,
    /// What became of the line end behind it; `None` on the last row.
    pub end: Option<Change>,
}

/// The rows of two versions of a text.
#[must_use]
pub fn rows(before: &str, after: &str) -> Vec<Row> {
    let diff = TextDiff::from_unicode_words(before, after);
    let mut rows = vec![Row { old: 1, new: 1, pieces: Vec::new(), end: None }];
    for token in diff.iter_all_changes() {
        let change = match token.tag() {
            ChangeTag::Equal => Change::Kept,
            ChangeTag::Insert => Change::Inserted,
            ChangeTag::Delete => Change::Removed,
        };
        for (n, text) in token.value().split('\n').enumerate() {
            if n > 0 {
                let row = after_end(rows.last_mut(), change);
                rows.push(row);
            }
            if let Some(row) = rows.last_mut() {
                row.push(change, text);
            }
        }
    }
    rows
}

/// The row behind this one, which a line end has ended.
fn after_end(ended: Option<&mut Row>, change: Change) -> Row {
    let (mut old, mut new) = (1, 1);
    if let Some(row) = ended {
        row.end = Some(change);
        old = row.old + usize::from(change != Change::Inserted);
        new = row.new + usize::from(change != Change::Removed);
    }
    Row { old, new, pieces: Vec::new(), end: None }
}

impl Row {
    fn push(&mut self, change: Change, text: &str) {
        match self.pieces.last_mut().filter(|last| last.change == change) {
            Some(last) => last.text.push_str(text),
            None if text.is_empty() => {}
            None => self.pieces.push(Piece { change, text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A row as a person without colours sees it.
    fn show(row: &Row) -> String {
        let piece = |piece: &Piece| match piece.change {
            Change::Kept => piece.text.clone(),
            Change::Inserted => format!("{{+{}+}}", piece.text),
            Change::Removed => format!("[-{}-]", piece.text),
        };
        format!("{}/{} {}", row.old, row.new, row.pieces.iter().map(piece).collect::<String>())
    }

    #[track_caller]
    fn check(before: &str, after: &str, expected: &[&str]) {
        let found: Vec<String> = rows(before, after).iter().map(show).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_that_changed_are_marked_in_their_line() {
        check(
            "The cat sat.\nIt slept.",
            "The dog sat.\nIt slept.",
            &["1/1 The [-cat-]{+dog+} sat.", "2/2 It slept."],
        );
        check("same", "same", &["1/1 same"]);
        check("", "new", &["1/1 {+new+}"]);
        check("", "", &["1/1 "]);
    }

    #[test]
    fn words_of_any_script_are_whole() {
        check("schöne Grüße 👩‍🚀!", "schöne Füße 👩‍🚀!", &["1/1 schöne [-Grüße-]{+Füße+} 👩‍🚀!"]);
    }

    #[test]
    fn rows_know_their_line_in_each_version() {
        check("a\nb", "a\nx\n\nb", &["1/1 a", "2/2 {+x+}", "2/3 ", "2/4 b"]);
        check("a\nb\nc", "a\nc", &["1/1 a", "2/2 [-b-]", "3/2 c"]);
        let ends: Vec<Option<Change>> = rows("a\nb\nc", "a\nc").iter().map(|row| row.end).collect();
        assert_eq!(ends, [Some(Change::Kept), Some(Change::Removed), None]);
    }

    fn version(rows: &[Row], without: Change) -> String {
        let mut text = String::new();
        for row in rows {
            let pieces = row.pieces.iter().filter(|piece| piece.change != without);
            text.extend(pieces.map(|piece| piece.text.as_str()));
            text += if row.end.is_some_and(|end| end != without) { "\n" } else { "" };
        }
        text
    }

    proptest! {
        #[test]
        fn both_versions_can_be_read_from_the_rows(before in "[ab \n.é]{0,40}", after in "[ab \n.é]{0,40}") {
            let rows = rows(&before, &after);
            prop_assert_eq!(version(&rows, Change::Inserted), before.clone());
            prop_assert_eq!(version(&rows, Change::Removed), after.clone());
            let last = rows.last().unwrap();
            prop_assert_eq!(last.old, before.matches('\n').count() + 1);
            prop_assert_eq!(last.new, after.matches('\n').count() + 1);
        }
    }
}
