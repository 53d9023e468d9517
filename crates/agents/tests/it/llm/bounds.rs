//! Floods: whatever a server sends, memory grows by less than 64 MB and the deadline holds.
//!
//! Each is measured in a process of its own, server included, which keeps nothing of what it sends.

use super::{
    dialect::{ALL, Dialect},
    house::{again, agent, call, model},
    server::{Act, Ending, Server, answer},
};
use redraft_agents::llm::{Model, Provider};
use redraft_engine::{Agent, NoAnswer};
use redraft_loop::Failure;
use std::time::{Duration, Instant};

const FLOOD: &str = "REDRAFT_TEST_FLOOD";
const DEADLINE: Duration = Duration::from_secs(2);
/// More than the deadline, for a machine under load.
const SLACK: Duration = Duration::from_secs(3);
const MOST: u64 = 64 * 1024 * 1024;
const PIECE: usize = 64 * 1024;

/// One way to flood.
struct Flood {
    name: &'static str,
    stream: bool,
    head: &'static str,
    /// What comes once, and what comes again and again.
    once: &'static str,
    piece: Vec<u8>,
    bytes: usize,
}

const MB: usize = 1024 * 1024;
const EVENTS: &str = "200 OK\r\ncontent-type: text/event-stream";
const LINES: &str = "200 OK\r\ncontent-type: application/x-ndjson";
const JSON: &str = "200 OK\r\ncontent-type: application/json";

fn floods(dialect: &Dialect) -> Vec<Flood> {
    let stream_head = if dialect.provider == Provider::Ollama { LINES } else { EVENTS };
    let flood = |name, stream, once, piece: &str, bytes| Flood {
        name,
        stream,
        head: if stream { stream_head } else { JSON },
        once,
        piece: piece.repeat(PIECE / piece.len()).into_bytes(),
        bytes,
    };
    let (list, event) = match dialect.name {
        "openai" => ("{\"choices\":[", "data: {\"choices\":["),
        "anthropic" => ("{\"content\":[", "data: {\"message\":{\"content\":["),
        "gemini" => (
            "{\"candidates\":[{\"content\":{\"parts\":[",
            "data: {\"candidates\":[{\"content\":{\"parts\":[",
        ),
        _ => ("{\"error\":[", "{\"error\":["),
    };
    let delta = &dialect.stream(&["x".repeat(1000).into(), "y".into()], dialect.complete);
    let delta = delta.iter().find(|event| event.contains("xxx")).unwrap();
    vec![
        flood("a_document_of_100_mb", false, "{\"id\":\"", "x", 100 * MB),
        flood("a_document_of_brackets", false, "", "[", 100 * MB),
        flood("a_list_of_much", false, list, "{},", 3 * MB),
        flood("an_error_of_much", false, "{\"error\":[", "0,", 3 * MB),
        flood("a_text_where_none_belongs", false, "\"", "x", 3 * MB),
        flood("an_event_of_much", true, event, "{},", 3 * MB),
        flood("an_event_line_of_1_gb", true, "data: ", "x", 1024 * MB),
        flood("an_event_of_many_lines", true, "", "data: xxxxxxxx\n", 1024 * MB),
        flood("endless_comments", true, "", dialect.comment(), usize::MAX / 2),
        flood("an_endless_comment", true, ": ", "x", usize::MAX / 2),
        flood("an_endless_text", true, "", delta, usize::MAX / 2),
        Flood {
            head: "500 No\r\ncontent-type: application/json",
            ..flood("an_endless_error", false, "\"", "x", usize::MAX / 2)
        },
        Flood {
            head: "200 OK\r\nx-filler: ",
            ..flood("an_endless_header", false, "", "x", usize::MAX / 2)
        },
    ]
}

impl Flood {
    fn acts(&self) -> Vec<Act> {
        let end =
            if self.name == "an_endless_header" { "" } else { "\r\nconnection: close\r\n\r\n" };
        let begin = format!("HTTP/1.1 {}{end}{}", self.head, self.once);
        let times = self.bytes / self.piece.len();
        let end = Act::Send(b"\"\n\n".to_vec());
        vec![Act::Send(begin.into_bytes()), Act::Repeat(self.piece.clone(), times), end, Act::Close]
    }
}

/// The most memory that this process has had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

/// Stands under one flood and measures.
async fn stand(dialect: &Dialect, flood: Flood) {
    let name = format!("{} {}", dialect.name, flood.name);
    let (stream, acts) = (flood.stream, flood.acts());
    let server = Server::start(move |_| acts.clone()).await;
    let (agent, call) = (agent(Model { stream, ..model(dialect, server.url()) }), call());
    let (before, begun) = (peak(), Instant::now());
    let answer = tokio::time::timeout(DEADLINE, agent.answer(&call)).await;
    let (grown, took) = (peak() - before, begun.elapsed());
    assert!(grown < MOST, "{name}: {grown} bytes more");
    assert!(took < DEADLINE + SLACK, "{name}: {took:?}");
    match answer {
        Ok(Ok(answer)) => panic!("{name}: an answer of {} bytes", answer.text.len()),
        Ok(Err(NoAnswer::Failed(error))) => {
            assert_ne!(error.failure, Failure::Timeout, "{error:?}");
        }
        Ok(Err(NoAnswer::Waits(why))) => panic!("{name} waits for {why}"),
        Err(_) => {}
    }
}

/// Runs itself again for each flood. Every day all floods come in one protocol's words, and in the sweep in each.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn no_flood_takes_more_than_64_mb_or_more_time_than_there_is() {
    let named = std::env::var(FLOOD).ok();
    let deep = std::env::var_os("REDRAFT_DEEP").is_some();
    let dialects = if deep || named.is_some() { &ALL[..] } else { &ALL[..1] };
    for dialect in dialects {
        for flood in floods(dialect) {
            let name = format!("{} {}", dialect.name, flood.name);
            match &named {
                Some(named) if *named == name => return stand(dialect, flood).await,
                Some(_) => {}
                None => {
                    let test = "bounds::no_flood_takes_more_than_64_mb_or_more_time_than_there_is";
                    again(test, &[(FLOOD, &name)]);
                }
            }
        }
    }
    assert_eq!(named, None, "there is no such flood");
}

#[tokio::test]
async fn a_length_that_is_too_long_is_refused_before_the_body_comes() {
    let head = answer(
        "200 OK",
        &[("content-type", "application/json"), ("content-length", "104857600")],
        &[],
        Ending::Close,
    );
    let server = Server::start(move |_| vec![Act::Send(head.clone()), Act::Stall]).await;
    let error = super::house::fail(&agent(model(&ALL[0], server.url()))).await;
    assert!(error.message.contains("the body is longer than 4194304 bytes"), "{error:?}");
    server.until(|seen| seen.closed == 1).await;
}
