//! Clients that are slow to send or to take: all of them are cut off, and memory stays flat.

use super::{Server, problem};
use crate::sandbox::Sandbox;
use serde_json::{Value, json};
use std::{
    io::{Read, Write},
    time::{Duration, Instant},
};

/// The time that the server gives to send a head, to send a body, and to take something.
const GIVEN: Duration = Duration::from_secs(30);
/// How much more memory all of them together may take at its peak, in KiB.
const MORE: u64 = 32 * 1024;
/// How many there are of most kinds.
const EACH: usize = 4;

/// A line a second of what never ends, until the server has had enough: what it says then.
fn drips(server: &Server, head: &str, drop: &str) -> String {
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).unwrap();
    let mut dripping = stream.try_clone().unwrap();
    std::thread::scope(|scope| {
        let said = scope.spawn(move || {
            let mut said = Vec::new();
            // The last drops may find the connection closed; what was said before has arrived.
            let _ = stream.read_to_end(&mut said);
            String::from_utf8(said).unwrap()
        });
        while !said.is_finished() && dripping.write_all(drop.as_bytes()).is_ok() {
            std::thread::sleep(Duration::from_secs(1)); // real time: it is a slow client
        }
        said.join().unwrap()
    })
}

/// Asks again and again and never reads, until the server has had enough.
fn asks_on_and_takes_nothing(server: &Server, path: &str) {
    let mut stream = server.connect();
    let one = server.head("GET", path, "", 0).replace("connection: close\r\n", "");
    while stream.write_all(one.repeat(50).as_bytes()).is_ok() {}
}

fn slow_head(server: &Server) {
    let head = server.head("GET", "/healthz", "", 0);
    let said = drips(server, head.trim_end(), "\r\nx-drip: 1");
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    problem(408, said.split_once("\r\n\r\n").unwrap().1, "slow-request");
}

fn slow_body(server: &Server) {
    let said = drips(server, &server.head("POST", "/v1/solve", "", 1_000_000), " ");
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    problem(408, said.split_once("\r\n\r\n").unwrap().1, "slow-request");
}

#[test]
fn slow_clients_are_cut_off_others_are_served_and_memory_stays_flat() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    let server = Server::start(&sandbox, "");
    // Its events are large, so that few of them are more than systems hold for a reader.
    let context = "The launch moved to June. ".repeat(4_000);
    let question = json!({"prompt": "When is the launch?", "context": context}).to_string();
    let (_, body) = server.ask("POST", "/v1/solve", "", &question);
    let body: Value = serde_json::from_str(&body).unwrap();
    let events = format!("/v1/runs/{}/events", body["run_id"].as_str().unwrap());
    let before = server.peak();
    let began = Instant::now();
    std::thread::scope(|scope| {
        // One of these: until the system holds all it can for a reader, the server has work with it.
        let mut slow = vec![scope.spawn(|| asks_on_and_takes_nothing(&server, &events))];
        for _ in 0..EACH {
            slow.push(scope.spawn(|| slow_head(&server)));
            slow.push(scope.spawn(|| slow_body(&server)));
            slow.push(scope.spawn(|| asks_on_and_takes_nothing(&server, "/docs")));
        }
        assert_eq!(server.ask("GET", "/healthz", "", "").0, 200);
        assert!(slow.iter().all(|client| !client.is_finished()));
        slow.into_iter().for_each(|client| client.join().unwrap());
    });
    let (took, after) = (began.elapsed(), server.peak());
    eprintln!(
        "{} slow clients, cut off after {took:.1?}: peak memory {before} KiB before, {after} KiB after",
        3 * EACH + 1,
    );
    assert!(took >= GIVEN && took < GIVEN * 3, "{took:?}");
    assert!(after < before + MORE, "{before} KiB before, {after} KiB after");
    assert_eq!(server.get("/v1/runs")["runs"].as_array().unwrap().len(), 1);
}
