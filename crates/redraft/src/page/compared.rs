//! Two versions of a text for two columns, each with what the other has not.
//!
//! Invariant: each side is its version, word for word; comparing takes bounded work, whatever the texts are.
//! Absent here: choosing what is compared.

use super::passage::{Passage, Stretch};
use redraft_workflows::review::comparison::{self, Change, Row};
use similar::{ChangeTag, TextDiff};
use std::borrow::Cow;

/// Longer texts are not compared word by word, in bytes.
const WORDS: usize = 16_000;
/// Longer texts are not compared at all, in lines.
const LINES: usize = 3_000;

/// How two versions were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Words,
    Lines,
    /// They are too long.
    Nothing,
}

/// Both versions, and how they were compared.
pub(super) fn compared<'a>(before: &'a str, after: &'a str) -> (Passage<'a>, Passage<'a>, By) {
    if before.len().max(after.len()) <= WORDS {
        let rows = comparison::rows(before, after);
        let side = |without| Passage::of(side(&rows, without));
        return (side(Change::Inserted), side(Change::Removed), By::Words);
    }
    by_lines(before, after)
}

/// The same without a look at words, for texts of which there are many.
pub(super) fn by_lines<'a>(before: &'a str, after: &'a str) -> (Passage<'a>, Passage<'a>, By) {
    match marked(before, after) {
        Some((before, after)) => (before, after, By::Lines),
        None => (Passage::shown(before), Passage::shown(after), By::Nothing),
    }
}

/// Both versions compared line by line; `None` where they are too long.
pub(super) fn marked(before: &str, after: &str) -> Option<(Passage<'static>, Passage<'static>)> {
    let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    let (before, after) =
        (lines(before).max(lines(after)) <= LINES).then(|| sides_by_lines(before, after))?;
    Some((Passage::of(before), Passage::of(after)))
}

/// One version out of the rows of both.
fn side(rows: &[Row], without: Change) -> Vec<Stretch<'static>> {
    let mut side = Vec::new();
    for row in rows {
        for piece in row.pieces.iter().filter(|piece| piece.change != without) {
            push(&mut side, piece.change, &piece.text);
        }
        if let Some(end) = row.end.filter(|end| *end != without) {
            push(&mut side, end, "\n");
        }
    }
    side
}

fn push(side: &mut Vec<Stretch<'static>>, change: Change, text: &str) {
    match side.last_mut().filter(|last| last.change == change) {
        Some(last) => last.text.to_mut().push_str(text),
        None => side.push(Stretch { change, text: Cow::Owned(text.to_owned()) }),
    }
}

fn sides_by_lines(before: &str, after: &str) -> (Vec<Stretch<'static>>, Vec<Stretch<'static>>) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for line in TextDiff::from_lines(before, after).iter_all_changes() {
        match line.tag() {
            ChangeTag::Equal => {
                push(&mut left, Change::Kept, line.value());
                push(&mut right, Change::Kept, line.value());
            }
            ChangeTag::Delete => push(&mut left, Change::Removed, line.value()),
            ChangeTag::Insert => push(&mut right, Change::Inserted, line.value()),
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(side: &Passage<'_>) -> String {
        side.pieces.iter().map(|piece| &*piece.text).collect()
    }

    #[track_caller]
    fn check(before: &str, after: &str, by: By) {
        let (left, right, found) = compared(before, after);
        assert!((text(&left), text(&right), found) == (before.into(), after.into(), by));
    }

    #[test]
    fn each_side_is_its_version_however_long() {
        check("a b\nc", "a x\n\nc\n", By::Words);
        check("", "new", By::Words);
        let line = "one line of many words that are all the same\n";
        check(&line.repeat(1_000), &format!("{}last", line.repeat(1_001)), By::Lines);
        check(&line.repeat(9_000), &line.repeat(8_999), By::Nothing);
    }

    #[test]
    fn each_side_marks_what_the_other_has_not() {
        let (left, right, _) = compared("the cat sat", "the dog sat");
        let marked = |side: &Passage<'_>| -> Vec<String> {
            let marked = side.pieces.iter().filter(|piece| piece.change != Change::Kept);
            marked.map(|piece| piece.text.to_string()).collect()
        };
        assert_eq!((marked(&left), marked(&right)), (vec!["cat".into()], vec!["dog".into()]));
    }
}
