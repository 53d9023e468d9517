//! A chat as a solve request.
//!
//! Invariant: constraints are the system's messages word for word, in their order.
//! Absent here: sampling parameters. The solver's own configuration decides about them.

use super::message::{Message, Speaker};
use crate::{
    body::{no_list, typed},
    models,
    problem::{Kind, Problem},
};
use redraft_workflows::solve::Request;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// What has a meaning here. Fields beside these are named in the answer's `redraft.ignored`.
const KNOWN: [&str; 8] =
    ["model", "messages", "stream", "stream_options", "response_format", "n", "tools", "functions"];

/// A chat. Further fields of the protocol, such as `temperature`, are accepted, have no effect, and are listed in
/// the answer's `redraft.ignored`.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub(crate) struct ChatRequest {
    /// Always `redraft/solve`.
    #[schema(pattern = "^redraft/solve$", example = "redraft/solve")]
    pub(crate) model: String,
    /// The chat so far; at least one message is of the user, and its last one is not blank.
    #[schema(min_items = 1)]
    pub(crate) messages: Vec<Message>,
    /// Whether the answer comes in chunks.
    #[serde(default)]
    pub(crate) stream: Option<bool>,
    /// What else to stream.
    #[serde(default)]
    pub(crate) stream_options: Option<StreamOptions>,
    /// The form of the answer.
    #[serde(default)]
    pub(crate) response_format: Option<Form>,
    /// How many answers: one.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1)]
    pub(crate) n: Option<u32>,
    /// None: the solver calls no tools.
    #[serde(default)]
    #[schema(max_items = 0)]
    pub(crate) tools: Option<Vec<Value>>,
    /// None, as `tools`.
    #[serde(default)]
    #[schema(max_items = 0)]
    pub(crate) functions: Option<Vec<Value>>,
}

/// What else to stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
pub(crate) struct StreamOptions {
    /// Whether a last chunk has the tokens used.
    #[serde(default)]
    pub(crate) include_usage: Option<bool>,
}

/// The form of the answer.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Form {
    /// A text.
    Text,
    /// A JSON object.
    JsonObject,
    /// JSON after a schema.
    JsonSchema {
        /// The schema.
        json_schema: SchemaForm,
    },
}

/// A schema with its name.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub(crate) struct SchemaForm {
    /// Its name.
    pub(crate) name: String,
    /// What it is for.
    #[serde(default)]
    pub(crate) description: Option<String>,
    /// The JSON Schema.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(crate) schema: Option<Map<String, Value>>,
}

impl SchemaForm {
    /// The schema with its name and what it is for, unless it says so itself.
    fn whole(self) -> Map<String, Value> {
        let mut schema = self.schema.unwrap_or_default();
        let said = [("title", Some(self.name)), ("description", self.description)];
        for (name, text) in said {
            if let Some(text) = text {
                schema.entry(name).or_insert(Value::String(text));
            }
        }
        schema
    }
}

impl Form {
    /// As the solver's `output_format`: the word `json` first, which is what makes it a machine's form.
    fn output_format(self) -> Option<String> {
        match self {
            Self::Text => None,
            Self::JsonObject => Some("json".to_owned()),
            Self::JsonSchema { json_schema } => {
                let schema = Value::Object(json_schema.whole());
                Some(format!("json that keeps to this JSON Schema: {schema}"))
            }
        }
    }
}

/// A chat that was read.
pub(crate) struct Chat {
    /// The question in it.
    pub(crate) solve: Request,
    /// What to stream, if anything.
    pub(crate) stream: Option<StreamOptions>,
    /// Fields that have no effect here.
    pub(crate) ignored: Vec<String>,
}

impl Chat {
    /// Reads a chat.
    pub(crate) fn read(json: Value) -> Result<Self, Problem> {
        let ignored = ignored(&json);
        objects(&json)?;
        let asked: ChatRequest = typed(json)?;
        possible(&asked)?;
        let options = asked.stream_options.unwrap_or(StreamOptions { include_usage: None });
        let stream = (asked.stream == Some(true)).then_some(options);
        let output_format = asked.response_format.and_then(Form::output_format);
        let solve = Request { output_format, ..question(&asked.messages)? };
        Ok(Self { solve, stream, ignored })
    }
}

/// The fields that have no effect, those of messages once each, by their pointers without numbers.
fn ignored(json: &Value) -> Vec<String> {
    let unknown = |object: &Value, known: &[&str]| -> Vec<String> {
        let names = object.as_object().into_iter().flat_map(Map::keys);
        names.filter(|name| !known.contains(&name.as_str())).cloned().collect()
    };
    let messages = json.get("messages").and_then(Value::as_array).into_iter().flatten();
    let in_messages = messages.flat_map(|message| unknown(message, &["role", "content"]));
    let in_messages = in_messages.map(|name| format!("messages/{name}"));
    let all: BTreeSet<_> = unknown(json, &KNOWN).into_iter().chain(in_messages).collect();
    all.into_iter().collect()
}

fn objects(json: &Value) -> Result<(), Problem> {
    let messages = json.get("messages").and_then(Value::as_array).map_or(0, Vec::len);
    (0..messages).try_for_each(|at| no_list(json, &format!("/messages/{at}")))?;
    let others = ["/stream_options", "/response_format", "/response_format/json_schema"];
    others.iter().try_for_each(|pointer| no_list(json, pointer))
}

