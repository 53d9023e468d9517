//! Stopping a server: by a signal with grace, by a second one at once. What is open stays resumable.
#![cfg(unix)]

use super::{
    serving::{Server, desk, exchange},
    solving::honest,
};
use crate::provider::{Does, Provider};
use serde_json::{Value, json};
use std::{
    process::Command,
    time::{Duration, Instant},
};

fn tell(server: &Server, signal: &str) {
    let pid = server.process.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
}

/// Waits until the provider was asked so often.
fn asked(provider: &Provider, times: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while provider.asked() < times {
        std::thread::sleep(Duration::from_millis(5)); // real time: until it is asked
        assert!(Instant::now() < deadline, "{} of {times}", provider.asked());
    }
}

/// A provider whose critic takes its time, or for ever.
fn critic(does: Does) -> Provider {
    Provider::new(move |seen| match honest(seen) {
        Does::Says(text) if seen.model() == "critic" && seen.nth == 0 => match &does {
            Does::SaysAfter(wait, _) => Does::SaysAfter(*wait, text),
            other => other.clone(),
        },
        other => other,
    })
}

const QUESTION: &str = "What is six times seven?";

#[test]
fn a_server_that_is_told_to_stop_answers_what_it_has_accepted() {
    for signal in ["-TERM", "-INT"] {
        let provider = critic(Does::SaysAfter(Duration::from_millis(700), String::new()));
        let sandbox = desk(&provider);
        let mut server = Server::start(&sandbox, "");
        let body = std::thread::scope(|scope| {
            let answer = scope.spawn(|| server.solve("", QUESTION));
            asked(&provider, 3);
            tell(&server, signal);
            answer.join().unwrap()
        });
        assert_eq!(
            (body.0, body.1["known_issues"].clone()),
            (200, json!([])),
            "{signal}: {body:?}"
        );
        assert_eq!(server.process.wait().unwrap().code(), Some(0), "{signal}");
        assert!(exchange(&server.address, "GET", "/healthz", "", "").is_err(), "{signal}");
    }
}

#[test]
fn a_reply_that_comes_within_the_grace_is_not_asked_for_again() {
    let provider = critic(Does::SaysAfter(Duration::from_millis(700), String::new()));
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let body = json!({"prompt": QUESTION}).to_string();
    server.ask("POST", "/v1/solve", "prefer: respond-async\r\n", &body);
    asked(&provider, 3);
    tell(&server, "-TERM");
    assert_eq!(server.process.wait().unwrap().code(), Some(0), "nobody waits for an answer");
    let server = Server::start(&sandbox, "");
    finished(&server, &provider, 3);
}

/// The one run of this server is decided after so many requests in all.
fn finished(server: &Server, provider: &Provider, requests: usize) {
    let list: Value = serde_json::from_str(&server.ask("GET", "/v1/runs", "", "").1).unwrap();
    let [run] = list["runs"].as_array().unwrap().as_slice() else { panic!("{list}") };
    let run = run["run_id"].as_str().unwrap();
    let (_, events) = server.ask("GET", &format!("/v1/runs/{run}/events"), "", "");
    assert!(events.contains("event: decided"), "{events}");
    assert_eq!(provider.asked(), requests);
}

#[test]
fn a_second_signal_stops_at_once_and_the_run_goes_on_at_the_next_start() {
    let provider = critic(Does::Hangs);
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let (address, body) = (server.address.clone(), json!({"prompt": QUESTION}).to_string());
    let waits = std::thread::spawn(move || exchange(&address, "POST", "/v1/solve", "", &body));
    asked(&provider, 3);
    let told = Instant::now();
    tell(&server, "-TERM");
    while exchange(&server.address, "GET", "/healthz", "", "").is_ok() {
        std::thread::sleep(Duration::from_millis(5)); // real time: until it listens no more
    }
    tell(&server, "-INT");
    assert_eq!(server.process.wait().unwrap().code(), Some(130));
    assert!(told.elapsed() < Duration::from_secs(8), "{:?}", told.elapsed());
    drop(waits.join().unwrap());
    let server = Server::start(&sandbox, "");
    finished(&server, &provider, 4);
}

#[test]
fn a_call_that_never_answers_holds_a_stop_up_no_longer_than_the_grace() {
    let provider = critic(Does::Hangs);
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let (status, problem) = std::thread::scope(|scope| {
        let answer = scope.spawn(|| server.solve("", QUESTION));
        asked(&provider, 3);
        tell(&server, "-TERM");
        answer.join().unwrap()
    });
    assert_eq!(status, 503, "{problem}");
    assert!(problem.to_string().contains("goes on when the server starts again"), "{problem}");
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
    let server = Server::start(&sandbox, "");
    finished(&server, &provider, 4);
}
