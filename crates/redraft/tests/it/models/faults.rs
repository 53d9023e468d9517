//! A provider at fault: no incomplete answer is taken, attempts are bounded, and each is in the record.

use super::{expect, studio};
use crate::provider::{Does, Provider, candidate};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const REVIEW: &str = "podcast review -w w --asset-id talk";

fn whole(text: &str, finish: &str) -> Value {
    let message = json!({"role": "assistant", "content": text});
    let choice = json!([{"index": 0, "message": message, "finish_reason": finish}]);
    json!({"id": "r", "object": "chat.completion", "created": 1, "model": "writer", "choices": choice,
        "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}})
}

/// A stream that has all of a reply's text, and neither a reason for its end nor its last event.
fn cut_stream() -> String {
    let delta = json!({"role": "assistant", "content": candidate("All of it.", true)});
    let choice = json!([{"index": 0, "delta": delta, "finish_reason": null}]);
    let chunk = json!({"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "writer", "choices": choice});
    format!("data: {chunk}\n\n")
}

/// What the provider does each time, how often it is asked, and what is told.
fn faults() -> Vec<(Does, usize, &'static str)> {
    let answer = |status, kind: &str, body: String| {
        Does::Fails(status, vec![("content-type", kind.to_owned())], body)
    };
    let json = |status, body: Value| answer(status, "application/json", body.to_string());
    let good = candidate("All of it.", true);
    let two = format!("{}{}", whole(&good, "stop"), whole(&good, "stop"));
    vec![
        (json(500, json!({"error": {"message": "oops"}})), 3, "500"),
        (json(401, json!({"error": {"message": "no such key"}})), 1, "401"),
        (answer(200, "text/html", "<html>Welcome to the hotel</html>".into()), 3, "HTML"),
        (answer(200, "application/json", String::new()), 3, "cannot be read"),
        (answer(200, "text/event-stream", cut_stream()), 3, "cut off"),
        (json(200, whole(&good, "length")), 1, "length"),
        (json(200, whole(&good, "content_filter")), 1, "filter"),
        (answer(200, "application/json", two), 3, ""),
        (json(200, json!({"choices": "none"})), 3, ""),
    ]
}

#[test]
fn each_fault_ends_in_bounds_with_every_attempt_in_the_record() {
    std::thread::scope(|scope| {
        for (does, at_most, told) in faults() {
            scope.spawn(move || check(&does, at_most, told));
        }
    });
}

fn check(does: &Does, at_most: usize, told: &str) {
    let answer = does.clone();
    let provider = Provider::new(move |_| answer.clone());
    let sandbox = studio(&provider, "");
    let before = Instant::now();
    let ended = expect(&sandbox, 1, REVIEW);
    assert!(before.elapsed() < Duration::from_secs(30), "{does:?}: {:?}", before.elapsed());
    assert!((1..=at_most).contains(&provider.asked()), "{does:?}: {}", provider.asked());
    assert!(ended.err.to_lowercase().contains(&told.to_lowercase()), "{told}: {}", ended.err);
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let record = sandbox.json(&format!("runs show -w w {run}"))["record"].clone();
    let calls = record["calls"].as_array().unwrap();
    assert_eq!(calls.len(), provider.asked(), "{does:?}");
    assert!(calls.iter().all(|call| call["state"].get("failed").is_some()), "{does:?}: {record}");
    assert_eq!(record["turns"], json!([]), "{does:?}: nothing of it was taken");
}
