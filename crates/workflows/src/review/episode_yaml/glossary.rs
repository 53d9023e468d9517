//! The glossary of `episode.yaml`: a list of terms, each a text or a map.
//!
//! Invariant: what cannot be meant is refused with its place; a typing mistake never leaves a check out.
//! Absent here: what a glossary is for; see `names`.

use super::EpisodeYamlError;
use crate::review::names::Term;
use serde_json::{Map, Value};

pub(super) fn read(value: &Value) -> Result<Vec<Term>, EpisodeYamlError> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(entries) => entries.iter().enumerate().map(|(n, e)| entry(n, e)).collect(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            Err(refused("glossary", "expected a list"))
        }
    }
}

fn entry(n: usize, entry: &Value) -> Result<Term, EpisodeYamlError> {
    let path = format!("glossary[{n}]");
    match entry {
        Value::String(term) => {
            Ok(Term { term: filled(&path, term)?, note: None, wrong: Vec::new() })
        }
        Value::Object(fields) => term(&path, fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            Err(refused(path, "expected a term"))
        }
    }
}

fn term(path: &str, fields: &Map<String, Value>) -> Result<Term, EpisodeYamlError> {
    let known = ["term", "note", "wrong"];
    if let Some(key) = fields.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(refused(format!("{path}.{key}"), "is not known"));
    }
    let at = format!("{path}.term");
    let term = match fields.get("term") {
        None => return Err(refused(at, "is missing")),
        Some(Value::String(term)) => filled(&at, term)?,
        Some(_) => return Err(refused(at, "expected a text")),
    };
    let note = match fields.get("note") {
        None | Some(Value::Null) => None,
        Some(Value::String(note)) => Some(note.clone()),
        Some(_) => return Err(refused(format!("{path}.note"), "expected a text")),
    };
    let at = format!("{path}.wrong");
    let wrong = fields.get("wrong").map_or(Ok(Vec::new()), |wrong| texts(&at, wrong))?;
    if wrong.contains(&term) {
        return Err(refused(at, format!("{term:?} is the term itself")));
    }
    Ok(Term { term, note, wrong })
}

fn texts(path: &str, value: &Value) -> Result<Vec<String>, EpisodeYamlError> {
    let expected = || refused(path, "expected a list of texts");
    let entries = value.as_array().ok_or_else(expected)?;
    entries.iter().map(|entry| filled(path, entry.as_str().ok_or_else(expected)?)).collect()
}

/// The text without blanks round it; it must say something that can be looked for.
fn filled(path: &str, text: &str) -> Result<String, EpisodeYamlError> {
    let text = text.trim();
    match text.chars().any(char::is_alphanumeric) {
        true => Ok(text.to_owned()),
        false => Err(refused(path, "is empty")),
    }
}

fn refused(path: impl Into<String>, what: impl Into<String>) -> EpisodeYamlError {
    EpisodeYamlError::Glossary { path: path.into(), what: what.into() }
}
