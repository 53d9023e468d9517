//! One check held against one answer.
//!
//! Invariant: only what is wrong by every common way of looking is told.
//! Absent here: reading constraints.

use super::{
    check::{Check, Form, Keys, Length, Unit},
    measure::{Measured, fold},
};
use serde_json::Value;

/// What is wrong and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    /// What was measured, against what.
    pub(super) what: String,
    /// What to change.
    pub(super) fix: String,
}

fn wrong(what: impl Into<String>, fix: impl Into<String>) -> Option<Wrong> {
    Some(Wrong { what: what.into(), fix: fix.into() })
}

/// What this answer lacks for this check.
pub(super) fn judge(check: &Check, answer: &Measured<'_>) -> Option<Wrong> {
    match check {
        Check::Length(length) => too_long_or_short(*length, answer),
        Check::Contains(phrase) if contains(answer, phrase) => None,
        Check::Contains(phrase) => wrong(
            format!("it does not contain {phrase:?}"),
            format!("Put in {phrase:?}, word for word."),
        ),
        Check::Lacks(phrase) if has_word(answer, phrase) => {
            wrong(format!("it contains {phrase:?}"), format!("Take out {phrase:?}."))
        }
        Check::Lacks(_) => None,
        Check::Starts(phrase) => edge(answer, phrase, true),
        Check::Ends(phrase) => edge(answer, phrase, false),
        Check::Section(title) if has_section(answer, title) => None,
        Check::Section(title) => wrong(
            format!("no section is titled {title:?}"),
            format!("Add a section titled {title:?}."),
        ),
        Check::Json(keys) => no_json(keys, answer),
        Check::Form(form) => other_form(*form, answer),
        Check::Language(wanted) => {
            let found = answer.language().filter(|found| found != wanted)?;
            let wanted = wanted.name();
            wrong(
                format!("it is in {}, not in {wanted}", found.name()),
                format!("Write it in {wanted}."),
            )
        }
    }
}

fn too_long_or_short(length: Length, answer: &Measured<'_>) -> Option<Wrong> {
    let Length { unit, least, most } = length;
    let count = answer.count(unit);
    // Items may be told without a list.
    if unit == Unit::Items && *count.end() == 0 {
        return None;
    }
    let (limit, measured, word) = match (least, most) {
        (_, Some(most)) if *count.start() > most => (most, *count.start(), "most"),
        (Some(least), _) if *count.end() < least => (least, *count.end(), "least"),
        _ => return None,
    };
    let (limits, verb) = (
        if least == most { "exactly".to_owned() } else { format!("at {word}") },
        if word == "most" { "Shorten" } else { "Extend" },
    );
    let name = unit.name(limit);
    wrong(
        format!(
            "it has {measured} {}; {limits} {limit} {} asked for",
            unit.name(measured),
            if limit == 1 { "is" } else { "are" }
        ),
        format!("{verb} it to {limits} {limit} {name}."),
    )
}

fn contains(answer: &Measured<'_>, phrase: &str) -> bool {
    let phrase = fold(phrase);
    let bare = phrase.replace(['*', '_', '`'], "");
    answer.folded.contains(&phrase) || answer.bare.contains(&bare)
}

/// Is the phrase there as words of its own? Short names in capitals are told from words: `US` is not `us`.
fn has_word(answer: &Measured<'_>, phrase: &str) -> bool {
    let name = phrase.chars().count() < 4 && phrase.contains(char::is_uppercase);
    let folded = fold(phrase);
    if !name && !answer.has_words(&folded) {
        return false;
    }
    let (text, phrase) =
        if name { (answer.text, phrase) } else { (answer.folded.as_str(), folded.as_str()) };
    !phrase.is_empty()
        && text.match_indices(phrase).any(|(at, found)| stands_alone(text, at, found))
}

fn stands_alone(text: &str, at: usize, found: &str) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at + found.len()..).and_then(|after| after.chars().next());
    let apart = |edge: Option<char>, beside: Option<char>| {
        !edge.is_some_and(char::is_alphanumeric) || !beside.is_some_and(char::is_alphanumeric)
    };
    apart(found.chars().next(), before) && apart(found.chars().next_back(), after)
}

fn edge(answer: &Measured<'_>, phrase: &str, first: bool) -> Option<Wrong> {
    let decoration = |sign: char| "#*_>`\"'- ".contains(sign);
    let closing = |sign: char| "*_`\"' ".contains(sign);
    let (folded, phrase_folded) = (&answer.folded, fold(phrase));
    let held = if first {
        folded.starts_with(&phrase_folded)
            || folded.trim_start_matches(decoration).starts_with(&phrase_folded)
    } else {
        let stop = phrase_folded.trim_end_matches(['.', '!']);
        [folded.as_str(), folded.trim_end_matches(closing)].into_iter().any(|text| {
            text.ends_with(&phrase_folded) || text.trim_end_matches(['.', '!']).ends_with(stop)
        })
    };
    let (verb, place) = if first { ("start", "Begin") } else { ("end", "End") };
    if held {
        return None;
    }
    wrong(format!("it does not {verb} with {phrase:?}"), format!("{place} with {phrase:?}."))
}

