//! One connection of the server: requests with their bodies, replies whole or in pieces.
//!
//! Absent here: what is asked and answered.

use crate::Outcome;
use serde_json::{Value, json};
use std::fmt::Write;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The bytes of a reply that one event of a stream brings.
const PIECE: usize = 100;

pub(crate) struct Wire {
    stream: TcpStream,
    /// What has come and is not taken yet.
    held: Vec<u8>,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, held: Vec::new() }
    }

    /// The body of the next request; `None` when the other side has hung up.
    pub(crate) async fn request(&mut self) -> Outcome<Option<String>> {
        let head = loop {
            if let Some(at) = self.held.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break at + 4;
            }
            if self.stream.read_buf(&mut self.held).await? == 0 {
                return Ok(None);
            }
        };
        let length = length(std::str::from_utf8(&self.held[..head])?)?;
        self.held.reserve((head + length).saturating_sub(self.held.len()));
        while self.held.len() < head + length {
            if self.stream.read_buf(&mut self.held).await? == 0 {
                return Ok(None);
            }
        }
        let rest = self.held.split_off(head + length);
        let mut body = std::mem::replace(&mut self.held, rest);
        body.drain(..head);
        Ok(Some(String::from_utf8(body)?))
    }

    pub(crate) async fn whole(&mut self, text: &str) -> Outcome<()> {
        let choice = json!({"index": 0, "message": {"role": "assistant", "content": text},
            "finish_reason": "stop"});
        let body = document("chat.completion", &[choice]).to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
        let reply = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        Ok(self.stream.write_all(reply.as_bytes()).await?)
    }

    pub(super) async fn stream(&mut self, text: &str) -> Outcome<()> {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
        let mut reply = format!("{head}transfer-encoding: chunked\r\n\r\n");
        let mut event = |event: &str| {
            let length = "data: \n\n".len() + event.len();
            let _ = write!(reply, "{length:x}\r\ndata: {event}\n\n\r\n");
        };
        // All that is said is ASCII.
        for piece in text.as_bytes().chunks(PIECE) {
            let delta = json!({"index": 0, "delta": {"content": std::str::from_utf8(piece)?}});
            event(&document("chat.completion.chunk", &[delta]).to_string());
        }
        let end = json!({"index": 0, "delta": {}, "finish_reason": "stop"});
        event(&document("chat.completion.chunk", &[end]).to_string());
        event("[DONE]");
        reply.push_str("0\r\n\r\n");
        Ok(self.stream.write_all(reply.as_bytes()).await?)
    }
}

fn length(head: &str) -> Outcome<usize> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    let field = fields.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    Ok(field.ok_or("a request without content-length")?.1.trim().parse()?)
}

fn document(object: &str, choices: &[Value]) -> Value {
    json!({"id": "bench", "object": object, "model": "bench", "choices": choices,
        "usage": {"prompt_tokens": 1000, "completion_tokens": 500}})
}
