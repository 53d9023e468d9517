//! What is asked: the same question by every client of every server.
//!
//! Absent here: what is answered.

use serde_json::json;
use std::sync::LazyLock;

/// Bytes of the context at most. Reading it is the agent's work, which is not to be measured: it holds what the answer
/// says and little more.
const CONTEXT: usize = 600;

/// The body of a request, as JSON.
pub(crate) fn body() -> &'static str {
    static BODY: LazyLock<String> = LazyLock::new(|| {
        let sentences = (1..).map(|n| {
            format!(
                "Station {n} of the river ferry opens at {n} and sells tickets for {n} crossings. "
            )
        });
        let mut context = String::new();
        for sentence in sentences {
            if context.len() + sentence.len() > CONTEXT {
                break;
            }
            context.push_str(&sentence);
        }
        let constraints = ["at most 400 words", "name each station you rely on"];
        json!({"prompt": "Which stations of the river ferry sell tickets, and when do they open?",
            "constraints": constraints, "context": context})
        .to_string()
    });
    &BODY
}

/// The whole request, to be answered when it is answered.
pub(crate) fn request(port: u16, preference: &str) -> String {
    let body = body();
    format!(
        "POST /v1/solve HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n\
         {preference}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}
