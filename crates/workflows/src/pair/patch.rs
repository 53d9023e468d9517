//! A unified diff as files, hunks and lines of two sides, for whoever shows it.
//!
//! A reader of its own, since libraries refuse what they do not know and leave out what stands between hunks; whoever
//! judges a change has to see both.
//!
//! Invariant: every line of the text stands in it once, in order; no text is refused.
//! Absent here: applying, and what git makes of a path.

/// What a diff says of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileChange<'a> {
    /// The lines before its first hunk, whole.
    pub head: Vec<&'a str>,
    /// Its hunks; none where only its name or mode changes, or where it is no text.
    pub hunks: Vec<Hunk<'a>>,
}

/// Lines that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// The line that says where it stands, whole.
    pub head: &'a str,
    /// Its lines.
    pub lines: Vec<Line<'a>>,
}

/// A line of a hunk, with its number in the file on each side that has it; texts are without the sign before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// Both sides have it.
    Kept {
        /// Its number before.
        old: u64,
        /// Its number afterwards.
        new: u64,
        /// Its text.
        text: &'a str,
    },
    /// The new side has it no more.
    Removed {
        /// Its number before.
        old: u64,
        /// Its text.
        text: &'a str,
    },
    /// The new side alone has it.
    Inserted {
        /// Its number afterwards.
        new: u64,
        /// Its text.
        text: &'a str,
    },
    /// It belongs to neither side: a remark of git, or what follows a hunk and is no diff; whole.
    Note(&'a str),
}

impl<'a> FileChange<'a> {
    /// The path as the diff has it, the new one where there are two; empty where the diff names none.
    pub fn path(&self) -> &'a str {
        let after = |start: &str| self.head.iter().find_map(|line| line.strip_prefix(start));
        let named = |start, side| {
            let path = after(start)?.split(['\t', '\r']).next().unwrap_or_default();
            (path != "/dev/null").then(|| path.strip_prefix(side).unwrap_or(path))
        };
        let renamed = || after("rename to ").or_else(|| after("diff --git "));
        named("+++ ", "b/").or_else(|| named("--- ", "a/")).or_else(renamed).unwrap_or_default()
    }

    /// How many lines are put in, and how many are taken out.
    pub fn counts(&self) -> (usize, usize) {
        let lines = || self.hunks.iter().flat_map(|hunk| &hunk.lines);
        let inserted = lines().filter(|line| matches!(line, Line::Inserted { .. })).count();
        (inserted, lines().filter(|line| matches!(line, Line::Removed { .. })).count())
    }

    /// Whether a line that begins like a file's head begins another file.
    fn is_complete(&self) -> bool {
        !self.hunks.is_empty() || self.head.iter().any(|line| line.starts_with("--- "))
    }
}

/// Reads a diff. What is none comes back as the head of a file without a name.
pub fn read(diff: &str) -> Vec<FileChange<'_>> {
    let mut reader = Reader::default();
    if !diff.is_empty() {
        let lines = diff.strip_suffix('\n').unwrap_or(diff).split('\n');
        lines.for_each(|line| reader.take(line));
    }
    reader.files
}

/// How far a diff is read.
#[derive(Default)]
struct Reader<'a> {
    files: Vec<FileChange<'a>>,
    old: Side,
    new: Side,
}

/// A side of the hunk at hand.
#[derive(Default, Clone, Copy)]
struct Side {
    /// The number of its next line.
    next: u64,
    /// How many lines of it are still to come.
    left: u64,
}

impl Side {
    fn step(&mut self) -> u64 {
        let number = self.next;
        self.next = number.saturating_add(1);
        self.left -= 1;
        number
    }
}

impl<'a> Reader<'a> {
    fn take(&mut self, line: &'a str) {
        let inside = self.inside(line);
        let file = self.files.last_mut();
        let complete = file.as_ref().is_none_or(|file| file.is_complete());
        let hunk = file.and_then(|file| file.hunks.last_mut());
        let begins = line.starts_with("diff --git ") || (complete && line.starts_with("--- "));
        match (inside, hunk, sides(line)) {
            (Some(inside), Some(hunk), _) => hunk.lines.push(inside),
            (_, _, Some(sides)) => self.begin_hunk(line, sides),
            (_, Some(hunk), None) if !begins => hunk.lines.push(Line::Note(line)),
            _ => self.head(line, begins),
        }
    }

