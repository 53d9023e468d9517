//! What a server tells of an error, in the shapes that servers use.
//!
//! Absent here: the HTTP status, and what follows from an error.

use super::retry_after;
use serde_json::{Value, value::RawValue};
use std::{fmt, time::Duration};

/// The longest body that is searched for an error, in bytes: as values, a body takes far more memory.
pub(super) const LONGEST: usize = 64 * 1024;

/// What a server tells of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    /// Its message.
    message: String,
    /// Its names for the kind of error: type, code, status, parameter, reasons.
    names: Vec<String>,
    /// How long it asks to wait, where its body says so.
    pub retry_after: Option<Duration>,
}

impl Told {
    /// The error that a document tells of. Known shapes: `{"error": {…}}` (with a `type` beside it for Anthropic, in
    /// a list for Gemini), `{"error": "…"}`, `{"message": "…"}`, `{"detail": "…"}`.
    pub(super) fn in_document(document: &Value) -> Option<Self> {
        let document = document.get(0).unwrap_or(document);
        let error = match document.get("error") {
            Some(Value::Null) | None => document,
            Some(error) => error,
        };
        let named = || ["message", "detail"].iter().find_map(|name| text(error.get(name)?));
        let message = error.as_str().map(str::to_owned).or_else(named)?;
        let names = ["type", "code", "status", "param"].iter();
        let names = names.filter_map(|name| text(error.get(name)?)).chain(reasons(error)).collect();
        Some(Self { message, names, retry_after: delay(error) })
    }

    /// The error that a body tells of, where it is one document and not too long.
    pub(super) fn in_body(body: &[u8]) -> Option<Self> {
        let short = Some(body).filter(|body| body.len() <= LONGEST)?;
        Self::in_document(&serde_json::from_slice(short).ok()?)
    }

    /// The error of an event or document that has an `error` field.
    pub(super) fn in_field(error: &RawValue) -> Self {
        let told = Self::in_body(format!("{{\"error\":{}}}", error.get()).as_bytes());
        told.unwrap_or_else(|| Self {
            message: error.get().chars().take(LONGEST).collect(),
            names: Vec::new(),
            retry_after: None,
        })
    }

    /// Whether message or names speak of one of these, whatever the case.
    pub(super) fn speaks_of(&self, words: &[&str]) -> bool {
        let texts = self.names.iter().chain([&self.message]);
        texts
            .map(|text| text.to_lowercase())
            .any(|text| words.iter().any(|word| text.contains(word)))
    }

    /// Whether one of its names is, or begins with, one of these, whatever the case.
    pub(super) fn is_named(&self, words: &[&str]) -> bool {
        let names = self.names.iter().map(|name| name.to_lowercase());
        names.into_iter().any(|name| words.iter().any(|word| name.starts_with(word)))
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A text, or a number as text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Gemini's `ErrorInfo`: `{"details": [{"reason": "API_KEY_INVALID"}]}`.
fn reasons(error: &Value) -> impl Iterator<Item = String> {
    let details = error.get("details").and_then(Value::as_array).into_iter().flatten();
    details.filter_map(|detail| detail.get("reason")?.as_str().map(str::to_owned))
}

/// Gemini's `RetryInfo`: `{"details": [{"retryDelay": "34s"}]}`.
fn delay(error: &Value) -> Option<Duration> {
    let details = error.get("details")?.as_array()?.iter();
    let delays = details.filter_map(|detail| detail.get("retryDelay")?.as_str()?.strip_suffix('s'));
    delays.filter_map(retry_after::seconds).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(document: &str) -> Option<Told> {
        Told::in_document(&serde_json::from_str(document).unwrap())
    }

    #[test]
    fn every_servers_shape_is_read() {
        let shapes = [
            r#"{"error": {"message": "no", "type": "t", "param": null, "code": 429}}"#,
            r#"{"type": "error", "error": {"type": "overloaded_error", "message": "no"}}"#,
            r#"[{"error": {"code": 503, "message": "no", "status": "UNAVAILABLE"}}]"#,
            r#"{"error": "no"}"#,
            r#"{"detail": "no"}"#,
            r#"{"object": "error", "message": "no"}"#,
        ];
        for shape in shapes {
            assert_eq!(told(shape).unwrap().to_string(), "no", "{shape}");
        }
        assert!(told(shapes[1]).unwrap().is_named(&["overloaded"]));
        for shape in ["{}", "[]", "7", r#"{"error": {}}"#, r#"{"error": null}"#] {
            assert_eq!(told(shape), None, "{shape}");
        }
    }

    #[test]
    fn the_wait_that_a_body_asks_for_is_read() {
        let document =
            r#"{"error": {"message": "no", "details": [{"@type": "x"}, {"retryDelay": "34.5s"}]}}"#;
        assert_eq!(told(document).unwrap().retry_after, Some(Duration::from_millis(34_500)));
    }
}
