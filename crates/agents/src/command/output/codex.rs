//! The events that `codex exec --json` writes, one JSON document a line.
//!
//! Invariant: without the event that ends the turn there is no reply.
//! Absent here: events about what it did on the way.

use super::{Cause, Said, Used, document};
use redraft_loop::{Served, Usage};
use serde::Deserialize;

/// One event; which fields it has depends on its type.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    thread_id: Option<String>,
    item: Option<Item>,
    usage: Option<Tokens>,
    error: Option<Trouble>,
    message: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: Option<String>,
    text: Option<String>,
}

/// Tokens from the cache are among `input_tokens`, reasoning among `output_tokens`.
#[derive(Deserialize)]
struct Tokens {
    input_tokens: u64,
    output_tokens: u64,
}

#[derive(Deserialize)]
struct Trouble {
    message: String,
}

/// What the events so far say.
#[derive(Default)]
struct Heard {
    thread: Option<String>,
    message: Option<String>,
    complaint: Option<String>,
    usage: Option<Usage>,
    completed: bool,
    failed: Option<String>,
}

pub(super) fn read(stdout: &str) -> Result<Said, Cause> {
    let mut heard = Heard::default();
    for line in stdout.lines().filter(|line| !line.trim().is_empty()) {
        heard.hear(document(line, "a line of JSON from codex")?);
    }
    let Heard { thread, message, complaint, usage, completed, failed } = heard;
    let reply = match (failed, completed, message) {
        // A turn may end without a message: its work may stand in the folder.
        (None, true, message) => Ok(message.unwrap_or_default()),
        (Some(why), ..) => Err(why),
        (None, false, _) => Err(complaint.unwrap_or_else(|| "the turn did not end".to_owned())),
    };
    let served = thread.map(|id| Served { request: Some(id), ..Served::default() });
    Ok(Said { reply, used: Used { usage, cost: None, served } })
}

impl Heard {
    fn hear(&mut self, event: Event) {
        match event.kind.as_str() {
            "thread.started" => self.thread = event.thread_id,
            "item.completed" => {
                let said = event.item.filter(|item| item.kind.as_deref() == Some("agent_message"));
                self.message = said.and_then(|item| item.text).or(self.message.take());
            }
            "turn.completed" => {
                self.completed = true;
                self.usage = event.usage.map(|tokens| Usage {
                    input_tokens: tokens.input_tokens,
                    output_tokens: tokens.output_tokens,
                });
            }
            "turn.failed" => {
                let why = event.error.map(|error| error.message);
                self.failed = Some(why.unwrap_or_else(|| "the turn failed".to_owned()));
            }
            // It goes on after some of these, such as a lost connection.
            "error" => self.complaint = event.message.or(self.complaint.take()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: &str = r#"{"type":"thread.started","thread_id":"t-1"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"thinking"}}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"first"}}
{"type":"error","message":"reconnecting 1/5"}
{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"last"}}
"#;
    const END: &str = r#"{"type":"turn.completed","usage":{"input_tokens":900,"cached_input_tokens":800,"output_tokens":12}}"#;

    #[test]
    fn the_last_message_of_a_turn_that_ended_is_the_reply() {
        let said = read(&format!("{BEGIN}{END}\n")).unwrap();
        assert_eq!(said.reply, Ok("last".to_owned()));
        assert_eq!(said.used.usage, Some(Usage { input_tokens: 900, output_tokens: 12 }));
        assert_eq!(said.used.cost, None);
        assert_eq!(said.used.served.unwrap().request.as_deref(), Some("t-1"));
    }

    #[test]
    fn a_turn_that_did_not_end_or_failed_has_no_reply() {
        assert_eq!(read(BEGIN).unwrap().reply, Err("reconnecting 1/5".to_owned()));
        let failed = r#"{"type":"turn.failed","error":{"message":"no credit"}}"#;
        assert_eq!(read(&format!("{BEGIN}{failed}")).unwrap().reply, Err("no credit".to_owned()));
    }

    #[test]
    fn a_turn_that_ended_without_a_message_has_no_words() {
        assert_eq!(read(END).unwrap().reply, Ok(String::new()));
    }

    #[test]
    fn a_cut_line_is_no_reply() {
        assert!(matches!(read(&format!("{BEGIN}{}", &END[..40])), Err(Cause::NotRead { .. })));
    }
}
