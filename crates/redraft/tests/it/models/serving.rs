//! The server: the built binary over real HTTP, against a provider on loopback.

mod chats;
mod clients;
mod doors;
mod going_away;
mod keys;
mod limits;
mod slow_clients;

use super::{KEY, configure, solving::honest};
use crate::{
    provider::{Does, Provider},
    sandbox::{REDRAFT, Sandbox},
};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
};

/// A server of the built binary; it is killed with the test.
pub(super) struct Server {
    pub(super) process: Child,
    pub(super) address: String,
}

impl Server {
    pub(super) fn start(sandbox: &Sandbox, words: &str) -> Self {
        Self::with(sandbox, words, &[])
    }

    /// Starts it with further variables.
    fn with(sandbox: &Sandbox, words: &str, variables: &[(&str, &str)]) -> Self {
        let listen = if words.contains("--listen") { "" } else { "--listen 127.0.0.1:0" };
        let mut command: Command = sandbox.command(REDRAFT, &format!("serve {listen} {words}"));
        command.env("XDG_CONFIG_HOME", sandbox.join("config")).env("TEST_KEY", KEY);
        command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("Listening: http://").unwrap().to_owned();
        Self { process, address }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    /// The head of a request with a JSON body of this length.
    fn head(&self, method: &str, path: &str, headers: &str, length: usize) -> String {
        head(&self.address, method, path, headers, length)
    }

    /// One request on a connection of its own: the status and the body.
    pub(super) fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        exchange(&self.address, method, path, headers, body).unwrap()
    }

    /// Reads something that has to be there.
    pub(super) fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, "", "");
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    pub(super) fn solve(&self, headers: &str, prompt: &str) -> (u16, Value) {
        let body = json!({ "prompt": prompt }).to_string();
        let (status, body) = self.ask("POST", "/v1/solve", headers, &body);
        (status, serde_json::from_str(&body).unwrap())
    }

    /// The most memory that it has had so far, in KiB.
    fn peak(&self) -> u64 {
        let status = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(status).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    pub(super) fn kill(&mut self) {
        let _ = self.process.kill();
        self.process.wait().unwrap();
    }
}

fn head(address: &str, method: &str, path: &str, headers: &str, length: usize) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n"
    )
}

/// One request to a server that may be gone before it has answered: the status and the body.
pub(super) fn exchange(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(address)?;
    let head = head(address, method, path, headers, body.len());
    stream.write_all(format!("{head}{body}").as_bytes())?;
    let (status, _, body) = read(&mut stream)?;
    Ok((status, body))
}

/// Reads an answer to its end: the status, the head, and the body.
fn read(stream: &mut TcpStream) -> std::io::Result<(u16, String, String)> {
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let cut_off = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(cut_off)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok((status.ok_or_else(cut_off)?, head.to_owned(), body.to_owned()))
}

/// The same of a server that answers.
fn told(stream: &mut TcpStream) -> (u16, String, String) {
    read(stream).unwrap()
}

/// Reads the problem in an answer's body, and checks that it is one of this status and kind.
fn problem(status: u16, body: &str, kind: &str) -> Value {
    let problem: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("{status}: {body}"));
    assert_eq!(problem["status"], status, "{body}");
    assert_eq!(problem["type"], format!("/docs#problem-{kind}"), "{body}");
    problem
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

pub(super) fn desk(provider: &Provider) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    configure(&sandbox, provider, "");
    sandbox
}

#[test]
fn a_question_is_answered_and_its_run_is_listed_with_its_record() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    let (status, body) = server.solve("", "What is six times seven?");
    assert_eq!(status, 200, "{body}");
    assert!(body["final_answer"].as_str().unwrap().starts_with("Forty-two."), "{body}");
    let run = body["run_id"].as_str().unwrap();
    let (status, record) = server.ask("GET", &format!("/v1/runs/{run}/record"), "", "");
    assert_eq!(status, 200);
    let record: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["solve"]["candidates"][0]["answer_draft"], "Forty-two.");
    assert_eq!(provider.asked(), 3);
}

#[test]
fn a_run_that_a_killed_server_left_goes_on_at_the_next_start() {
    let provider = Provider::new(|seen| match seen.nth {
        0 if seen.model().starts_with("critic") => Does::Hangs,
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let body = json!({"prompt": "What is six times seven?"}).to_string();
    let (status, _) = server.ask("POST", "/v1/solve", "prefer: respond-async\r\n", &body);
    assert_eq!(status, 202);
    while provider.asked() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(5)); // real time: until the critic is asked
    }
    server.kill();
    let server = Server::start(&sandbox, "");
    let list: Value = serde_json::from_str(&server.ask("GET", "/v1/runs", "", "").1).unwrap();
    let run = list["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let (_, events) = server.ask("GET", &format!("/v1/runs/{run}/events"), "", "");
    assert!(events.contains("event: decided") && events.contains("event: end"), "{events}");
    let (_, view) = server.ask("GET", &format!("/v1/runs/{run}"), "", "");
    let view: Value = serde_json::from_str(&view).unwrap();
    assert_eq!(view["state"], "decided", "{view}");
    assert_eq!(provider.asked(), 4, "the critic alone is asked again");
    assert_eq!(list["runs"].as_array().unwrap().len(), 1);
}
