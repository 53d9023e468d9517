//! The same request sent twice with one `Idempotency-Key`.

use super::{Server, desk};
use crate::{
    models::{command, solving::honest},
    provider::{Does, Provider},
    sandbox::{Sandbox, ended},
};
use serde_json::{Value, json};
use std::time::Duration;

const KEY: &str = "idempotency-key: the-one\r\n";
const QUESTION: &str = "What is six times seven?";

fn twenty(ask: impl Fn() -> (u16, String) + Sync) -> Vec<String> {
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..20).map(|_| scope.spawn(&ask)).collect();
        let told = asked.into_iter().map(|one| one.join().unwrap());
        told.map(|(status, body)| {
            assert_eq!(status, 200, "{body}");
            body
        })
        .collect()
    })
}

#[test]
fn the_same_request_sent_twice_with_one_idempotency_key_is_one_run_with_one_body() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let body = json!({ "prompt": QUESTION }).to_string();
    let told = twenty(|| server.ask("POST", "/v1/solve", KEY, &body));
    assert!(told.iter().all(|other| *other == told[0]), "{told:?}");
    assert_eq!(provider.asked(), 3, "one run");
    server.kill();
    let server = Server::start(&sandbox, "");
    for path in ["/v1/solve", "/solve"] {
        assert_eq!(server.ask("POST", path, KEY, &body), (200, told[0].clone()), "{path}");
    }
    let (status, refused) = server.solve(KEY, "Another question?");
    assert_eq!(status, 422);
    assert_eq!(refused["type"], "/docs#problem-key-reused");
    let run: Value = serde_json::from_str(&told[0]).unwrap();
    let place = format!("/v1/runs/{}", run["run_id"].as_str().unwrap());
    assert_eq!(refused["instance"], place);
    assert_eq!(server.get("/v1/runs")["runs"].as_array().unwrap().len(), 1);
    assert_eq!(provider.asked(), 3);
}

/// Whoever loses the race for a key looks for the run of the winner, which may not be driven yet.
#[test]
fn many_keys_each_sent_by_several_at_once_are_always_answered() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    let server = Server::start(&sandbox, "");
    let body = json!({"prompt": "Which?", "context": "The launch moved to June."}).to_string();
    for nth in 0..25 {
        let key = format!("idempotency-key: race-{nth}\r\n");
        let told = twenty(|| server.ask("POST", "/v1/solve", &key, &body));
        assert!(told.iter().all(|other| *other == told[0]), "{nth}: {told:?}");
    }
    assert_eq!(server.get("/v1/runs?limit=100")["runs"].as_array().unwrap().len(), 25);
}

#[test]
fn the_same_chat_sent_twice_with_one_idempotency_key_is_one_run_whole_and_streamed() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    let messages = json!([{"role": "user", "content": QUESTION}]);
    for (nth, stream) in [(1, false), (2, true)] {
        let chat = json!({"model": "redraft/solve", "messages": messages, "stream": stream});
        let key = format!("idempotency-key: chat-{nth}\r\n");
        let body = chat.to_string();
        let told = twenty(|| server.ask("POST", "/v1/chat/completions", &key, &body));
        assert!(told.iter().all(|other| *other == told[0]), "{told:?}");
        assert_eq!(provider.asked(), 3 * nth, "one run each");
    }
}

#[test]
fn a_key_whose_server_was_killed_in_the_middle_waits_for_the_run_that_it_opened() {
    let provider = Provider::new(|seen| match seen.nth {
        0 if seen.model().starts_with("critic") => Does::Hangs,
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let async_key = format!("{KEY}prefer: respond-async\r\n");
    let (status, opened) = server.solve(&async_key, QUESTION);
    assert_eq!(status, 202, "{opened}");
    while provider.asked() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(5)); // real time: until the critic is asked
    }
    server.kill();
    let server = Server::start(&sandbox, "");
    let (status, body) = server.solve(KEY, QUESTION);
    assert_eq!((status, &body["run_id"]), (200, &opened["run_id"]), "{body}");
    assert_eq!(provider.asked(), 4, "the critic alone is asked again");
}

#[test]
fn a_home_has_one_server_and_nobody_else_drives_its_runs() {
    let provider = Provider::new(|_| Does::SaysAfter(Duration::from_secs(600), String::new()));
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let body = json!({ "prompt": QUESTION }).to_string();
    let (status, opened) = server.ask("POST", "/v1/solve", "prefer: respond-async\r\n", &body);
    let run = serde_json::from_str::<Value>(&opened).unwrap()["run_id"].clone();
    assert_eq!(status, 202, "{opened}");
    let second = ended(&command(&sandbox, "serve --listen 127.0.0.1:0").output().unwrap());
    assert_eq!(second.code, 7, "{}", second.err);
    assert!(second.err.contains("another server serves this home"), "{}", second.err);
    let resume = format!("solve --resume {}", run.as_str().unwrap());
    assert_eq!(ended(&command(&sandbox, &resume).output().unwrap()).code, 7);
    server.kill();
}
