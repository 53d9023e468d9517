//! The document that `claude --print --output-format json` writes.
//!
//! Absent here: everything in it that says nothing about the reply, its cost or who gave it.

use super::{Cause, Said, Used, document, micros};
use redraft_loop::{Served, Usage};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Document {
    is_error: bool,
    subtype: Option<String>,
    result: Option<String>,
    session_id: Option<String>,
    stop_reason: Option<String>,
    total_cost_usd: Option<f64>,
    usage: Option<Tokens>,
    #[serde(default, rename = "modelUsage")]
    models: BTreeMap<String, ModelTokens>,
}

/// Tokens that were read from the cache or written to it are not among `input_tokens`.
#[derive(Deserialize)]
struct Tokens {
    input_tokens: u64,
    #[serde(default)]
    cache_creation_input_tokens: u64,
    #[serde(default)]
    cache_read_input_tokens: u64,
    output_tokens: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModelTokens {
    #[serde(default)]
    output_tokens: u64,
}

pub(super) fn read(stdout: &str) -> Result<Said, Cause> {
    let said: Document = document(stdout, "the one JSON document of claude")?;
    // A small model may do side work; who wrote most has answered.
    let model = said.models.into_iter().max_by_key(|(_, tokens)| tokens.output_tokens);
    let served = Served {
        model: model.map(|(name, _)| name),
        request: said.session_id,
        finish: said.stop_reason,
    };
    let usage = said.usage.map(|tokens| Usage {
        input_tokens: tokens
            .input_tokens
            .saturating_add(tokens.cache_creation_input_tokens)
            .saturating_add(tokens.cache_read_input_tokens),
        output_tokens: tokens.output_tokens,
    });
    let cost = said.total_cost_usd.and_then(micros);
    let reply = match (said.is_error, said.result) {
        (false, Some(text)) => Ok(text),
        (_, result) => Err(result.or(said.subtype).unwrap_or_else(|| "no result".to_owned())),
    };
    Ok(Said { reply, used: Used { usage, cost, served: Some(served) } })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"num_turns":1,
        "result":"{\"verdict\":\"ok\"}","stop_reason":"end_turn","session_id":"s-1","total_cost_usd":0.0123,
        "usage":{"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":3000,
        "output_tokens":40,"service_tier":"standard"},
        "modelUsage":{"small":{"inputTokens":1,"outputTokens":2},"large":{"inputTokens":9,"outputTokens":38}}}"#;

    #[test]
    fn the_reply_comes_with_tokens_cost_and_model() {
        let said = read(DONE).unwrap();
        assert_eq!(said.reply, Ok(r#"{"verdict":"ok"}"#.to_owned()));
        assert_eq!(said.used.usage, Some(Usage { input_tokens: 3_210, output_tokens: 40 }));
        assert_eq!(said.used.cost, Some(12_300));
        let served = said.used.served.unwrap();
        assert_eq!(served.model.as_deref(), Some("large"));
        assert_eq!(served.request.as_deref(), Some("s-1"));
        assert_eq!(served.finish.as_deref(), Some("end_turn"));
    }

    #[test]
    fn an_error_is_no_reply_and_keeps_its_cost() {
        let said = read(&DONE.replace(r#""is_error":false"#, r#""is_error":true"#)).unwrap();
        assert_eq!(said.reply, Err(r#"{"verdict":"ok"}"#.to_owned()));
        assert_eq!(said.used.cost, Some(12_300));
    }

    #[test]
    fn half_a_document_and_two_are_no_reply() {
        for text in [&DONE[..DONE.len() - 1], &DONE.repeat(2), "Not logged in", "[]"] {
            assert!(matches!(read(text), Err(Cause::NotRead { .. })), "{text}");
        }
    }
}
