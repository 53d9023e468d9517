//! OpenAI's chat completions, and what speaks like them.
//!
//! A reply is one `chat.completion`, or a stream of `chat.completion.chunk` events: pieces of text, a chunk with a
//! finish reason, a chunk with the usage, and `[DONE]`. It is complete with finish reason and `[DONE]`.
//! <https://platform.openai.com/docs/api-reference/chat>

use super::{
    Provider,
    fault::Fault,
    protocol::{Ask, Message, Progress, Protocol, messages, read, short_list},
    reply::{End, Finish, Reply},
    told::Told,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub(super) struct OpenAi;

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: [Message<'a>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    /// OpenAI's name for the bound; its newer models refuse the older name.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    /// Everybody else's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: JsonSchema<'a>,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a RawValue,
}

/// A completion, or a chunk of one.
#[derive(Deserialize)]
struct Completion {
    id: Option<String>,
    model: Option<String>,
    #[serde(default, deserialize_with = "short_list")]
    choices: Option<Vec<Choice>>,
    usage: Option<Tokens>,
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Choice {
    /// Of a completion.
    message: Option<Said>,
    /// Of a chunk.
    delta: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Tokens {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

impl Protocol for OpenAi {
    fn path(&self, _ask: &Ask<'_>) -> Vec<String> {
        vec!["chat".into(), "completions".into()]
    }

    fn body(&self, ask: &Ask<'_>) -> serde_json::Result<Vec<u8>> {
        let model = ask.model;
        let own = model.provider == Provider::OpenAi;
        let response_format = ask.form.map(|form| ResponseFormat {
            r#type: "json_schema",
            json_schema: JsonSchema { name: form.name, strict: true, schema: form.schema },
        });
        serde_json::to_vec(&Request {
            model: &model.model,
            messages: messages(ask),
            temperature: model.temperature,
            max_completion_tokens: own.then_some(model.max_output_tokens),
            max_tokens: (!own).then_some(model.max_output_tokens),
            stream: model.stream,
            stream_options: model.stream.then_some(StreamOptions { include_usage: true }),
            response_format,
        })
    }

    fn whole(&self, body: &[u8], reply: &mut Reply) -> Result<(), Fault> {
        take(read(body)?, reply)?.then_some(()).ok_or(Fault::Missing("choices"))
    }

    fn event(&self, event: &[u8], reply: &mut Reply) -> Result<Progress, Fault> {
        if event.trim_ascii() == b"[DONE]" {
            return Ok(Progress::Done);
        }
        take(read(event)?, reply).map(|_| Progress::More)
    }
}

/// Takes up a completion or a chunk, and tells whether it had a choice. A chunk may have none: usage comes alone.
fn take(completion: Completion, reply: &mut Reply) -> Result<bool, Fault> {
    if let Some(error) = completion.error {
        return Err(Fault::Told(Told::in_field(&error)));
    }
    reply.model = completion.model.or(reply.model.take());
    reply.id = completion.id.or(reply.id.take());
    if let Some(tokens) = completion.usage {
        reply.count(tokens.prompt_tokens, tokens.completion_tokens);
    }
    let Some(choice) = completion.choices.into_iter().flatten().next() else {
        return Ok(false);
    };
    for said in choice.message.iter().chain(&choice.delta) {
        reply.say(said.content.as_deref().unwrap_or_default())?;
        reply.refuse(said.refusal.as_deref().unwrap_or_default())?;
    }
    reply.finish = choice.finish_reason.map(finish).or(reply.finish.take());
    Ok(true)
}

/// `stop` is OpenAI's word; the others are those of servers that speak like it.
fn finish(word: String) -> Finish {
    let end = match word.as_str() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => End::Complete,
        "length" | "max_tokens" => End::Length,
        "content_filter" | "refusal" | "safety" => End::Filter,
        _ => End::Other,
    };
    Finish { word, end }
}