fn has_section(answer: &Measured<'_>, title: &str) -> bool {
    let title = fold(title);
    // The sections of data are its keys.
    if answer.text.starts_with(['{', '[', '<']) {
        return answer.folded.contains(&title);
    }
    answer.folded_lines().iter().any(|line| {
        let heading = line.starts_with('#') || line.starts_with("**") || line.chars().count() < 80;
        let inner = line.trim_start_matches(|sign: char| !sign.is_alphabetic());
        inner.starts_with(&title) || (heading && line.contains(&title))
    })
}

fn no_json(keys: &Keys, answer: &Measured<'_>) -> Option<Wrong> {
    let value = match answer.json() {
        Ok(value) => value,
        // Deeper than our parser goes is still JSON.
        Err(error) if error.to_string().starts_with("recursion limit") => return None,
        Err(_) if answer.lines.fences > 0 => {
            return wrong(
                "it is not valid JSON as it stands: there are code fences around it",
                "Give the JSON alone, without code fences.",
            );
        }
        Err(error) => {
            return wrong(
                format!("it is not valid JSON: {error}"),
                "Give one valid JSON document and nothing else.",
            );
        }
    };
    let objects: Vec<&Value> = value.as_array().map_or(vec![value], |items| items.iter().collect());
    let missing = |key: &&String| {
        objects.is_empty() || objects.iter().any(|object| object.get(key.as_str()).is_none())
    };
    let missing: Vec<&String> = keys.named.iter().filter(missing).collect();
    if !missing.is_empty() {
        return wrong(
            format!("keys are missing: {}", quoted(&missing)),
            format!("Add {}.", quoted(&missing)),
        );
    }
    let present =
        objects.iter().filter_map(|object| object.as_object()).flat_map(|object| object.keys());
    let extra: Vec<&String> =
        present.filter(|key| keys.no_others && !keys.named.contains(key)).collect();
    if extra.is_empty() {
        return None;
    }
    wrong(
        format!("keys were not asked for: {}", quoted(&extra)),
        format!("Take out {}.", quoted(&extra)),
    )
}

fn quoted(names: &[&String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

fn other_form(form: Form, answer: &Measured<'_>) -> Option<Wrong> {
    let lines = &answer.lines;
    let listed = lines.bullets.len() + lines.numbers.len();
    let (held, what, fix) = match form {
        Form::Bullets => {
            (!lines.bullets.is_empty(), "it has no bullet list", "Give a bullet list.")
        }
        Form::Numbered => {
            (!lines.numbers.is_empty(), "it has no numbered list", "Give a numbered list.")
        }
        Form::List => (listed > 0 || is_data(answer), "it has no list", "Give a list."),
        Form::MarkdownTable => {
            (lines.rules > 0, "it has no Markdown table", "Give a Markdown table.")
        }
        Form::Table => (has_table(answer), "it has no table", "Give a table."),
        Form::CodeBlock => {
            (has_code(answer), "it has no code block", "Put the code into a code block.")
        }
        Form::Plain => {
            (!has_markdown(answer), "it has Markdown in it", "Give plain text without Markdown.")
        }
        Form::NoHeadings => (lines.headings == 0, "it has headings", "Take out the headings."),
        Form::NoBullets => (
            lines.bullets.len() < 2,
            "it has a bullet list",
            "Write running text instead of bullet points.",
        ),
        Form::NoTables => (lines.rules == 0, "it has a table", "Take out the table."),
        Form::NoCode => (lines.fences == 0, "it has a code block", "Take out the code block."),
        Form::Machine => (true, "", ""),
    };
    if held { None } else { wrong(what, fix) }
}

fn is_data(answer: &Measured<'_>) -> bool {
    answer.text.starts_with(['{', '[', '<'])
}

fn has_table(answer: &Measured<'_>) -> bool {
    answer.text.contains(['|', '\t', '│']) || answer.folded.contains("<table") || is_data(answer)
}

fn has_code(answer: &Measured<'_>) -> bool {
    let indented = |line: &&str| line.starts_with("    ") || line.starts_with('\t');
    answer.lines.fences > 0 || answer.lines.prose.iter().any(indented)
}

fn has_markdown(answer: &Measured<'_>) -> bool {
    let lines = &answer.lines;
    let bold = answer.text.matches("**").count() > 1;
    lines.headings > 0
        || lines.fences > 0
        || lines.rules > 0
        || bold
        || answer.text.contains("](http")
}
