//! What an answer looks like.
//!
//! Invariant: each look goes over the answer once.
//! Absent here: what was asked for.

use super::Machine;
use serde::de::IgnoredAny;
use serde_json::Value;

/// Is it whole a document that something added would break: JSON, JSON lines, XML?
///
/// A bare number or text is JSON too, and still a sentence to people.
pub(super) fn is_document(answer: &str) -> bool {
    let text = bare(answer);
    is_json(text) || is_json_lines(text) || is_markup(text)
}

/// Does it look like this format, well-formed or nearly?
pub(super) fn like(format: Machine, answer: &str) -> bool {
    let text = bare(answer);
    match format {
        Machine::Json => {
            let meant = text.starts_with('{') && text.ends_with('}')
                || text.starts_with('[') && text.ends_with(']');
            meant || is_json_lines(text)
        }
        Machine::Markup => is_markup(text),
        Machine::Yaml => is_yaml(text),
        Machine::Table => is_table(text),
        Machine::Toml => is_toml(text),
    }
}

/// The language and the text of the one code fence that is all of this answer.
pub(super) fn only_fence(answer: &str) -> Option<(&str, &str)> {
    let text = bare(answer);
    let mark = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark))?;
    let sign = mark.chars().next()?;
    let (first, rest) = text.split_once('\n')?;
    let language = first.trim_start_matches(sign);
    let opening = &first[..first.len() - language.len()];
    let inner = rest.strip_suffix(opening)?;
    let (inner, _) = inner.rsplit_once('\n').filter(|(_, indent)| indent.trim().is_empty())?;
    let closes = |line: &str| line.trim_start().starts_with(opening);
    (!inner.lines().any(closes)).then_some((language.trim(), inner))
}

fn bare(answer: &str) -> &str {
    answer.trim_matches(|sign: char| sign.is_whitespace() || sign == '\u{feff}')
}

/// However deep it is.
fn is_json(text: &str) -> bool {
    text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn is_json_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek().is_some() && lines.all(|line| is_json(line.trim()))
}

/// One element from the first sign to the last, behind what may come before it.
fn is_markup(text: &str) -> bool {
    if !text.starts_with('<') || !text.ends_with('>') {
        return false;
    }
    let starts =
        |with: &str| text.get(..with.len()).is_some_and(|is| is.eq_ignore_ascii_case(with));
    let name = text[1..].split(|sign: char| sign.is_whitespace() || "/>".contains(sign)).next();
    let closed = |name: &str| {
        let end = text.rsplit_once("</").map(|(_, end)| end.trim_end_matches('>').trim());
        !name.is_empty() && end.is_some_and(|end| end.eq_ignore_ascii_case(name))
    };
    let alone = text.ends_with("/>") && text.matches('<').count() == 1;
    starts("<?xml") || starts("<!doctype") || name.is_some_and(closed) || alone
}

/// Documents of keys, or of items with keys. A single key is none where it ends like a sentence.
fn is_yaml(text: &str) -> bool {
    let documents = text.split("\n---").map(|one| one.trim_start_matches("---").trim());
    let mut documents = documents.filter(|one| !one.is_empty()).peekable();
    let sentence = text.ends_with(['.', '!', '?']);
    documents.peek().is_some()
        && documents.all(|one| match serde_saphyr::from_str::<Value>(one) {
            Ok(Value::Object(keys)) => keys.len() > 1 || !sentence,
            Ok(Value::Array(items)) => items.iter().any(Value::is_object),
            Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | Err(_) => {
                false
            }
        })
}

/// Each line at the margin is a table's name, a key, or the end of a value.
fn is_toml(text: &str) -> bool {
    let margin = |line: &&str| !line.is_empty() && !line.starts_with([' ', '\t', '#']);
    let mut lines = text.lines().map(str::trim_end).filter(margin).peekable();
    let name = |line: &str| line.starts_with('[') && line.ends_with(']');
    let key = |line: &str| line.split_once('=').is_some_and(|(key, _)| is_one_word(key.trim_end()));
    lines.peek().is_some()
        && lines.all(|line| name(line) || key(line) || line.starts_with([']', '}', '"']))
}

fn is_one_word(key: &str) -> bool {
    let quoted = key.len() > 1 && key.starts_with('"') && key.ends_with('"');
    quoted || !(key.is_empty() || key.contains(char::is_whitespace))
}

/// Records with the same number of fields, at least two. A single one is none where it ends like a sentence.
fn is_table(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    let Some(mark) = ['\t', ';', ','].into_iter().find(|mark| head.contains(*mark)) else {
        return false;
    };
    let (mut quoted, mut fields, mut counts) = (false, 1_usize, Vec::new());
    for sign in text.chars().chain(['\n']) {
        quoted ^= sign == '"';
        if sign == mark && !quoted {
            fields += 1;
        } else if sign == '\n' && !quoted {
            counts.push(std::mem::replace(&mut fields, 1));
        }
    }
    let sentence = counts.len() == 1 && text.ends_with(['.', '!', '?', ':']);
    let first = counts.first().copied().unwrap_or_default();
    !quoted && !sentence && first > 1 && counts.iter().all(|count| *count == first)
}
