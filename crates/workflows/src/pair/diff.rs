//! Unified diffs as models write them: fenced, indented, with words before and after.
//!
//! Invariant: no line of a hunk is changed; what is taken away stands outside the diff.
//! Absent here: applying. Git has the word on what applies.

/// The diff in a model's text: without a fence, the words around it, and an indentation that all its lines share. A
/// carriage return at a line's end goes where the diff's first line has one too; else it is the file's.
/// Of several diffs, each in a fence of its own, all are taken.
/// A text in which no diff begins is given back as it is, for git to refuse.
pub fn clean(text: &str) -> String {
    let (_, diff) = apart(text);
    if diff.is_empty() { text.to_owned() } else { diff }
}

/// The words around the diffs of a text, and the diffs.
pub(super) fn apart(text: &str) -> (String, String) {
    let lines: Vec<&str> = text.split('\n').collect();
    let (mut words, mut diffs, mut rest) = (Vec::new(), String::new(), &lines[..]);
    while let Some(first) = rest.iter().position(|line| begins(line.trim_start())) {
        let (before, from) = rest.split_at(first);
        let (diff, after) = one(from);
        diffs.push_str(&diff);
        words.extend_from_slice(match before {
            [words @ .., last] if is_fence(last.trim_start()) => words,
            words => words,
        });
        rest = match after {
            [first, rest @ ..] if is_fence(first.trim_start()) => rest,
            rest => rest,
        };
    }
    words.extend_from_slice(rest);
    (words.join("\n"), diffs)
}

/// The diff that begins in the first of these lines, and the lines after it.
fn one<'a, 'b>(lines: &'b [&'a str]) -> (String, &'b [&'a str]) {
    let indent = &lines[0][..lines[0].len() - lines[0].trim_start().len()];
    let ending = if lines[0].ends_with('\r') { "\r" } else { "" };
    let own = lines.iter().map_while(|line| {
        let line = line.strip_suffix(ending).unwrap_or(line);
        match line.strip_prefix(indent) {
            Some(line) if !is_fence(line) => Some(line),
            None if line.trim().is_empty() => Some(""),
            Some(_) | None => None,
        }
    });
    let mut own: Vec<&str> = own.collect();
    let after = &lines[own.len()..];
    while own.last().is_some_and(|line| line.is_empty()) {
        own.pop();
    }
    (own.iter().flat_map(|line| [line, "\n"]).collect(), after)
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// Whether a diff begins with this line.
fn begins(line: &str) -> bool {
    line.starts_with("diff --git ") || line.starts_with("--- ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\n+two\n three\n";

    #[test]
    fn a_diff_alone_stays_as_it_is() {
        assert_eq!(clean(DIFF), DIFF);
        assert_eq!(
            clean(&format!("diff --git a/x b/x\n{DIFF}")),
            format!("diff --git a/x b/x\n{DIFF}")
        );
    }

    #[test]
    fn fences_and_words_around_it_go() {
        assert_eq!(clean(&format!("Here it is:\n\n```diff\n{DIFF}```\nDone.")), DIFF);
        assert_eq!(clean(&format!("~~~\n{DIFF}~~~\n")), DIFF);
        assert_eq!(clean(&format!("As asked.\n{DIFF}\n\n")), DIFF);
    }

    #[test]
    fn the_words_around_diffs_are_told_apart_from_them() {
        let text = format!("Why:\n\n```diff\n{DIFF}```\nand\n{DIFF}");
        assert_eq!(apart(&text), ("Why:\n\nand".to_owned(), format!("{DIFF}{DIFF}")));
        assert_eq!(apart("words\n"), ("words\n".to_owned(), String::new()));
    }

    #[test]
    fn an_indentation_that_all_lines_share_goes() {
        let indented: String = DIFF.lines().map(|line| format!("    {line}\n")).collect();
        assert_eq!(clean(&format!("The change:\n\n{indented}\nThat is all.")), DIFF);
    }

    #[test]
    fn a_fence_inside_a_hunk_is_the_hunks() {
        let diff = "--- a/README.md\n+++ b/README.md\n@@ -1 +1,4 @@\n text\n+```sh\n+run\n+```\n";
        assert_eq!(clean(&format!("```diff\n{diff}```\n")), diff);
    }

    #[test]
    fn diffs_in_fences_of_their_own_are_one() {
        let other = DIFF.replace('x', "y");
        let text = format!("First:\n```diff\n{DIFF}```\nThen:\n```diff\n{other}```\nDone.");
        assert_eq!(clean(&text), format!("{DIFF}{other}"));
    }

    #[test]
    fn a_carriage_return_is_the_files_where_the_first_line_has_none() {
        assert_eq!(clean(&format!("Here:\n{DIFF}").replace('\n', "\r\n")), DIFF);
        let of_the_file = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\r\n+two\r\n three\r\n";
        assert_eq!(clean(&format!("```\n{of_the_file}```\n")), of_the_file);
    }

    #[test]
    fn a_text_without_a_diff_stays_for_git_to_refuse() {
        assert_eq!(clean("I would change x."), "I would change x.");
    }
}
