//! Solves that were left for longer than they may take: they end with what there is, and say why.

use super::{
    command, configure,
    serving::{Server, desk},
    solving::honest,
};
use crate::{
    provider::{Does, Provider},
    sandbox::{Sandbox, ended},
};
use serde_json::{Value, json};
use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const QUESTION: &str = "What is six times seven?";
/// Enough for a plan and an answer on a busy machine, and not more than a test may wait.
const SECONDS: u64 = 6;

/// Its critic never answers.
fn provider() -> Provider {
    Provider::new(|seen| if seen.model() == "critic" { Does::Hangs } else { honest(seen) })
}

/// Waits until the critic is asked.
fn criticised(provider: &Provider) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while provider.asked() < 3 {
        std::thread::sleep(Duration::from_millis(5)); // real time: until the critic is asked
        assert!(Instant::now() < deadline);
    }
}

fn leave_alone() {
    std::thread::sleep(Duration::from_millis(SECONDS * 1_000 + 100)); // real time: nobody drives it
}

fn check(provider: &Provider, response: &Value) {
    let answer = response["final_answer"].as_str().unwrap();
    assert!(answer.starts_with("Forty-two."), "{response}");
    let known = response["known_issues"].as_array().unwrap();
    let told = format!(
        "critique: the {SECONDS} s that may be spent on this run are over: it was interrupted, and nobody drove it for "
    );
    assert!(known.iter().any(|issue| issue.as_str().unwrap().starts_with(&told)), "{response}");
    assert!(known.iter().any(|issue| issue.as_str().unwrap().contains("degraded")), "{response}");
    assert_eq!(provider.asked(), 3, "nobody is asked any more");
}

fn solve(sandbox: &Sandbox, words: &[&str]) -> Command {
    let mut solve = command(sandbox, "solve --json");
    solve.args(words);
    solve
}

/// Kills a solve while its critic is asked, and leaves it alone; its run.
fn killed_and_left(sandbox: &Sandbox, provider: &Provider) -> String {
    let mut killed = solve(sandbox, &[QUESTION, "--total-seconds", &SECONDS.to_string()]);
    let mut child = killed.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    criticised(provider);
    child.kill().unwrap();
    child.wait().unwrap();
    leave_alone();
    let list = sandbox.json("runs list")["runs"].clone();
    list[0]["run_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_solve_that_was_killed_and_left_for_longer_than_its_time_ends_with_what_there_is() {
    let provider = provider();
    let sandbox = desk(&provider);
    let run = killed_and_left(&sandbox, &provider);
    let ended = ended(&solve(&sandbox, &["--resume", &run]).output().unwrap());
    assert_eq!(ended.code, 5, "{}{}", ended.out, ended.err);
    check(&provider, &serde_json::from_str(&ended.out).unwrap());
    one_record(&sandbox, &run);
}

#[test]
fn whoever_goes_on_with_a_solve_may_give_it_more_time_from_now_on() {
    let provider = Provider::new(|seen| match seen.nth {
        0 if seen.model() == "critic" => Does::Hangs,
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    let run = killed_and_left(&sandbox, &provider);
    let words = ["--resume", &run, "--total-seconds", "60"];
    let ended = ended(&solve(&sandbox, &words).output().unwrap());
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert_eq!(provider.asked(), 4, "the critic is asked again");
    one_record(&sandbox, &run);
}

fn one_record(sandbox: &Sandbox, run: &str) {
    let list = sandbox.json("runs list")["runs"].clone();
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    let record = sandbox.json(&format!("runs record {run}"))["record"].clone();
    assert_eq!(record["decision"]["outcome"], "converged", "{record}");
    sandbox.expect(0, "verify");
}

/// Kills a server while its critic is asked.
fn left(sandbox: &Sandbox, provider: &Provider, words: &str) {
    let mut server = Server::start(sandbox, words);
    let body = json!({"prompt": QUESTION}).to_string();
    let headers = "prefer: respond-async\r\nidempotency-key: one\r\n";
    assert_eq!(server.ask("POST", "/v1/solve", headers, &body).0, 202);
    criticised(provider);
    server.kill();
}

#[test]
fn a_server_closes_a_run_that_was_left_for_longer_than_its_time() {
    let provider = provider();
    let sandbox = desk(&provider);
    left(&sandbox, &provider, &format!("--total-seconds {SECONDS}"));
    leave_alone();
    let server = Server::start(&sandbox, "");
    let (status, response) = server.solve("idempotency-key: one\r\n", QUESTION);
    assert_eq!(status, 200, "{response}");
    check(&provider, &response);
    one_record(&sandbox, response["run_id"].as_str().unwrap());
}

#[test]
fn a_run_whose_cast_is_another_now_is_closed_with_what_there_is() {
    let provider = provider();
    let sandbox = desk(&provider);
    left(&sandbox, &provider, "--critic critic --critic critic2");
    configure(&sandbox, &provider, "");
    let server = Server::start(&sandbox, "--critic critic");
    let (status, response) = server.solve("idempotency-key: one\r\n", QUESTION);
    assert_eq!(status, 200, "{response}");
    let known = response["known_issues"].to_string();
    assert!(known.contains("interrupted and cannot go on: run "), "{known}");
    assert!(known.contains("was opened with ") && known.contains("critic2"), "{known}");
    assert!(response["final_answer"].as_str().unwrap().starts_with("Forty-two."), "{response}");
    one_record(&sandbox, response["run_id"].as_str().unwrap());
}
