//! Formats, sections and languages, as constraints name them.
//!
//! Invariant: the name of a format is taken for the answer's only where the answer is spoken of.
//! Absent here: looking at an answer.

use super::{
    check::{Check, Form, Keys},
    cursor::Cursor,
    language::Language,
};

const JSON: &[&str] = &[
    "json",
    "valid json",
    "json object",
    "valid json object",
    "json array",
    "valid json array",
    "json format",
    "json document",
    "valid json document",
    "json-format",
    "json-objekt",
    "gültiges json",
    "gültigem json",
    "strict json",
    "raw json",
];
const MACHINE: &[&str] = &[
    "yaml",
    "valid yaml",
    "xml",
    "valid xml",
    "csv",
    "toml",
    "tsv",
    "jsonl",
    "ndjson",
    "json lines",
    "yaml format",
    "xml format",
    "csv format",
    "toml format",
];
/// Behind these the name of a format may be that of a part, or of a tool.
const PARTS: [&str; 12] = [
    "use",
    "using",
    "include",
    "includes",
    "including",
    "contain",
    "contains",
    "containing",
    "have",
    "has",
    "with",
    "mit",
];
const FORMS: [(Form, &[&str]); 7] = [
    (
        Form::Bullets,
        &[
            "bullet list",
            "bulleted list",
            "bullet points",
            "bullets",
            "bullet-point list",
            "bullet point list",
            "unordered list",
            "stichpunkte",
            "stichpunkten",
            "stichpunktliste",
            "aufzählungsliste",
        ],
    ),
    (
        Form::Numbered,
        &[
            "numbered list",
            "ordered list",
            "nummerierte liste",
            "nummerierter liste",
            "numbered steps",
        ],
    ),
    (Form::List, &["list", "liste", "markdown list"]),
    (Form::MarkdownTable, &["markdown table", "markdown-table", "markdown-tabelle"]),
    (Form::Table, &["table", "tabelle", "tabular form"]),
    (Form::CodeBlock, &["code block", "fenced code block", "codeblock", "markdown code block"]),
    (
        Form::Plain,
        &[
            "plain text",
            "plaintext",
            "reiner text",
            "reinem text",
            "no markdown",
            "no markdown formatting",
            "without markdown",
            "without markdown formatting",
            "kein markdown",
            "ohne markdown",
            "do not use markdown",
            "don't use markdown",
            "do not use any markdown",
            "avoid markdown",
            "never use markdown",
        ],
    ),
];
const NONE_OF: &[&str] = &[
    "no",
    "without",
    "without any",
    "avoid",
    "avoid using",
    "do not use",
    "don't use",
    "never use",
    "do not use any",
    "don't use any",
    "do not include",
    "do not include any",
    "don't include any",
    "don't include",
    "keine",
    "keinen",
    "ohne",
    "not use",
    "not contain",
    "not include",
    "not contain any",
    "not include any",
    "not use any",
    "keinerlei",
];
const NOTHING_OF: [(Form, &[&str]); 4] = [
    (Form::NoHeadings, &["headings", "headers", "heading", "markdown headings", "überschriften"]),
    (
        Form::NoBullets,
        &[
            "bullet points",
            "bullets",
            "lists",
            "bullet lists",
            "list",
            "stichpunkte",
            "listen",
            "aufzählungen",
        ],
    ),
    (Form::NoTables, &["tables", "table", "markdown tables", "tabellen"]),
    (
        Form::NoCode,
        &["code blocks", "code block", "code fences", "fenced code blocks", "codeblöcke"],
    ),
];
const KEYS: &[&str] = &[
    "keys",
    "fields",
    "key",
    "field",
    "properties",
    "top-level keys",
    "schlüsseln",
    "feldern",
    "schlüssel",
    "felder",
    "the keys",
    "the fields",
    "the key",
    "the field",
    "the properties",
    "the top-level keys",
    "these keys",
    "the following keys",
    "the following fields",
    "den schlüsseln",
    "den feldern",
    "dem schlüssel",
];
const ONLY_KEYS: &[&str] = &[
    "exactly",
    "only",
    "exactly the",
    "only the",
    "genau",
    "genau den",
    "nur",
    "nur den",
    "exactly these",
];
const SECTIONS: &[&str] = &[
    "sections",
    "sections titled",
    "sections named",
    "sections called",
    "the sections",
    "headings",
    "the headings",
    "section headings",
    "the following sections",
    "the following headings",
    "section titled",
    "section called",
    "section named",
    "section headed",
    "headed",
    "abschnitten",
    "den abschnitten",
    "abschnitte",
    "die abschnitte",
    "den überschriften",
    "heading",
    "the heading",
    "the section",
    "these sections",
    "einen abschnitt namens",
];

