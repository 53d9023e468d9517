//! Where in a text an issue stands: at what it quotes, or at the part it names.
//!
//! Invariant: a place is never guessed; the words stand there as the issue has them.
//! Absent here: issues that speak of the whole, which have no place.

use crate::review::model::ReviewIssue;

/// Names of a candidate's own fields: they speak of the whole text, even where the word stands in it.
const WHOLE: [&str; 5] = ["content", "format", "candidate", "asset_id", "text"];

/// Marks that open a quotation, with those that close it.
const QUOTES: [(char, &[char]); 8] = [
    ('“', &['”', '“']),
    ('„', &['“', '”']),
    ('"', &['"']),
    ('«', &['»']),
    ('»', &['«']),
    ('‘', &['’', '‘']),
    ('`', &['`']),
    ('\'', &['\'']),
];

/// The first line, from 1, of what the issue speaks of, where that can be found in the text.
#[must_use]
pub fn line_of(text: &str, issue: &ReviewIssue) -> Option<usize> {
    let mut words = quotations(&issue.message);
    // The longest says best where; a single word may stand anywhere.
    words.sort_by_key(|words| std::cmp::Reverse(words.len()));
    let field = issue.field.as_deref().map(str::trim);
    words.extend(field.filter(|field| !WHOLE.contains(field)));
    let at =
        words.into_iter().filter(|words| !words.is_empty()).find_map(|words| text.find(words))?;
    Some(text.get(..at)?.matches('\n').count() + 1)
}

/// What stands in quotation marks, without the dots of a shortened quotation.
fn quotations(message: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut before = None;
    let mut rest = message.char_indices();
    while let Some((at, c)) = rest.next() {
        let opens = QUOTES.iter().find(|(open, _)| *open == c);
        // An apostrophe within a word opens nothing.
        let opens = opens.filter(|_| !before.is_some_and(char::is_alphanumeric));
        before = Some(c);
        let Some((open, closing)) = opens else { continue };
        let inner = message.get(at + open.len_utf8()..).unwrap_or_default();
        let Some(words) = quoted(inner, closing) else { continue };
        found.push(words.trim().trim_end_matches(['…', '.']).trim_end());
        let end = at + open.len_utf8() + words.len();
        while rest.clone().next().is_some_and(|(next, _)| next <= end) {
            before = rest.next().map(|(_, c)| c);
        }
    }
    found
}

/// The words up to the mark that closes them, which no letter follows.
fn quoted<'a>(inner: &'a str, closing: &[char]) -> Option<&'a str> {
    let ends = inner.match_indices(closing).find(|(at, mark)| {
        let next = inner.get(at + mark.len()..).and_then(|rest| rest.chars().next());
        !next.is_some_and(char::is_alphanumeric)
    });
    inner.get(..ends?.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::model::IssueSeverity;
    use proptest::prelude::*;

    const TEXT: &str =
        "# A title\n\nThe content is short.\nIt's \"odd\". 50% of all.\nThe end is near.";

    #[track_caller]
    fn check(message: &str, field: Option<&str>, expected: Option<usize>) {
        let issue = ReviewIssue {
            code: None,
            field: field.map(str::to_owned),
            issue_id: uuid::Uuid::nil(),
            message: message.to_owned(),
            severity: IssueSeverity::Error,
        };
        assert_eq!(line_of(TEXT, &issue), expected, "{message}");
    }

    #[test]
    fn a_quotation_is_found_whatever_marks_it_has() {
        for message in [
            "“is near” x",
            "cut „is near“",
            "'is near'",
            "`is near`: no",
            "«is near»",
            "x \"is near\"",
        ] {
            check(message, None, Some(5));
        }
    }

    #[test]
    fn the_longest_quotation_says_where() {
        check("“The” in “The end is n…” points nowhere", None, Some(5));
        check("“The” in “The end of it” points nowhere", None, Some(3));
    }

    #[test]
    fn an_apostrophe_quotes_nothing() {
        check("it's the editor's 'odd' word", None, Some(4));
        check("it's the editor's word", None, None);
    }

    #[test]
    fn a_field_is_found_unless_it_means_the_whole() {
        check("too short", Some("# A title"), Some(1));
        check("too short", Some("content"), None);
        check("too short", Some("intro"), None);
        check("", Some(""), None);
        check("“…” \"\" “", None, None);
    }
    proptest! {
        #[test]
        fn no_message_makes_it_panic_and_every_line_is_there(message in "[“”„\"'`«»‘’a e.…]{0,30}|\\PC{0,30}", field in prop::option::of("\\PC{0,8}")) {
            let issue = ReviewIssue {
                code: None,
                field,
                issue_id: uuid::Uuid::nil(),
                message,
                severity: IssueSeverity::Warning,
            };
            prop_assert!(line_of(TEXT, &issue).is_none_or(|line| (1..=5).contains(&line)));
        }
    }
}
