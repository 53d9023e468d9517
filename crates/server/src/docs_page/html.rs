//! Pieces of an OpenAPI document as HTML.
//!
//! Invariant: text from the document never is markup.

use serde_json::Value;

/// Text as it may stand in HTML and in its attributes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text in which `code` stands between backquotes.
pub(super) fn prose(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    });
    parts.collect()
}

/// A text of the document; empty where there is none.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Names and values of an object; none of anything else.
pub(super) fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// What a schema allows, in a few words, with a link where it has a name.
pub(super) fn type_of(schema: &Value) -> String {
    if let Some(name) = text(&schema["$ref"]).rsplit('/').next().filter(|name| !name.is_empty()) {
        return format!("<a href=\"#type-{0}\">{0}</a>", escaped(name));
    }
    let several = ["oneOf", "anyOf", "allOf"].iter().find_map(|word| schema[word].as_array());
    if let Some(several) = several {
        return several.iter().map(type_of).collect::<Vec<_>>().join(" or ");
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", type_of(&schema["items"])),
        Value::String(kind) => escaped(kind),
        Value::Array(kinds) => kinds.iter().map(text).map(escaped).collect::<Vec<_>>().join(" or "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "any JSON".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_never_is_markup() {
        assert_eq!(prose("a `<b>` & \"c\""), "a <code>&lt;b&gt;</code> &amp; &quot;c&quot;");
    }

    #[test]
    fn types_read_as_words() {
        assert_eq!(
            type_of(&json!({"type": "array", "items": {"type": "string"}})),
            "list of string"
        );
        assert_eq!(type_of(&json!({"type": ["string", "null"]})), "string or null");
        assert_eq!(
            type_of(&json!({"$ref": "#/components/schemas/Run"})),
            "<a href=\"#type-Run\">Run</a>"
        );
        assert_eq!(
            type_of(&json!({"oneOf": [{"type": "null"}, {"type": "object"}]})),
            "null or object"
        );
        assert_eq!(type_of(&json!({})), "any JSON");
    }
}
