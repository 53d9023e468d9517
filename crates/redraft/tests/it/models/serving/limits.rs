//! Requests that are too much: each is told so in a problem document, and memory stays flat.

use super::{Server, problem, told};
use crate::{provider::Provider, sandbox::Sandbox};
use serde_json::{Value, json};
use std::io::Write;

/// Who asks for too much at once.
const AT_ONCE: usize = 4;
/// How often each of them does it all.
const ROUNDS: usize = 6;
/// How much more memory the first round may take at its peak, in KiB: a body of 2 MiB each, as text and as JSON.
const FIRST: u64 = 80 * 1024;
/// How much more all others together may take, in KiB: what an allocator makes of it.
const MORE: u64 = 32 * 1024;

fn post(server: &Server, body: &str, kind: &str) -> Value {
    let (status, told) = server.ask("POST", "/v1/solve", "", body);
    problem(status, &told, kind)
}

/// A hundred megabytes, with their length told before, or in chunks without it.
fn hundred_megabytes(server: &Server, chunked: bool) -> Value {
    let part = vec![b'x'; 1 << 20];
    let mut stream = server.connect();
    let head = server.head("POST", "/v1/solve", "", 100 << 20);
    let length = format!("content-length: {}", 100 << 20);
    let head = if chunked { head.replace(&length, "transfer-encoding: chunked") } else { head };
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..100 {
        if chunked {
            stream.write_all(format!("{:x}\r\n", part.len()).as_bytes()).unwrap();
        }
        stream.write_all(&part).unwrap();
        if chunked {
            stream.write_all(b"\r\n").unwrap();
        }
    }
    if chunked {
        stream.write_all(b"0\r\n\r\n").unwrap();
    }
    let (status, _, body) = told(&mut stream);
    assert_eq!(status, 413);
    problem(status, &body, "body-too-large")
}

/// Each request that is too much, once.
fn all(server: &Server) {
    for chunked in [false, true] {
        let large = hundred_megabytes(server, chunked);
        assert_eq!(large["detail"], "a body has at most 2097152 bytes");
    }
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    post(server, &deep, "bad-json");
    post(server, &format!(r#"{{"prompt": "x", "context": {{"a": {deep}}}}}"#), "bad-json");
    let objects = format!("{}1{}", r#"{"a":"#.repeat(10_000), "}".repeat(10_000));
    post(server, &objects, "bad-json");
    let twice = post(server, r#"{"prompt": "x", "prompt": "y"}"#, "bad-json");
    assert_eq!(twice["pointer"], "/prompt", "{twice}");
    let twice = post(server, r#"{"prompt": "x", "context": {"a": {"b": 1, "b": 2}}}"#, "bad-json");
    assert_eq!(twice["pointer"], "/context/a/b", "{twice}");
    let many = json!({"prompt": "x", "constraints": vec!["x"; 100_001]}).to_string();
    assert_eq!(post(server, &many, "invalid-request")["pointer"], "/constraints");
    let long = "x".repeat(40_000);
    for (method, path, headers, kind) in [
        ("GET", "/v1/runs".to_owned(), format!("x-long: {long}\r\n"), "headers-too-large"),
        ("GET", "/v1/runs".to_owned(), "x-many: 1\r\n".repeat(100), "headers-too-large"),
        ("GET", format!("/v1/runs?before={long}"), String::new(), "uri-too-long"),
        ("PATCH", "/v1/solve".to_owned(), String::new(), "method-not-allowed"),
        ("OPTIONS", "/v1/runs".to_owned(), String::new(), "method-not-allowed"),
        ("GET", "/v1/embeddings".to_owned(), String::new(), "not-found"),
    ] {
        let (status, body) = server.ask(method, &path, &headers, "");
        problem(status, &body, kind);
    }
    let plain = server.head("POST", "/v1/solve", "", 2).replace("application/json", "text/plain");
    let mut stream = server.connect();
    stream.write_all(format!("{plain}{{}}").as_bytes()).unwrap();
    let (status, head, body) = told(&mut stream);
    problem(status, &body, "unsupported-media-type");
    assert!(head.contains("content-type: application/problem+json"), "{head}");
}

#[test]
fn what_is_too_much_is_told_in_a_problem_document_and_memory_stays_flat() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    let server = Server::start(&sandbox, "");
    server.ask("GET", "/healthz", "", "");
    let before = server.peak();
    let round = || {
        std::thread::scope(|scope| {
            (0..AT_ONCE).for_each(|_| drop(scope.spawn(|| all(&server))));
        });
        server.peak()
    };
    let first = round();
    (2..ROUNDS).for_each(|_| _ = round());
    let last = round();
    eprintln!(
        "{ROUNDS} rounds of too much by {AT_ONCE} at once: peak memory {before} KiB before, {first} KiB after the \
         first, {last} KiB after the last"
    );
    assert!(first < before + FIRST && last < first + MORE, "{before}, {first}, {last} KiB");
    assert_eq!(server.get("/v1/runs")["runs"], json!([]), "nothing was opened");
}

#[test]
fn a_thousand_constraints_reach_the_record_word_for_word() {
    let provider = Provider::new(crate::models::solving::honest);
    let sandbox = super::desk(&provider);
    let server = Server::start(&sandbox, "");
    let constraints: Vec<String> = (0..1_000).map(|nth| format!("keep to rule {nth}")).collect();
    let body = json!({"prompt": "What is six times seven?", "constraints": constraints});
    let (status, told) = server.ask("POST", "/v1/solve", "", &body.to_string());
    assert_eq!(status, 200, "{told}");
    let told: Value = serde_json::from_str(&told).unwrap();
    let record = server.get(&format!("/v1/runs/{}/record", told["run_id"].as_str().unwrap()));
    assert_eq!(record["solve"]["request"]["constraints"], json!(constraints));
}
