//! What becomes of files from one iteration to the next, as a unified diff.
//!
//! Invariant: both versions of a file that changed can be read from the diff around what they share; comparing takes
//! bounded work, whatever the files are.
//! Absent here: which iterations are compared.

use super::code::Code;
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};
use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

/// So many lines that did not change stand round those that did.
const CONTEXT: usize = 3;
/// Longer stretches that differ are told as taken out and put in as a whole, in lines of both versions.
const LINES: usize = 10_000;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    /// The later iteration alone has it.
    Added,
    /// The earlier iteration alone has it.
    Removed,
    /// Both have it, and it differs.
    Changed,
    /// Both have it as it is.
    Unchanged,
}

impl fmt::Display for Became {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
        })
    }
}

/// What became of each file of either version, by its name.
pub fn became(before: &Code, after: &Code) -> BTreeMap<String, Became> {
    let names = before.keys().chain(after.keys());
    let became = |name: &String| match (before.get(name), after.get(name)) {
        (None, _) => Became::Added,
        (Some(_), None) => Became::Removed,
        (Some(before), Some(after)) if before == after => Became::Unchanged,
        (Some(_), Some(_)) => Became::Changed,
    };
    names.map(|name| (name.clone(), became(name))).collect()
}

/// All files that did not stay as they were, as one unified diff.
pub fn diff(before: &Code, after: &Code) -> String {
    let mut diff = String::new();
    for (name, became) in became(before, after) {
        let side = |letter: &str| format!("{letter}/{name}");
        let (old, new) = match became {
            Became::Unchanged => continue,
            Became::Added => (NOTHING.to_owned(), side("b")),
            Became::Removed => (side("a"), NOTHING.to_owned()),
            Became::Changed => (side("a"), side("b")),
        };
        let text = |code: &Code| code.get(&name).cloned().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(diff, "--- {old}\n+++ {new}");
        add(&mut diff, &text(before), &text(after));
    }
    diff
}

/// What stands in a diff for a file that is not there.
const NOTHING: &str = "/dev/null";

fn add(diff: &mut String, before: &str, after: &str) {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    for hunk in group_diff_ops(steps(&old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let place = |from: usize, to: usize| match to - from {
            // A side without lines is told by the line before it.
            0 => format!("{from},0"),
            length => format!("{},{length}", from + 1),
        };
        let old_place = place(first.old_range().start, last.old_range().end);
        let new_place = place(first.new_range().start, last.new_range().end);
        let _ = writeln!(diff, "@@ -{old_place} +{new_place} @@");
        for step in &hunk {
            if matches!(step, DiffOp::Equal { .. }) {
                old[step.old_range()].iter().for_each(|line| add_line(diff, ' ', line));
                continue;
            }
            old[step.old_range()].iter().for_each(|line| add_line(diff, '-', line));
            new[step.new_range()].iter().for_each(|line| add_line(diff, '+', line));
        }
    }
}

/// How the old lines become the new ones.
fn steps(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let alike = |(one, other): &(&&str, &&str)| one == other;
    let head = old.iter().zip(new).take_while(alike).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(alike).count();
    let (old_len, new_len) = (old_rest.len() - tail, new_rest.len() - tail);
    if old_len + new_len <= LINES {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let (old_end, new_end) = (head + old_len, head + new_len);
    let replaced = DiffOp::Replace { old_index: head, old_len, new_index: head, new_len };
    let kept = |old_index, new_index, len| DiffOp::Equal { old_index, new_index, len };
    let steps = [kept(0, 0, head), replaced, kept(old_end, new_end, tail)];
    steps
        .into_iter()
        .filter(|step| !step.old_range().is_empty() || !step.new_range().is_empty())
        .collect()
}

fn add_line(diff: &mut String, sign: char, line: &str) {
    diff.push(sign);
    diff.push_str(line);
    if !line.ends_with('\n') {
        diff.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::patch::{FileChange, Line, read};
    use proptest::prelude::*;

    fn code(files: &[(&str, &str)]) -> Code {
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).into())).collect()
    }

    #[test]
    fn only_what_changed_stands_in_the_diff() {
        let before =
            code(&[("gone.rs", "x\n"), ("same.rs", "s\n"), ("two words.rs", "1\n2\n3\n4\n5\n")]);
        let after =
            code(&[("new.rs", "y"), ("same.rs", "s\n"), ("two words.rs", "1\n2\n3\n4\nV\n")]);
        assert_eq!(
            diff(&before, &after),
            "--- a/gone.rs\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\
             --- /dev/null\n+++ b/new.rs\n@@ -0,0 +1,1 @@\n+y\n\\ No newline at end of file\n\
             --- a/two words.rs\n+++ b/two words.rs\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+V\n"
        );
        let became: Vec<Became> = became(&before, &after).into_values().collect();
        assert_eq!(became, [Became::Removed, Became::Added, Became::Unchanged, Became::Changed]);
        assert_eq!(diff(&after, &after), "");
    }

    #[test]
    fn long_files_without_a_common_line_are_told_in_no_time() {
        let lines = |word: &str| (0..LINES).map(|n| format!("{word}{n}\n")).collect::<String>();
        let text = |word: &str| format!("head\n{}tail\n", lines(word));
        let diff = diff(&code(&[("a.rs", &text("x"))]), &code(&[("a.rs", &text("y"))]));
        assert_eq!(read(&diff)[0].counts(), (LINES, LINES));
        assert!(diff.contains("\n head\n-x0\n") && diff.ends_with("\n tail\n"));
    }

    /// One side of a file whose every line stands in the diff.
    fn side(file: &FileChange<'_>, wanted: fn(&Line<'_>) -> Option<String>) -> String {
        file.hunks.iter().flat_map(|hunk| &hunk.lines).filter_map(wanted).collect()
    }

    proptest! {
        #[test]
        fn both_sides_are_read_from_the_diff_whatever_stands_in_them(
            before in "([-+ @\\\\\r]|a|--- a/x|\\+\\+\\+ b/y|@@ -1 \\+1 @@){0,3}\n(b\n){0,3}",
            after in "([-+ @\\\\\r]|a|--- a/x|\\+\\+\\+ b/y|@@ -1 \\+1 @@){0,3}\n(c\n){0,3}",
        ) {
            prop_assume!(before != after);
            let diff = diff(&code(&[("a.rs", &before)]), &code(&[("a.rs", &after)]));
            let files = read(&diff);
            prop_assert_eq!((files.len(), files[0].path()), (1, "a.rs"));
            let old = side(&files[0], |line| match line {
                Line::Kept { text, .. } | Line::Removed { text, .. } => Some(format!("{text}\n")),
                Line::Inserted { .. } | Line::Note(_) => None,
            });
            let new = side(&files[0], |line| match line {
                Line::Kept { text, .. } | Line::Inserted { text, .. } => Some(format!("{text}\n")),
                Line::Removed { .. } | Line::Note(_) => None,
            });
            prop_assert_eq!((old, new), (before, after));
        }
    }
}
