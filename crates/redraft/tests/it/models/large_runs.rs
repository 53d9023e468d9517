//! Runs with a great deal to work on: the server answers others meanwhile, and ends when it is told to.
#![cfg(unix)]

use super::serving::{Server, exchange};
use crate::sandbox::Sandbox;
use serde_json::json;
use std::{
    process::Command,
    time::{Duration, Instant},
};

/// More of them than there are threads on most machines.
const AT_ONCE: usize = 4;
/// How long an answer about the server's health may take on a machine that does much else.
const PROMPT: Duration = Duration::from_secs(5);

fn tell(server: &Server) {
    let pid = server.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
}

fn large() -> String {
    // A little below the most bytes that a body may have.
    let constraints: Vec<String> = (0..70_000).map(|n| format!("must mention \"{n}\"")).collect();
    json!({"prompt": "What is it?", "constraints": constraints}).to_string()
}

/// A server with nothing to do but large runs.
fn busy(body: &str) -> (Sandbox, Server) {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    let server = Server::start(&sandbox, "");
    for _ in 0..AT_ONCE {
        let (address, body) = (server.address.clone(), body.to_owned());
        // Nobody waits for these: the server ends before it answers.
        drop(std::thread::spawn(move || exchange(&address, "POST", "/v1/solve", "", &body)));
    }
    std::thread::sleep(Duration::from_secs(1)); // real time: until they are worked on, for many seconds
    (sandbox, server)
}

fn health(server: &Server) {
    for _ in 0..20 {
        let asked = Instant::now();
        assert_eq!(server.ask("GET", "/healthz", "", "").0, 200);
        assert!(asked.elapsed() < PROMPT, "{:?}", asked.elapsed());
    }
}

fn is_over(server: &mut Server) -> bool {
    server.process.try_wait().unwrap().is_some()
}

#[test]
fn large_runs_keep_the_server_neither_from_answering_nor_from_a_second_signal() {
    let (_sandbox, mut server) = busy(&large());
    health(&server);
    tell(&server);
    while exchange(&server.address, "GET", "/healthz", "", "").is_ok() {
        std::thread::sleep(Duration::from_millis(5)); // real time: until it listens no more
    }
    assert!(!is_over(&mut server), "it is at work");
    let told = Instant::now();
    tell(&server);
    assert_eq!(server.process.wait().unwrap().code(), Some(130));
    assert!(told.elapsed() < Duration::from_secs(6), "{:?}", told.elapsed());
}

#[test]
fn large_runs_do_not_hold_up_a_stop_beyond_the_grace() {
    let (_sandbox, mut server) = busy(&large());
    let told = Instant::now();
    tell(&server);
    assert!(matches!(server.process.wait().unwrap().code(), Some(0 | 130)));
    assert!(told.elapsed() < Duration::from_secs(20), "{:?}", told.elapsed());
}