fn possible(asked: &ChatRequest) -> Result<(), Problem> {
    if asked.model != models::SOLVE {
        return Err(models::unknown().at("/model"));
    }
    let refused = |what: &str, at: &str| Err(Problem::new(Kind::InvalidRequest, what).at(at));
    if asked.n.is_some_and(|n| n != 1) {
        return refused("a run gives one answer", "/n");
    }
    let some = |list: &Option<Vec<Value>>| list.as_ref().is_some_and(|list| !list.is_empty());
    if some(&asked.tools) {
        return refused("the solver calls no tools", "/tools");
    }
    if some(&asked.functions) {
        return refused("the solver calls no functions", "/functions");
    }
    Ok(())
}

/// The last message of the user asks, those of the system are constraints, all others are the context.
fn question(messages: &[Message]) -> Result<Request, Problem> {
    let asks = messages.iter().rposition(|message| message.role == Speaker::User);
    let asks = asks.ok_or_else(|| {
        let detail = "one of the messages has to be of the user";
        Problem::new(Kind::InvalidRequest, detail).at("/messages")
    })?;
    let (mut constraints, mut context) = (Vec::new(), Vec::new());
    let mut prompt = String::new();
    for (at, message) in messages.iter().enumerate() {
        let text = message.text(at)?;
        if at != asks && text.trim().is_empty() {
            // Such as the message of an assistant that only calls a tool.
            continue;
        }
        match message.role {
            Speaker::User if at == asks => prompt = text,
            Speaker::System | Speaker::Developer => constraints.push(text),
            Speaker::User | Speaker::Assistant | Speaker::Tool | Speaker::Function => {
                context.push(format!("{}: {text}", message.role.name()));
            }
        }
    }
    if prompt.trim().is_empty() {
        let detail = "the user's last message is blank";
        return Err(Problem::new(Kind::InvalidRequest, detail).at(format!("/messages/{asks}")));
    }
    let context = (!context.is_empty()).then(|| Value::String(context.join("\n\n")));
    Ok(Request { prompt, constraints, output_format: None, context })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(more: &Value) -> Result<Chat, Problem> {
        let mut chat =
            json!({"model": "redraft/solve", "messages": [{"role": "user", "content": "why?"}]});
        chat.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Chat::read(chat)
    }

    #[test]
    fn a_chat_becomes_prompt_constraints_and_context() {
        let messages = json!({"messages": [
            {"role": "system", "content": " Be brief. "},
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": [{"type": "text", "text": "an "}, {"type": "text", "text": "answer"}]},
            {"role": "developer", "content": "No jargon."},
            {"role": "assistant", "content": null, "tool_calls": []},
            {"role": "system", "content": " "},
            {"role": "user", "content": "second"},
        ]});
        let solve = read(&messages).unwrap().solve;
        assert_eq!(solve.prompt, "second");
        assert_eq!(solve.constraints, [" Be brief. ", "No jargon."]);
        assert_eq!(solve.context, Some(json!("user: first\n\nassistant: an answer")));
        assert_eq!(solve.output_format, None);
    }

    #[test]
    fn response_formats_are_machine_forms() {
        let form =
            |form: Value| read(&json!({"response_format": form})).unwrap().solve.output_format;
        assert_eq!(form(json!({"type": "text"})), None);
        assert_eq!(form(json!({"type": "json_object"})), Some("json".into()));
        let schema = json!({"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}});
        let said = form(schema).unwrap();
        assert_eq!(said, r#"json that keeps to this JSON Schema: {"title":"x","type":"object"}"#);
        let name = json!({"type": "json_schema", "json_schema": {"name": "x", "description": "y"}});
        let said = form(name).unwrap();
        assert_eq!(said, r#"json that keeps to this JSON Schema: {"description":"y","title":"x"}"#);
    }

    #[test]
    fn what_has_no_effect_is_named() {
        let chat = read(&json!({"temperature": 0.2, "seed": 7, "stream": true})).unwrap();
        assert_eq!(chat.ignored, ["seed", "temperature"]);
        assert!(chat.stream.is_some());
        let named = |name: &str| json!({"role": "user", "content": "why?", "name": name});
        let chat = read(&json!({"messages": [named("Ann"), named("Bob")]})).unwrap();
        assert_eq!(chat.ignored, ["messages/name"]);
    }

    #[test]
    fn what_cannot_be_done_is_refused_with_its_place() {
        for (more, pointer) in [
            (json!({"model": "gpt"}), "/model"),
            (json!({"n": 2}), "/n"),
            (json!({"tools": [{}]}), "/tools"),
            (json!({"functions": [{}]}), "/functions"),
            (json!({"messages": []}), "/messages"),
            (json!({"messages": [{"role": "system", "content": "x"}]}), "/messages"),
            (json!({"messages": [{"role": "user", "content": " "}]}), "/messages/0"),
            (
                json!({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}),
                "/messages/0/content",
            ),
            (json!({"messages": [{"role": "boss", "content": "x"}]}), "/messages/0/role"),
            (json!({"stream": "yes"}), "/stream"),
            (json!({"messages": [["user", "why?"]]}), "/messages/0"),
            (json!({"stream_options": [true]}), "/stream_options"),
            (json!({"response_format": ["text"]}), "/response_format"),
            (
                json!({"response_format": {"type": "json_schema", "json_schema": ["x"]}}),
                "/response_format/json_schema",
            ),
        ] {
            let problem = read(&more).err().unwrap().body("/v1/chat/completions");
            assert_eq!(problem.pointer.as_deref(), Some(pointer), "{more}");
        }
    }
}
