//! Ollama's own chat API.
//!
//! Its OpenAI-compatible one cannot be told how long a context is needed, and cuts prompts off in silence. A reply is
//! one document, or one per line; the last has `done: true`.
//! <https://github.com/ollama/ollama/blob/main/docs/api.md>

use super::{
    fault::Fault,
    frames::Framing,
    protocol::{Ask, Message, Progress, Protocol, messages, read},
    reply::{End, Finish, Reply},
    told::Told,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub(super) struct Ollama;

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: [Message<'a>; 2],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a RawValue>,
    options: Options,
}

#[derive(Serialize)]
struct Options {
    num_predict: u32,
    num_ctx: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

#[derive(Deserialize)]
struct Response {
    model: Option<String>,
    message: Option<Said>,
    done: Option<bool>,
    done_reason: Option<String>,
    prompt_eval_count: Option<u64>,
    eval_count: Option<u64>,
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Said {
    content: Option<String>,
}

#[derive(Deserialize)]
struct Listed {
    models: Vec<ListedModel>,
}

#[derive(Deserialize)]
struct ListedModel {
    name: String,
}

impl Protocol for Ollama {
    fn path(&self, _ask: &Ask<'_>) -> Vec<String> {
        vec!["api".into(), "chat".into()]
    }

    fn body(&self, ask: &Ask<'_>) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&Request {
            model: &ask.model.model,
            messages: messages(ask),
            stream: ask.model.stream,
            format: ask.form.map(|form| form.schema),
            options: Options {
                num_predict: ask.model.max_output_tokens,
                num_ctx: context(ask),
                temperature: ask.model.temperature,
            },
        })
    }

    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn whole(&self, body: &[u8], reply: &mut Reply) -> Result<(), Fault> {
        let response: Response = read(body)?;
        let has_message = response.message.is_some();
        let progress = take(response, reply)?;
        match progress {
            Progress::Done if has_message => Ok(()),
            Progress::Done => Err(Fault::Missing("message")),
            Progress::More => Err(Fault::Missing("`done: true`")),
        }
    }

    fn event(&self, event: &[u8], reply: &mut Reply) -> Result<Progress, Fault> {
        take(read(event)?, reply)
    }

    fn models(&self) -> (&'static [&'static str], Option<&'static str>) {
        (&["api", "tags"], None)
    }

    fn model_names(&self, body: &[u8]) -> Result<Vec<String>, Fault> {
        let list: Listed = read(body)?;
        Ok(list.models.into_iter().map(|model| model.name).collect())
    }
}

/// Room for the prompt, at a token for three bytes, and the reply, in whole steps: a model is loaded anew whenever
/// this number changes.
fn context(ask: &Ask<'_>) -> u64 {
    let prompt = (ask.system.len() + ask.user.len()) as u64;
    (prompt / 3 + u64::from(ask.model.max_output_tokens)).next_multiple_of(STEP)
}

const STEP: u64 = 8192;

fn take(response: Response, reply: &mut Reply) -> Result<Progress, Fault> {
    if let Some(error) = response.error {
        return Err(Fault::Told(Told::in_field(&error)));
    }
    reply.model = response.model.or(reply.model.take());
    reply.count(response.prompt_eval_count, response.eval_count);
    if let Some(said) = response.message {
        reply.say(said.content.as_deref().unwrap_or_default())?;
    }
    if response.done != Some(true) {
        return Ok(Progress::More);
    }
    reply.finish = response.done_reason.map(finish);
    Ok(Progress::Done)
}

fn finish(word: String) -> Finish {
    let end = match word.as_str() {
        "stop" => End::Complete,
        "length" => End::Length,
        _ => End::Other,
    };
    Finish { word, end }
}
