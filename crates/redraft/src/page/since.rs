//! What became of a change from one turn to the next: the diffs of both, file by file, each with what the other has not.
//!
//! Places of hunks are left out, since a line that is put in above moves them all.
//!
//! Invariant: comparing takes bounded work, whatever the diffs are.
//! Absent here: the diffs alone; see `sides`.

use super::{compared::marked, passage::Passage};
use redraft_workflows::pair::patch::{FileChange, Line};
use std::collections::BTreeMap;

/// Longer changes are not compared, in lines of both turns together.
const LINES: usize = 6_000;

/// A turn's change against that of the turn before.
pub(super) enum Since<'a> {
    /// File by file.
    Files(Vec<FileSince<'a>>),
    /// They are too long.
    TooLong,
}

/// What became of the change of one file.
pub(super) struct FileSince<'a> {
    pub(super) path: &'a str,
    pub(super) came: Came,
}

/// How the change of one file came to be what it is.
pub(super) enum Came {
    /// It is as it was.
    Same,
    /// The turn before did not change the file.
    New,
    /// The file is changed no more.
    Gone,
    /// Both turns change it, each in its way; `None` where that is too long to be compared.
    Other(Option<Box<(Passage<'static>, Passage<'static>)>>),
}

/// The change of a turn against that of the turn before.
pub(super) fn since<'a>(before: &[FileChange<'a>], after: &[FileChange<'a>]) -> Since<'a> {
    let length = |files: &[FileChange<'_>]| -> usize {
        let hunks = files.iter().flat_map(|file| &file.hunks);
        hunks.map(|hunk| hunk.lines.len() + 1).sum()
    };
    if length(before) + length(after) > LINES {
        return Since::TooLong;
    }
    let (before, after) = (by_path(before), by_path(after));
    let mut paths: Vec<&str> = before.keys().chain(after.keys()).copied().collect();
    paths.sort_unstable();
    paths.dedup();
    let came = |path: &str| match (before.get(path), after.get(path)) {
        (Some(before), Some(after)) if before == after => Came::Same,
        (Some(before), Some(after)) => Came::Other(marked(before, after).map(Box::new)),
        (Some(_), None) => Came::Gone,
        (None, _) => Came::New,
    };
    Since::Files(paths.into_iter().map(|path| FileSince { path, came: came(path) }).collect())
}

/// What is changed in each file, as text.
fn by_path<'a>(files: &[FileChange<'a>]) -> BTreeMap<&'a str, String> {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for file in files {
        texts.entry(file.path()).or_default().push_str(&text(file));
    }
    texts
}

fn text(file: &FileChange<'_>) -> String {
    let mut text = String::new();
    // Hashes of contents differ wherever anything does, and names stand above.
    let heads = file.head.iter().filter(|head| {
        !["index ", "diff --git ", "--- ", "+++ "].iter().any(|start| head.starts_with(start))
    });
    heads.for_each(|head| add(&mut text, "", head));
    for hunk in &file.hunks {
        let near = hunk.head.splitn(3, "@@").nth(2).unwrap_or(hunk.head);
        add(&mut text, "@@", near);
        for line in &hunk.lines {
            match line {
                Line::Kept { text: line, .. } => add(&mut text, " ", line),
                Line::Removed { text: line, .. } => add(&mut text, "-", line),
                Line::Inserted { text: line, .. } => add(&mut text, "+", line),
                Line::Note(line) => add(&mut text, "", line),
            }
        }
    }
    text
}

fn add(text: &mut String, sign: &str, line: &str) {
    [sign, line, "\n"].into_iter().for_each(|part| text.push_str(part));
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_workflows::{pair::patch::read, review::comparison::Change};

    fn diff(path: &str, line: u32, text: &str) -> String {
        format!("--- a/{path}\n+++ b/{path}\n@@ -{line} +{line} @@ fn near\n-old\n+{text}\n")
    }

    #[test]
    fn each_file_says_what_became_of_its_change() {
        let before = [diff("gone", 1, "x"), diff("moved", 1, "x"), diff("other", 1, "x")].concat();
        let after = [diff("moved", 9, "x"), diff("new", 1, "x"), diff("other", 1, "y")].concat();
        let Since::Files(files) = since(&read(&before), &read(&after)) else { panic!("short") };
        let told: Vec<(&str, &str)> = files
            .iter()
            .map(|file| {
                let came = match &file.came {
                    Came::Same => "same",
                    Came::New => "new",
                    Came::Gone => "gone",
                    Came::Other(_) => "other",
                };
                (file.path, came)
            })
            .collect();
        assert_eq!(told, [("gone", "gone"), ("moved", "same"), ("new", "new"), ("other", "other")]);
        let Came::Other(Some(sides)) = &files[3].came else { panic!("it is another") };
        let new = sides.1.pieces.iter().filter(|piece| piece.change == Change::Inserted);
        assert_eq!(new.map(|piece| &*piece.text).collect::<Vec<_>>(), ["+y\n"]);
    }

    #[test]
    fn long_changes_are_not_compared() {
        let long = format!("@@ -0,0 +1,{LINES} @@\n{}", "+x\n".repeat(LINES));
        assert!(matches!(since(&read(&long), &read(&long)), Since::TooLong));
    }
}