    /// The line as one of the hunk at hand, while that is not at its end.
    fn inside(&mut self, line: &'a str) -> Option<Line<'a>> {
        let (old, new) = (&mut self.old, &mut self.new);
        let text = line.get(1..).unwrap_or_default();
        match line.bytes().next().unwrap_or(b' ') {
            b' ' if old.left > 0 && new.left > 0 => {
                Some(Line::Kept { old: old.step(), new: new.step(), text })
            }
            b'-' if old.left > 0 => Some(Line::Removed { old: old.step(), text }),
            b'+' if new.left > 0 => Some(Line::Inserted { new: new.step(), text }),
            b'\\' if old.left > 0 || new.left > 0 => Some(Line::Note(line)),
            _ => {
                (old.left, new.left) = (0, 0);
                None
            }
        }
    }

    fn begin_hunk(&mut self, head: &'a str, sides: (Side, Side)) {
        (self.old, self.new) = sides;
        let hunk = Hunk { head, lines: Vec::new() };
        match self.files.last_mut() {
            Some(file) => file.hunks.push(hunk),
            None => self.files.push(FileChange { head: Vec::new(), hunks: vec![hunk] }),
        }
    }

    fn head(&mut self, line: &'a str, begins: bool) {
        match self.files.last_mut().filter(|_| !begins) {
            Some(file) => file.head.push(line),
            None => self.files.push(FileChange { head: vec![line], hunks: Vec::new() }),
        }
    }
}

/// Where a hunk stands on both sides: `@@ -1,2 +1,3 @@`, each count left out where it is one.
fn sides(line: &str) -> Option<(Side, Side)> {
    let (places, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = places.split_once(" +")?;
    let side = |place: &str| {
        let (next, left) = place.split_once(',').unwrap_or((place, "1"));
        Some(Side { next: next.parse().ok()?, left: left.parse().ok()? })
    };
    Some((side(old)?, side(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO_FILES: &str = "\
diff --git a/x b/x
index 1..2 100644
--- a/x
+++ b/x
@@ -1,3 +1,3 @@ fn main
 one
-two
+II
 three
\\ No newline at end of file
diff --git a/new file b/new file
new file mode 100644
--- /dev/null
+++ b/new file\t
@@ -0,0 +1 @@
+text
";

    /// All lines of a diff as it was.
    fn whole(files: &[FileChange<'_>]) -> Vec<String> {
        let line = |line: &Line<'_>| match line {
            Line::Kept { text, .. } => format!(" {text}"),
            Line::Removed { text, .. } => format!("-{text}"),
            Line::Inserted { text, .. } => format!("+{text}"),
            Line::Note(text) => (*text).to_owned(),
        };
        let mut all = Vec::new();
        for file in files {
            all.extend(file.head.iter().map(|head| (*head).to_owned()));
            for hunk in &file.hunks {
                all.push(hunk.head.to_owned());
                all.extend(hunk.lines.iter().map(line));
            }
        }
        all
    }

    #[test]
    fn files_hunks_and_lines_stand_where_the_diff_says() {
        let files = read(TWO_FILES);
        let told: Vec<_> = files.iter().map(|file| (file.path(), file.counts())).collect();
        assert_eq!(told, [("x", (1, 1)), ("new file", (1, 0))]);
        let [hunk] = &files[0].hunks[..] else { panic!("{files:?}") };
        assert_eq!(
            hunk.lines,
            [
                Line::Kept { old: 1, new: 1, text: "one" },
                Line::Removed { old: 2, text: "two" },
                Line::Inserted { new: 2, text: "II" },
                Line::Kept { old: 3, new: 3, text: "three" },
                Line::Note("\\ No newline at end of file"),
            ]
        );
    }

    #[test]
    fn no_line_is_lost_whatever_the_text_is() {
        for text in [
            TWO_FILES,
            "no diff at all\n\n@@ nor this",
            "@@ -1 +1 @@\n-a\n+b\nwords between\n--- a/y\n+++ b/y\n@@ -9,9 +9,9 @@\n+cut off",
            "diff --git a/x b/y\nrename from x\nrename to y\ndiff --git a/z b/z\nBinary files differ",
            "@@ -1,99999999999999999999 +1 @@\n+x\n@@ -18446744073709551615,2 +0 @@\n-a\n-b\n",
            "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n--- a heading\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\r\n+2\n",
            "\u{e9}\n@@ -1,2 +1 @@\n\u{e9} is no sign of a hunk\n",
        ] {
            let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
            assert_eq!(whole(&read(text)), lines, "{text:?}");
        }
        assert_eq!(read(""), []);
    }

    proptest! {
        #[test]
        fn no_line_is_lost_of_any_text(lines in prop::collection::vec(piece(), 0..24)) {
            let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            let blank_at_the_end_goes = |line: &str| line.trim_end().to_owned();
            let told = whole(&read(&text));
            let told: Vec<String> = told.iter().map(|line| blank_at_the_end_goes(line)).collect();
            let lines: Vec<String> = lines.iter().map(|line| blank_at_the_end_goes(line)).collect();
            prop_assert_eq!(told, lines);
        }
    }

    /// A line that a diff may have, or one like it.
    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            "[-+ \\\\][-+@ a]{0,3}",
            "@@ -[0-3](,[0-3])? \\+[0-3](,[0-3])? @@ ?a?",
            Just("--- a/x".to_owned()),
            Just("+++ b/x".to_owned()),
            Just("diff --git a/x b/x".to_owned()),
            "[a@é]{0,3}",
        ]
    }

    #[test]
    fn a_line_that_looks_like_a_head_is_the_hunks_while_it_is_not_at_its_end() {
        let files = read("--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n--- a heading\n--- a/y\n+++ b/y\n");
        assert_eq!(files.iter().map(FileChange::path).collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(files[0].hunks[0].lines, [Line::Removed { old: 1, text: "-- a heading" }]);
    }

    #[test]
    fn a_file_without_hunks_is_named_by_what_becomes_of_it() {
        let of = |text| read(text)[0].path().to_owned();
        assert_eq!(of("diff --git a/x b/y\nrename from x\nrename to y"), "y");
        assert_eq!(of("diff --git a/z b/z\nold mode 100644"), "a/z b/z");
        assert_eq!(of("--- a/gone\n+++ /dev/null"), "gone");
        assert_eq!(of("@@ -1 +1 @@\n-a\n+b"), "");
    }
}
