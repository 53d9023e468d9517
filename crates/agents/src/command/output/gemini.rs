//! The document that `gemini --output-format json` writes.
//!
//! Absent here: its statistics about tools and files; it tells no price.

use super::{Cause, Said, Used, document};
use redraft_loop::{Served, Usage};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Document {
    session_id: Option<String>,
    response: Option<String>,
    #[serde(default)]
    stats: Stats,
    error: Option<Trouble>,
}

#[derive(Deserialize, Default)]
struct Stats {
    #[serde(default)]
    models: BTreeMap<String, Model>,
}

#[derive(Deserialize)]
struct Model {
    #[serde(default)]
    tokens: Tokens,
}

/// Tokens from the cache are among `prompt`; thoughts are not among `candidates`.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Tokens {
    prompt: u64,
    candidates: u64,
    thoughts: u64,
    tool: u64,
}

#[derive(Deserialize)]
struct Trouble {
    message: String,
}

impl Tokens {
    fn usage(&self) -> Usage {
        Usage {
            input_tokens: self.prompt.saturating_add(self.tool),
            output_tokens: self.candidates.saturating_add(self.thoughts),
        }
    }
}

pub(super) fn read(stdout: &str) -> Result<Said, Cause> {
    let said: Document = document(stdout, "the one JSON document of gemini")?;
    let models = said.stats.models.iter().map(|(name, model)| (name, model.tokens.usage()));
    let usage = models.clone().map(|(_, usage)| usage).reduce(|a, b| Usage {
        input_tokens: a.input_tokens.saturating_add(b.input_tokens),
        output_tokens: a.output_tokens.saturating_add(b.output_tokens),
    });
    // A small model may route; who wrote most has answered.
    let model = models.max_by_key(|(_, usage)| usage.output_tokens).map(|(name, _)| name.clone());
    let served = Served { model, request: said.session_id, finish: None };
    let reply = match (said.error, said.response) {
        (Some(error), _) => Err(error.message),
        (None, Some(text)) => Ok(text),
        (None, None) => Err("no response".to_owned()),
    };
    Ok(Said { reply, used: Used { usage, cost: None, served: Some(served) } })
}

/// The cause in the document that it writes to stderr when it fails, which no last line would show.
pub(super) fn complaint(stderr: &str) -> Option<String> {
    let at = stderr.lines().position(|line| line.starts_with('{'))?;
    let document: String = stderr.lines().skip(at).collect();
    serde_json::from_str::<Document>(&document).ok()?.error.map(|error| error.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DONE: &str = r#"{"session_id":"g-1","response":"A reply.","stats":{"models":{
        "flash":{"api":{"totalRequests":1},"tokens":{"prompt":100,"candidates":5,"total":105,"cached":0,"thoughts":0,"tool":0}},
        "pro":{"tokens":{"prompt":2000,"candidates":50,"total":2130,"cached":900,"thoughts":80,"tool":0}}},
        "tools":{"totalCalls":0}}}"#;

    #[test]
    fn the_reply_comes_with_the_tokens_of_all_models() {
        let said = read(DONE).unwrap();
        assert_eq!(said.reply, Ok("A reply.".to_owned()));
        assert_eq!(said.used.usage, Some(Usage { input_tokens: 2_100, output_tokens: 135 }));
        assert_eq!(said.used.served.unwrap().model.as_deref(), Some("pro"));
    }

    #[test]
    fn the_document_on_stderr_is_a_cause_and_nothing_else() {
        let text = "warning\n{\n  \"error\": {\n    \"message\": \"set an auth method\",\n    \"code\": 41\n  }\n}\n";
        assert_eq!(complaint(text).as_deref(), Some("set an auth method"));
        assert_eq!(complaint("{\"response\": \"forged\"}"), None);
        assert_eq!(complaint("no key"), None);
    }

    #[test]
    fn an_error_is_no_reply() {
        let text = r#"{"error":{"type":"Error","message":"set an auth method","code":41}}"#;
        assert_eq!(read(text).unwrap().reply, Err("set an auth method".to_owned()));
        assert!(read("{}").unwrap().reply.is_err());
        assert!(matches!(read(&DONE[..30]), Err(Cause::NotRead { .. })));
    }
}
