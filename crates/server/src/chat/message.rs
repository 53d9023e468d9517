//! One message of a chat, and its text.
//!
//! Invariant: a message that is no text is refused, never shortened to its text.

use crate::problem::{Kind, Problem};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type},
};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Speaker {
    /// Its messages are constraints.
    System,
    /// As `system`.
    Developer,
    /// Whoever asks.
    User,
    /// Whoever has answered before.
    Assistant,
    /// A program that was called before.
    Tool,
    /// As `tool`.
    Function,
}

impl Speaker {
    /// Its name in the protocol.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::Function => "function",
        }
    }
}

/// One message.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub(crate) struct Message {
    /// Who speaks.
    pub(crate) role: Speaker,
    /// A text, or a list of parts of type `text`.
    #[serde(default)]
    #[schema(schema_with = content)]
    pub(crate) content: Option<Value>,
}

fn content() -> Schema {
    let string = || ObjectBuilder::new().schema_type(Type::String);
    let kind = string().enum_values(Some(["text"]));
    let part = ObjectBuilder::new().schema_type(Type::Object);
    let part = part.property("type", kind).property("text", string());
    let part = part.required("type").required("text");
    let text = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null]));
    let parts = ArrayBuilder::new().items(part);
    let both = OneOfBuilder::new().item(text).item(parts);
    both.description(Some("A text, or a list of parts of type `text`.")).into()
}

impl Message {
    /// Its text: parts are put together as they stand.
    pub(crate) fn text(&self, at: usize) -> Result<String, Problem> {
        match &self.content {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Array(parts)) => {
                parts.iter().map(part).collect::<Option<_>>().ok_or_else(|| no_text(at))
            }
            Some(Value::Bool(_) | Value::Number(_) | Value::Object(_)) => Err(no_text(at)),
        }
    }
}

fn part(part: &Value) -> Option<&str> {
    let is_text = part.get("type")?.as_str()? == "text";
    part.get("text")?.as_str().filter(|_| is_text)
}

fn no_text(at: usize) -> Problem {
    let detail = "the content of a message is a text, or a list of parts of type `text`";
    Problem::new(Kind::InvalidRequest, detail).at(format!("/messages/{at}/content"))
}
