//! A client that goes away: the run still ends, with its record.

use super::{Server, desk};
use crate::{models::solving::honest, provider::Provider};
use serde_json::{Value, json};
use std::{
    io::{Read, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

/// How a client asks before it leaves, and what it has read by then.
struct Leaving {
    path: &'static str,
    body: Value,
    /// What it waits for before it leaves; nothing where the answer comes whole.
    reads: &'static str,
}

/// Each way to leave, while the critic thinks.
fn ways() -> [Leaving; 3] {
    let question = "What is six times seven?";
    let chat = |stream: bool| json!({"model": "redraft/solve", "stream": stream, "messages": [{"role": "user", "content": question}]});
    [
        Leaving { path: "/v1/solve", body: json!({ "prompt": question }), reads: "" },
        Leaving { path: "/v1/chat/completions", body: chat(false), reads: "" },
        Leaving { path: "/v1/chat/completions", body: chat(true), reads: "text/event-stream" },
    ]
}

/// A provider whose critic answers only when this can be locked.
fn held() -> (Provider, Arc<Mutex<()>>) {
    let gate = Arc::new(Mutex::new(()));
    let door = gate.clone();
    let provider = Provider::new(move |seen| {
        if seen.model().starts_with("critic") {
            drop(door.lock().unwrap());
        }
        honest(seen)
    });
    (provider, gate)
}

fn until_asked(provider: &Provider, count: usize) {
    while provider.asked() < count {
        std::thread::sleep(Duration::from_millis(5)); // real time: until the critic is asked
    }
}

/// The one run's record, when its events have ended.
fn ended(server: &Server) -> Value {
    let list = server.get("/v1/runs");
    assert_eq!(list["runs"].as_array().unwrap().len(), 1, "{list}");
    let run = list["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let (_, events) = server.ask("GET", &format!("/v1/runs/{run}/events"), "", "");
    assert!(events.contains("event: decided") && events.contains("event: end"), "{events}");
    assert_eq!(server.get(&format!("/v1/runs/{run}"))["exit_code"], 0);
    server.get(&format!("/v1/runs/{run}/record"))
}

#[test]
fn a_client_that_goes_away_never_loses_the_record() {
    for Leaving { path, body, reads } in ways() {
        let (provider, gate) = held();
        let closed = gate.lock().unwrap();
        let sandbox = desk(&provider);
        let server = Server::start(&sandbox, "");
        let mut client = server.connect();
        let body = body.to_string();
        let head = server.head("POST", path, "", body.len());
        client.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut seen = String::new();
        while !seen.contains(reads) {
            let mut part = [0; 512];
            let count = client.read(&mut part).unwrap();
            assert!(count > 0, "{path}: closed before {reads}: {seen}");
            seen.push_str(std::str::from_utf8(&part[..count]).unwrap());
        }
        until_asked(&provider, 3);
        drop(client);
        drop(closed);
        let record = ended(&server);
        let answer = record["solve"]["final_response"]["final_answer"].as_str().unwrap();
        assert!(answer.starts_with("Forty-two."), "{path} {reads}: {record}");
        assert_eq!((provider.asked(), record["calls"].as_array().unwrap().len()), (3, 3));
    }
}

#[test]
fn a_reader_of_events_that_goes_away_ends_nothing_and_finds_the_rest_after_a_restart() {
    let (provider, gate) = held();
    let closed = gate.lock().unwrap();
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let (_, opened) = server.solve("prefer: respond-async\r\n", "What is six times seven?");
    let path = format!("/v1/runs/{}/events", opened["run_id"].as_str().unwrap());
    until_asked(&provider, 3);
    let mut reader = server.connect();
    reader.write_all(server.head("GET", &path, "", 0).as_bytes()).unwrap();
    let mut text = String::new();
    while !text.contains("id: 3\n") {
        let mut part = [0; 512];
        let count = reader.read(&mut part).unwrap();
        text.push_str(std::str::from_utf8(&part[..count]).unwrap());
    }
    drop(reader);
    server.kill();
    drop(closed);
    let server = Server::start(&sandbox, "");
    let (status, rest) = server.ask("GET", &path, "last-event-id: 3\r\n", "");
    assert_eq!(status, 200, "{rest}");
    let ids: Vec<u64> = rest
        .lines()
        .filter_map(|line| line.strip_prefix("id: "))
        .map(|id| id.parse().unwrap())
        .collect();
    let all: Vec<u64> = (4..4 + ids.len() as u64).collect();
    assert_eq!(ids, all, "none twice and none missing");
    assert!(rest.contains("event: decided") && rest.contains("event: end"), "{rest}");
    let beyond = format!("last-event-id: {}\r\n", ids.last().unwrap() + 1);
    let (status, refused) = server.ask("GET", &path, &beyond, "");
    super::problem(status, &refused, "invalid-request");
}
