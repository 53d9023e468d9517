//! The hunks of a model's diff, with their lines counted anew: models count badly, and git believes the counts.
//!
//! Where a count is too small, git takes what was counted and passes over the rest without a word.
//!
//! Invariant: every line that adds or takes away belongs to a hunk, or the diff is refused.
//! Absent here: where a hunk fits; git looks for that.

use super::protected::Refusal;

/// The diff with the right counts.
pub(super) fn recounted(diff: &str) -> Result<String, Refusal> {
    let lines: Vec<&str> = diff.split_inclusive('\n').collect();
    let (mut text, mut at) = (String::with_capacity(diff.len()), 0);
    while at < lines.len() {
        if !lines[at].starts_with("@@") {
            let next = at + length_of_head(&lines, at)?;
            text.extend(lines[at..next].iter().copied());
            at = next;
            continue;
        }
        let head = Head::read(lines[at]).ok_or(Refusal::NoNumbers { line: at + 1 })?;
        let run = lines[at + 1..].len();
        let end = (at + 1..=at + run).find(|&n| !is_of_hunk(&lines, n)).unwrap_or(lines.len());
        let body = &lines[at + 1..end];
        let own = match head.holds(body) {
            true => (head.old, head.new),
            false if is_clear_end(&lines, end) => count(without_blanks(body)),
            false => return Err(Refusal::Stray { line: end + 1 }),
        };
        text.push_str(&head.with(own));
        text.extend(body.iter().copied());
        at = after_words(&lines, end)?;
    }
    Ok(text)
}

/// How many lines belong together that stand before the hunks of a file.
fn length_of_head(lines: &[&str], at: usize) -> Result<usize, Refusal> {
    match (lines[at].starts_with(['+', '-']), begins_file(lines, at)) {
        (true, true) => Ok(2),
        (true, false) => Err(Refusal::Stray { line: at + 1 }),
        (false, _) => Ok(1),
    }
}

/// Whether the header of a file begins here.
pub(super) fn begins_file(lines: &[&str], at: usize) -> bool {
    let starts = |at: usize, with| lines.get(at).is_some_and(|line| line.starts_with(with));
    let two = starts(at, "--- ") && starts(at + 1, "+++ ");
    starts(at, "diff --git ") || (two && (at + 2 >= lines.len() || starts(at + 2, "@@")))
}

/// What `@@ -1,2 +3,4 @@` says.
struct Head<'a> {
    from: &'a str,
    old: usize,
    to: &'a str,
    new: usize,
    rest: &'a str,
}

impl<'a> Head<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (numbers, rest) = line.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = numbers.split_once(" +")?;
        let range = |text: &'a str| {
            let (from, count) = text.split_once(',').unwrap_or((text, "1"));
            from.parse::<usize>().ok()?;
            Some((from, count.parse::<usize>().ok()?))
        };
        let ((from, old), (to, new)) = (range(old)?, range(new)?);
        Some(Self { from, old, to, new, rest })
    }

    fn with(&self, (old, new): (usize, usize)) -> String {
        format!("@@ -{},{old} +{},{new} @@{}", self.from, self.to, self.rest)
    }

    /// Whether its counts are those of the body, blank lines at the end aside.
    fn holds(&self, body: &[&str]) -> bool {
        let sure = without_blanks(body);
        let (old, new) = count(sure);
        let more = self.old.checked_sub(old).filter(|more| *more <= body.len() - sure.len());
        more.is_some() && more == self.new.checked_sub(new)
    }
}

/// A line of a hunk begins with a sign. One that is blank has lost its own, as editors and models like.
fn is_of_hunk(lines: &[&str], at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    let has_sign = line.starts_with([' ', '+', '-', '\\']) || is_blank(line);
    has_sign && !begins_file(lines, at)
}

fn is_blank(line: &str) -> bool {
    line.trim_end_matches(['\r', '\n']).is_empty()
}

fn without_blanks<'a, 'b>(body: &'b [&'a str]) -> &'b [&'a str] {
    let end = body.iter().rposition(|line| !is_blank(line)).map_or(0, |last| last + 1);
    &body[..end]
}

/// How many lines a hunk has of the old file and of the new.
fn count(body: &[&str]) -> (usize, usize) {
    let of = |signs: [char; 2]| {
        body.iter().filter(|line| line.starts_with(signs) || is_blank(line)).count()
    };
    (of([' ', '-']), of([' ', '+']))
}

/// Whether a hunk ends here beyond doubt.
fn is_clear_end(lines: &[&str], at: usize) -> bool {
    at >= lines.len() || lines[at].starts_with("@@") || begins_file(lines, at)
}

