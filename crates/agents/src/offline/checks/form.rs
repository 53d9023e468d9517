//! The outer form: slugs, titles, plain text, and marks that belong to a transcript only.
//!
//! Invariant: looks at characters, not at what the episode says. Absent here: lengths.

use super::one;
use crate::offline::rubric::Form;
use crate::offline::words::is_capitalised;

pub(super) fn check(form: Form, text: &str) -> Vec<String> {
    let text = text.trim();
    match form {
        Form::Slug => one(!is_slug(text), &format!("“{}”", super::excerpt(text))),
        Form::Title => one(!is_title(text), &format!("“{}”", super::excerpt(text))),
        Form::List => one(text.split(',').any(|item| item.trim().is_empty()), "an empty item"),
    }
}

/// `^[a-z0-9]+(-[a-z0-9]+)*$`
pub(crate) fn is_slug(text: &str) -> bool {
    text.split('-').all(|part| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    })
}

fn is_title(text: &str) -> bool {
    let opens = is_capitalised(text) || text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let doubled = ["..", "::", ",,", "  ", "--"].iter().any(|pair| text.contains(pair));
    opens && !doubled && !text.ends_with(['.', ',', ':', ';'])
}

pub(super) fn markdown(text: &str) -> Vec<String> {
    let marks =
        ["**", "](", "`", "__"].into_iter().filter(|mark| text.contains(mark)).map(str::to_owned);
    let heading = text
        .lines()
        .any(|line| line.starts_with("# ") || line.starts_with("##") && !line.starts_with("###-"));
    marks.chain(heading.then(|| "a heading".to_owned())).collect()
}

pub(super) fn characters(none_of: &str, text: &str) -> Vec<String> {
    none_of.chars().filter(|c| text.contains(*c)).map(|c| format!("“{c}”")).collect()
}

pub(super) fn markers(text: &str) -> Vec<String> {
    let bold = text.lines().filter(|line| bold_speaker(line).is_some()).map(super::excerpt);
    let mut found: Vec<String> = bold.collect();
    found.extend(times(text).map(str::to_owned));
    found
}

/// `text` without time marks and bold speaker names.
pub(super) fn without_markers(text: &str) -> String {
    let lines = text.lines().map(|line| bold_speaker(line).unwrap_or(line).trim());
    let mut clean = lines.collect::<Vec<_>>().join("\n");
    let marks: Vec<String> = times(&clean).map(str::to_owned).collect();
    for mark in marks {
        clean = clean.replace(&mark, "");
    }
    clean
}

/// What follows `**Name:**` in a line.
fn bold_speaker(line: &str) -> Option<&str> {
    let (name, rest) = line.trim().strip_prefix("**")?.split_once(":**")?;
    (!name.contains('*')).then_some(rest)
}

/// Marks such as `[04:11]`, `\[01:02:03.4\]` and `[laughter]`.
fn times(text: &str) -> impl Iterator<Item = &str> {
    let opens = text.match_indices('[').map(|(at, _)| at);
    opens.filter_map(|at| {
        let end = at + text[at..].find(']')?;
        let inner = text[at + 1..end].trim_end_matches('\\');
        let time = inner.contains(':')
            && inner.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.'));
        let note = matches!(
            inner,
            "laughter" | "laughs" | "music" | "applause" | "unintelligible" | "inaudible"
        );
        let from = if text[..at].ends_with('\\') { at - 1 } else { at };
        (time || note).then_some(&text[from..=end])
    })
}
