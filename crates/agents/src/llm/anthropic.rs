//! Anthropic's messages.
//!
//! A reply is one `message`, or a stream of events from `message_start` to `message_stop`, the last event of a whole
//! reply. The form of a reply is asked for as the input of the one tool that the model must use: every model and
//! gateway has tools. <https://docs.anthropic.com/en/api/messages>

use super::{
    fault::Fault,
    protocol::{Ask, Message, Progress, Protocol, read, short_list},
    reply::{End, Finish, Reply},
    told::Told,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub(super) struct Anthropic;

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    max_tokens: u32,
    system: &'a str,
    messages: [Message<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tool<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'static str,
    input_schema: &'a RawValue,
}

#[derive(Serialize)]
struct ToolChoice<'a> {
    r#type: &'static str,
    name: &'a str,
}

#[derive(Deserialize)]
struct Whole {
    error: Option<Box<RawValue>>,
    id: Option<String>,
    model: Option<String>,
    #[serde(default, deserialize_with = "short_list")]
    content: Option<Vec<Block>>,
    stop_reason: Option<String>,
    usage: Option<Tokens>,
}

/// A block of content, begun or whole.
#[derive(Deserialize)]
struct Block {
    text: Option<String>,
    /// Of a tool's use; empty when the block has only begun.
    input: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Event {
    r#type: String,
    message: Option<Whole>,
    content_block: Option<Block>,
    delta: Option<Delta>,
    usage: Option<Tokens>,
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Delta {
    text: Option<String>,
    partial_json: Option<String>,
    stop_reason: Option<String>,
}

/// Tokens. What was read from a cache or written to one was read too.
#[derive(Deserialize)]
struct Tokens {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

impl Protocol for Anthropic {
    fn path(&self, _ask: &Ask<'_>) -> Vec<String> {
        vec!["messages".into()]
    }

    fn body(&self, ask: &Ask<'_>) -> serde_json::Result<Vec<u8>> {
        let tool = ask.form.map(|form| Tool {
            name: form.name,
            description: "Gives the reply.",
            input_schema: form.schema,
        });
        serde_json::to_vec(&Request {
            model: &ask.model.model,
            max_tokens: ask.model.max_output_tokens,
            system: ask.system,
            messages: [Message { role: "user", content: ask.user }],
            temperature: ask.model.temperature,
            stream: ask.model.stream,
            tool_choice: ask.form.map(|form| ToolChoice { r#type: "tool", name: form.name }),
            tools: tool.map(|tool| [tool]),
        })
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-api-key", "")
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn whole(&self, body: &[u8], reply: &mut Reply) -> Result<(), Fault> {
        let mut message: Whole = read(body)?;
        let blocks = message.content.take();
        open(message, reply)?;
        for block in blocks.ok_or(Fault::Missing("content"))? {
            reply.say(block.text.as_deref().unwrap_or_default())?;
            reply.fill_tool(block.input.as_ref().map_or("", |input| input.get()))?;
        }
        Ok(())
    }

    fn event(&self, event: &[u8], reply: &mut Reply) -> Result<Progress, Fault> {
        let event: Event = read(event)?;
        if let Some(error) = event.error {
            return Err(Fault::Told(Told::in_field(&error)));
        }
        if let Some(tokens) = event.usage {
            count(&tokens, reply);
        }
        match event.r#type.as_str() {
            "message_start" => open(event.message.ok_or(Fault::Missing("message"))?, reply)?,
            "content_block_start" => {
                let text = event.content_block.and_then(|block| block.text);
                reply.say(&text.unwrap_or_default())?;
            }
            "content_block_delta" | "message_delta" => grow(event.delta, reply)?,
            "message_stop" => return Ok(Progress::Done),
            // `ping`, `content_block_stop`, and what may be added: unknown events are to be left aside.
            _ => {}
        }
        Ok(Progress::More)
    }

    fn models(&self) -> (&'static [&'static str], Option<&'static str>) {
        (&["models"], Some("limit=1000"))
    }
}

fn open(message: Whole, reply: &mut Reply) -> Result<(), Fault> {
    if let Some(error) = message.error {
        return Err(Fault::Told(Told::in_field(&error)));
    }
    (reply.id, reply.model) = (message.id, message.model);
    reply.finish = message.stop_reason.map(finish);
    if let Some(tokens) = message.usage {
        count(&tokens, reply);
    }
    Ok(())
}

fn grow(delta: Option<Delta>, reply: &mut Reply) -> Result<(), Fault> {
    let delta = delta.ok_or(Fault::Missing("delta"))?;
    reply.say(delta.text.as_deref().unwrap_or_default())?;
    reply.fill_tool(delta.partial_json.as_deref().unwrap_or_default())?;
    reply.finish = delta.stop_reason.map(finish).or(reply.finish.take());
    Ok(())
}

fn count(tokens: &Tokens, reply: &mut Reply) {
    let cached = [tokens.cache_creation_input_tokens, tokens.cache_read_input_tokens];
    let cached = cached.into_iter().flatten().fold(0, u64::saturating_add);
    reply
        .count(tokens.input_tokens.map(|input| input.saturating_add(cached)), tokens.output_tokens);
}

fn finish(word: String) -> Finish {
    let end = match word.as_str() {
        "end_turn" | "stop_sequence" | "tool_use" => End::Complete,
        "max_tokens" | "model_context_window_exceeded" => End::Length,
        "refusal" => End::Filter,
        _ => End::Other,
    };
    Finish { word, end }
}