/// Where the next hunk or file begins, after words that belong to none.
fn after_words(lines: &[&str], from: usize) -> Result<usize, Refusal> {
    let mut at = from;
    while !is_clear_end(lines, at) {
        if lines[at].starts_with(['+', '-']) {
            return Err(Refusal::Stray { line: at + 1 });
        }
        at += 1;
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "--- a/x\n+++ b/x\n";

    fn counted(hunks: &str) -> Result<String, Refusal> {
        recounted(&format!("{HEAD}{hunks}")).map(|text| text[HEAD.len()..].to_owned())
    }

    #[test]
    fn right_counts_stay_and_wrong_ones_are_put_right() {
        let right = "@@ -1,2 +1,2 @@ fn x\n one\n-two\n+2\n";
        for head in ["-1,2 +1,2", "-1,1 +1,1", "-1 +1", "-1,9 +1,9"] {
            assert_eq!(counted(&right.replace("-1,2 +1,2", head)).as_deref(), Ok(right), "{head}");
        }
    }

    #[test]
    fn a_file_after_a_hunk_is_no_part_of_it() {
        let two = format!("@@ -1 +1 @@\n-a\n+b\n+c\n{HEAD}@@ -7,3 +7,3 @@\n-a\n+b\n");
        let right = format!("@@ -1,1 +1,2 @@\n-a\n+b\n+c\n{HEAD}@@ -7,1 +7,1 @@\n-a\n+b\n");
        assert_eq!(counted(&two), Ok(right));
    }

    #[test]
    fn blank_lines_are_context_where_the_count_says_so_and_the_end_where_not() {
        let inner = "@@ -1,3 +1,3 @@\n-a\n+b\n\n c\n";
        assert_eq!(counted(inner).as_deref(), Ok(inner));
        let last = "@@ -1,2 +1,2 @@\n-a\n+b\n\n";
        assert_eq!(counted(last).as_deref(), Ok(last));
        let beyond = "@@ -1,1 +1,1 @@\n-a\n+b\n\n\n";
        assert_eq!(counted(beyond).as_deref(), Ok(beyond));
    }

    #[test]
    fn lines_that_git_would_pass_over_are_refused_by_their_number() {
        let lost = "@@ -1,3 +1,3 @@\n-a\n+b\nlost its blank\n-c\n+d\n";
        assert_eq!(counted(lost), Err(Refusal::Stray { line: 6 }));
        let later = "@@ -1,1 +1,1 @@\n-a\n+b\nlost its blank\n-c\n+d\n";
        assert_eq!(counted(later), Err(Refusal::Stray { line: 7 }));
        assert_eq!(counted("-a\n+b\n"), Err(Refusal::Stray { line: 1 }));
        for head in ["@@ ... @@", "@@", "@@ fn x @@"] {
            let hunk = format!("{head}\n-a\n+b\n");
            assert_eq!(counted(&hunk), Err(Refusal::NoNumbers { line: 3 }), "{head}");
        }
    }

    /// Lines as diffs have them, in any order.
    fn any_diff() -> impl proptest::strategy::Strategy<Value = String> {
        let line = proptest::sample::select(vec![
            "--- a/x",
            "+++ b/x",
            "@@ -1,2 +1,2 @@",
            "@@ -1 +1 @@",
            "@@",
            " a",
            "-a",
            "+b",
            "",
            "\r",
            "words",
            "\\ No newline at end of file",
            "diff --git a/x b/x",
            "--- ",
            "+++ ",
            "-- ",
            "+",
        ]);
        use proptest::strategy::Strategy;
        proptest::collection::vec(line, 0..40).prop_map(|lines| lines.join("\n"))
    }

    proptest::proptest! {
        #[test]
        fn what_was_counted_once_stays_and_keeps_every_line_that_changes_something(diff in any_diff()) {
            if let Ok(text) = recounted(&diff) {
                proptest::prop_assert_eq!(recounted(&text), Ok(text.clone()));
                let signs = |text: &str| text.lines().filter(|line| line.starts_with(['+', '-'])).count();
                proptest::prop_assert_eq!(signs(&text), signs(&diff));
            }
        }
    }

    #[test]
    fn words_after_a_hunk_with_right_counts_are_words() {
        let told = "@@ -1,1 +1,1 @@\n-a\n+b\nThat is all.\n";
        assert_eq!(counted(told).unwrap(), "@@ -1,1 +1,1 @@\n-a\n+b\n");
    }
}
