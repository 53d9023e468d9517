//! How each provider says things: written by hand after the providers' public descriptions.

use redraft_agents::llm::Provider;
use serde_json::{Value, json};

/// One protocol as a server speaks it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect {
    pub(crate) provider: Provider,
    pub(crate) name: &'static str,
    /// Its word for a complete answer.
    pub(crate) complete: &'static str,
    /// Its word for one that was too long.
    pub(crate) length: &'static str,
    /// Its word for one that a filter held back.
    pub(crate) filter: &'static str,
    /// Type of its streams.
    pub(crate) stream_type: &'static str,
}

pub(crate) const ALL: [Dialect; 4] = [
    Dialect {
        provider: Provider::Compatible,
        name: "openai",
        complete: "stop",
        length: "length",
        filter: "content_filter",
        stream_type: "text/event-stream",
    },
    Dialect {
        provider: Provider::Anthropic,
        name: "anthropic",
        complete: "end_turn",
        length: "max_tokens",
        filter: "refusal",
        stream_type: "text/event-stream; charset=utf-8",
    },
    Dialect {
        provider: Provider::Gemini,
        name: "gemini",
        complete: "STOP",
        length: "MAX_TOKENS",
        filter: "SAFETY",
        stream_type: "text/event-stream",
    },
    Dialect {
        provider: Provider::Ollama,
        name: "ollama",
        complete: "stop",
        length: "length",
        filter: "unload",
        stream_type: "application/x-ndjson",
    },
];

/// A text with characters of one to four bytes.
pub(crate) const TEXT: [&str; 3] =
    ["Gr\u{fc}\u{df}e: ", "\u{201e}Hallo\u{201c} \u{1f399}\n", "data: [DONE]"];

/// Tokens that every recording tells: 11 read, 7 written.
pub(crate) const TOKENS: (u64, u64) = (11, 7);

impl Dialect {
    /// A reply as one document; the text is any JSON, so that it can be of a wrong type.
    pub(crate) fn whole(&self, text: &Value, finish: &str) -> String {
        let document = match self.name {
            "openai" => json!({
                "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-served",
                "choices": [{"index": 0, "finish_reason": finish, "logprobs": null,
                    "message": {"role": "assistant", "content": text, "refusal": null}}],
                "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
            }),
            "anthropic" => json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": "m-served",
                "content": [{"type": "text", "text": text}],
                "stop_reason": finish, "stop_sequence": null,
                "usage": {"input_tokens": 4, "cache_creation_input_tokens": 2,
                    "cache_read_input_tokens": 5, "output_tokens": 7},
            }),
            "gemini" => json!({
                "candidates": [{"index": 0, "finishReason": finish,
                    "content": {"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": text}]}}],
                "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 4,
                    "thoughtsTokenCount": 3, "totalTokenCount": 18},
                "modelVersion": "m-served", "responseId": "resp-1",
            }),
            _ => json!({
                "model": "m-served", "created_at": "2026-01-01T00:00:00Z", "done": true,
                "done_reason": finish, "message": {"role": "assistant", "content": text},
                "total_duration": 1, "prompt_eval_count": 11, "eval_count": 7,
            }),
        };
        document.to_string()
    }

    /// A reply in pieces, each one event or line.
    pub(crate) fn stream(&self, texts: &[Value], finish: &str) -> Vec<String> {
        match self.name {
            "openai" => openai(texts, finish),
            "anthropic" => anthropic(texts, finish),
            "gemini" => gemini(texts, finish),
            _ => ollama(texts, finish),
        }
    }

    /// A good reply in pieces.
    pub(crate) fn good_stream(&self) -> Vec<String> {
        self.stream(&TEXT.map(Value::from), self.complete)
    }

    /// A good reply as one document.
    pub(crate) fn good_whole(&self) -> String {
        self.whole(&Value::from(TEXT.concat()), self.complete)
    }

    /// An error in the midst of a stream, which passes.
    pub(crate) fn error(&self) -> String {
        let error =
            json!({"type": "overloaded_error", "status": "UNAVAILABLE", "message": "too busy"});
        match self.name {
            "openai" | "gemini" => event(&json!({ "error": error })),
            "anthropic" => named("error", &json!({"type": "error", "error": error})),
            _ => line(&json!({"error": "too busy"})),
        }
    }

    /// One event or line with this data.
    pub(crate) fn piece(&self, data: &str) -> String {
        if self.provider == Provider::Ollama {
            format!("{data}\n")
        } else {
            format!("data: {data}\n\n")
        }
    }

    /// What keeps a connection alive and says nothing.
    pub(crate) fn comment(&self) -> &'static str {
        if self.provider == Provider::Ollama { "\n" } else { ": still here\n\n" }
    }
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn named(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

fn line(data: &Value) -> String {
    format!("{data}\n")
}

fn openai(texts: &[Value], finish: &str) -> Vec<String> {
    let chunk = |delta: Value, finish: Option<&str>| {
        event(&json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m-served", "usage": null,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }))
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), None)];
    events.extend(texts.iter().map(|text| chunk(json!({ "content": text }), None)));
    events.push(chunk(json!({}), Some(finish)));
    events.push(event(&json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m-served", "choices": [],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    })));
    events.push("data: [DONE]\n\n".into());
    events
}

fn anthropic(texts: &[Value], finish: &str) -> Vec<String> {
    let mut events = vec![
        named(
            "message_start",
            &json!({"type": "message_start", "message": {
                "id": "msg_1", "type": "message", "role": "assistant", "model": "m-served", "content": [],
                "stop_reason": null, "usage": {"input_tokens": 11, "output_tokens": 1}}}),
        ),
        named(
            "content_block_start",
            &json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        ),
        named("ping", &json!({"type": "ping"})),
    ];
    events.extend(texts.iter().map(|text| {
        let delta = json!({"type": "text_delta", "text": text});
        named(
            "content_block_delta",
            &json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        )
    }));
    events.push(named("content_block_stop", &json!({"type": "content_block_stop", "index": 0})));
    let delta = json!({"stop_reason": finish, "stop_sequence": null});
    let usage = json!({"output_tokens": 7});
    events.push(named(
        "message_delta",
        &json!({"type": "message_delta", "delta": delta, "usage": usage}),
    ));
    events.push(named("message_stop", &json!({"type": "message_stop"})));
    events
}

fn gemini(texts: &[Value], finish: &str) -> Vec<String> {
    let last = texts.len() - 1;
    let response = |(at, text): (usize, &Value)| {
        let content = json!({"role": "model", "parts": [{"text": text}]});
        let mut candidate = json!({"index": 0, "content": content});
        if at == last {
            candidate["finishReason"] = finish.into();
        }
        event(&json!({
            "candidates": [candidate], "modelVersion": "m-served", "responseId": "resp-1",
            "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": if at == last { 7 } else { 1 }},
        }))
    };
    texts.iter().enumerate().map(response).collect()
}

fn ollama(texts: &[Value], finish: &str) -> Vec<String> {
    let said = |text: &Value| {
        let message = json!({"role": "assistant", "content": text});
        line(&json!({"model": "m-served", "message": message, "done": false}))
    };
    let mut lines: Vec<String> = texts.iter().map(said).collect();
    let end = json!({
        "model": "m-served", "message": {"role": "assistant", "content": ""}, "done": true,
        "done_reason": finish, "prompt_eval_count": 11, "eval_count": 7,
    });
    lines.push(line(&end));
    lines
}