/// Reads a format of the answer's marks.
pub(super) fn form(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    let mut ahead = *cursor;
    if ahead.eat(NONE_OF) {
        for (form, names) in NOTHING_OF {
            if ahead.eat(names) {
                *cursor = ahead;
                return Some(vec![Check::Form(form)]);
            }
        }
    }
    let (form, _) = FORMS.into_iter().find(|(_, names)| cursor.eat(names))?;
    Some(vec![Check::Form(form)])
}

/// Reads a machine's format, with its keys if they are named.
pub(super) fn machine(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    if PARTS.contains(&cursor.before()) {
        return None;
    }
    if cursor.eat(MACHINE) {
        return Some(vec![Check::Form(Form::Machine)]);
    }
    cursor.eat(JSON).then(|| vec![Check::Json(keys(cursor).unwrap_or_default())])
}

fn keys(cursor: &mut Cursor<'_>) -> Option<Keys> {
    let mut ahead = *cursor;
    ahead.eat(&["only", "object", "format"]);
    ahead.eat(&["with", "that has", "containing", "having", "mit", ":", ",", "that contains"]);
    let no_others = ahead.eat(ONLY_KEYS);
    if !ahead.eat(KEYS) {
        return None;
    }
    ahead.eat(&[":"]);
    let named = ahead.list(|at| at.quoted().map(str::to_owned).or_else(|| last_of_its_clause(at)));
    *cursor = ahead;
    Some(Keys { named, no_others })
}

fn last_of_its_clause(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut ahead = *cursor;
    let word = ahead.written()?;
    ahead.at_end().then(|| {
        *cursor = ahead;
        word.to_owned()
    })
}

/// Reads titles of sections.
pub(super) fn sections(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    let mut ahead = *cursor;
    if !ahead.eat(SECTIONS) {
        return None;
    }
    ahead.eat(&[":", "titled", "called", "named", "are", "are :"]);
    let titles = ahead.list(|at| at.quoted().map(str::to_owned).or_else(|| title(at)));
    if titles.is_empty() {
        return None;
    }
    *cursor = ahead;
    Some(titles.into_iter().map(Check::Section).collect())
}

/// A title without quotation marks: up to five words, the first with a capital.
fn title(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut ahead = *cursor;
    let mut words = vec![ahead.written().filter(|word| word.starts_with(char::is_uppercase))?];
    while !ahead.at_end() {
        words.push(ahead.written().filter(|_| words.len() < 5)?);
    }
    *cursor = ahead;
    Some(words.join(" "))
}

/// Reads the language of the answer.
pub(super) fn language(cursor: &mut Cursor<'_>) -> Option<Vec<Check>> {
    let mut ahead = *cursor;
    let led =
        ahead.eat(&["in", "in plain", "in simple", "auf", "in the", "language :", "sprache :"]);
    let (language, german) = Language::named(ahead.word())?;
    ahead.skip();
    let followed = ahead.eat(&["only", "language", "language only", "sprache"]);
    if !led && !followed && !german {
        return None;
    }
    *cursor = ahead;
    Some(vec![Check::Language(language)])
}
