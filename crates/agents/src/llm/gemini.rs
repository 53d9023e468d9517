//! Google's Gemini API.
//!
//! A reply is one `GenerateContentResponse`, or a stream of them. A stream has no event for its end: the last one has
//! a `finishReason`, and so had every one with some models. So a reply is complete when its body has come to its
//! proper end and a reason was told. <https://ai.google.dev/api/generate-content>

use super::{
    fault::Fault,
    protocol::{Ask, Progress, Protocol, read, short_list},
    reply::{End, Finish, Reply},
    told::Told,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub(super) struct Gemini;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    system_instruction: Text<'a>,
    contents: [Content<'a>; 1],
    generation_config: Generation<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    parts: [Piece<'a>; 1],
}

#[derive(Serialize)]
struct Text<'a> {
    parts: [Piece<'a>; 1],
}

#[derive(Serialize)]
struct Piece<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Generation<'a> {
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default, deserialize_with = "short_list")]
    candidates: Option<Vec<Candidate>>,
    prompt_feedback: Option<Feedback>,
    usage_metadata: Option<Tokens>,
    model_version: Option<String>,
    response_id: Option<String>,
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    #[serde(default, deserialize_with = "short_list")]
    parts: Option<Vec<Part>>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    /// Whether it is a summary of the model's thoughts and no part of the answer.
    thought: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    prompt_token_count: Option<u64>,
    candidates_token_count: Option<u64>,
    thoughts_token_count: Option<u64>,
}

#[derive(Deserialize)]
struct Listed {
    models: Vec<ListedModel>,
}

#[derive(Deserialize)]
struct ListedModel {
    name: String,
}

impl Protocol for Gemini {
    fn path(&self, ask: &Ask<'_>) -> Vec<String> {
        let act = if ask.model.stream { "streamGenerateContent" } else { "generateContent" };
        vec!["models".into(), format!("{}:{act}", bare(&ask.model.model))]
    }

    fn query(&self, ask: &Ask<'_>) -> Option<&'static str> {
        ask.model.stream.then_some("alt=sse")
    }

    fn body(&self, ask: &Ask<'_>) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&Request {
            system_instruction: Text { parts: [Piece { text: ask.system }] },
            contents: [Content { role: "user", parts: [Piece { text: ask.user }] }],
            generation_config: Generation {
                max_output_tokens: ask.model.max_output_tokens,
                temperature: ask.model.temperature,
                response_mime_type: ask.form.map(|_| "application/json"),
                response_json_schema: ask.form.map(|form| form.schema),
            },
        })
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-goog-api-key", "")
    }

    fn ends_with_body(&self) -> bool {
        true
    }

    fn whole(&self, body: &[u8], reply: &mut Reply) -> Result<(), Fault> {
        take(read(body)?, reply)?.then_some(()).ok_or(Fault::Missing("candidates"))
    }

    fn event(&self, event: &[u8], reply: &mut Reply) -> Result<Progress, Fault> {
        take(read(event)?, reply).map(|_| Progress::More)
    }

    fn models(&self) -> (&'static [&'static str], Option<&'static str>) {
        (&["models"], Some("pageSize=1000"))
    }

    fn model_names(&self, body: &[u8]) -> Result<Vec<String>, Fault> {
        let list: Listed = read(body)?;
        Ok(list.models.iter().map(|model| bare(&model.name).to_owned()).collect())
    }
}

/// The name of a model without the collection it stands in.
fn bare(model: &str) -> &str {
    model.strip_prefix("models/").unwrap_or(model)
}

/// Takes up a response, and tells whether it had a candidate or says why it has none.
fn take(response: Response, reply: &mut Reply) -> Result<bool, Fault> {
    if let Some(error) = response.error {
        return Err(Fault::Told(Told::in_field(&error)));
    }
    reply.model = response.model_version.or(reply.model.take());
    reply.id = response.response_id.or(reply.id.take());
    if let Some(tokens) = response.usage_metadata {
        let written = [tokens.candidates_token_count, tokens.thoughts_token_count];
        let written = written.into_iter().flatten().reduce(u64::saturating_add);
        reply.count(tokens.prompt_token_count, written);
    }
    if let Some(word) = response.prompt_feedback.and_then(|feedback| feedback.block_reason) {
        reply.finish = Some(Finish { word, end: End::Filter });
        return Ok(true);
    }
    let Some(candidate) = response.candidates.into_iter().flatten().next() else {
        return Ok(false);
    };
    let parts = candidate.content.and_then(|content| content.parts).into_iter().flatten();
    for part in parts.filter(|part| part.thought != Some(true)) {
        reply.say(part.text.as_deref().unwrap_or_default())?;
    }
    reply.finish = candidate.finish_reason.map(finish).or(reply.finish.take());
    Ok(true)
}

fn finish(word: String) -> Finish {
    let end = match word.as_str() {
        "STOP" => End::Complete,
        "MAX_TOKENS" => End::Length,
        "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
        | "IMAGE_SAFETY" => End::Filter,
        _ => End::Other,
    };
    Finish { word, end }
}
