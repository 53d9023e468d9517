//! A JSON Schema at the end of an output format: `JSON after this schema: {…}`.
//!
//! Invariant: the words of a schema are none of the format's: a field named `text` does not make JSON a text.
//! Absent here: the schema's own rules, but for the keys that it requires; the rest is left to the critic.

use super::{
    check::{Check, Keys},
    fold, reading,
};
use serde_json::{Map, Value};

/// The format's own words.
pub(in crate::solve) fn words(output_spec: &str) -> &str {
    split(output_spec).map_or(output_spec, |(words, _)| words)
}

/// What can be checked of an output format.
pub(super) fn checks(output_spec: &str) -> Vec<Check> {
    match split(output_spec) {
        Some((words, schema)) if fold(words).trim_start().starts_with("json") => {
            vec![Check::Json(required(&schema))]
        }
        Some(_) | None => reading::checks(output_spec),
    }
}

fn split(output_spec: &str) -> Option<(&str, Map<String, Value>)> {
    let (words, schema) = output_spec.split_at(output_spec.find('{')?);
    Some((words, serde_json::from_str(schema).ok()?))
}

/// The keys of an object's schema. What is no object, or one of several things, has none that are sure.
fn required(schema: &Map<String, Value>) -> Keys {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Keys::default();
    }
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let named = names.filter_map(Value::as_str).map(str::to_owned).collect();
    Keys { named, no_others: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(output_spec: &str) -> Vec<String> {
        match checks(output_spec).as_slice() {
            [Check::Json(keys)] => keys.named.clone(),
            other => panic!("{output_spec}: {other:?}"),
        }
    }

    #[test]
    fn the_keys_that_a_schema_requires_are_checked() {
        let schema = r#"json as this has it: {"type": "object", "required": ["month", "text"]}"#;
        assert_eq!(named(schema), ["month", "text"]);
        assert_eq!(words(schema), "json as this has it: ");
        assert_eq!(named(r#"JSON {"type": "array", "required": ["month"]}"#), [""; 0]);
        assert_eq!(named("JSON: {}"), [""; 0]);
    }

    #[test]
    fn what_has_no_schema_is_read_as_words() {
        for spec in ["json", "a Markdown table", "JSON like {this}", "{", ""] {
            assert_eq!(words(spec), spec);
            assert_eq!(checks(spec), reading::checks(spec));
        }
    }
}
