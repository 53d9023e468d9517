//! A person who plays in a run of the server: it rests until there is an answer, and then goes on by itself.

use super::{Server, problem};
use crate::{
    models::{command, configure, solving::honest},
    provider::Provider,
    sandbox::{Sandbox, ended},
};
use serde_json::Value;
use std::{
    fs,
    time::{Duration, Instant},
};

const KEY: &str = "idempotency-key: mine\r\n";
const QUESTION: &str = "What is six times seven?";

/// Who criticises is a person.
fn desk(provider: &Provider) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    configure(&sandbox, provider, "critics = [\"human\"]\n");
    sandbox
}

/// Asks, and gets to know for which file the run waits.
fn waits(server: &Server) -> (String, String) {
    let (status, told) = server.solve(KEY, QUESTION);
    let told = problem(status, &told.to_string(), "rests");
    assert_eq!((status, &told["code"]), (503, &3.into()), "{told}");
    let detail = told["detail"].as_str().unwrap();
    assert!(detail.contains("goes on once that is there"), "{detail}");
    let run = told["instance"].as_str().unwrap().strip_prefix("/v1/runs/").unwrap();
    let (_, place) = detail.split_once("an answer in ").unwrap();
    let end = place.find(".response.md").unwrap() + ".response.md".len();
    assert!(place.starts_with(&format!(".redraft/inbox/{run}/")), "{detail}");
    (run.to_owned(), place[..end].to_owned())
}

#[test]
fn a_run_that_waits_for_a_person_goes_on_when_the_answer_is_there() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    let (run, place) = waits(&server);
    let path = format!("/v1/runs/{run}");
    let view = server.get(&path);
    assert_eq!((&view["state"], &view["exit_code"]), (&"resting".into(), &3.into()), "{view}");
    assert_eq!(waits(&server), (run.clone(), place.clone()), "the same key says the same");
    let (status, resumed) = server.ask("POST", &format!("{path}/resume"), "", "");
    assert_eq!(status, 200, "{resumed}");
    assert_eq!(serde_json::from_str::<Value>(&resumed).unwrap(), view, "nobody is asked twice");
    let (_, events) = server.ask("GET", &format!("{path}/events"), "", "");
    let here = sandbox.path().display().to_string();
    assert!(events.contains(&place) && !events.contains(&here), "{events}");
    assert!(!view.to_string().contains(&here), "{view}");
    let resume = ended(&command(&sandbox, &format!("solve --resume {run}")).output().unwrap());
    assert_eq!(resume.code, 7, "{}", resume.err);
    assert!(resume.err.contains("the server of this home holds all its runs"), "{}", resume.err);
    fs::write(sandbox.join(&place), "ok\n").unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.get(&path)["state"] != "decided" {
        std::thread::sleep(Duration::from_millis(50)); // real time: until the inbox is looked into
        assert!(Instant::now() < deadline, "{}", server.get(&path));
    }
    let (status, body) = server.solve(KEY, QUESTION);
    assert_eq!((status, &body["run_id"]), (200, &run.into()), "{body}");
    assert_eq!(provider.asked(), 2, "a plan and an answer");
}

#[test]
fn an_answer_that_is_there_is_read_at_once_when_the_key_is_sent_again() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    let (_, place) = waits(&server);
    fs::write(sandbox.join(&place), "I do not like it.\n").unwrap();
    let (status, told) = server.solve(KEY, QUESTION);
    assert_eq!(status, 503, "{told}");
    assert!(told["detail"].as_str().unwrap().contains("line 1 has to be `ok`"), "{told}");
    fs::write(sandbox.join(&place), "ok\n").unwrap();
    let (status, body) = server.solve(KEY, QUESTION);
    assert_eq!(status, 200, "{body}");
}

#[test]
fn whoever_waits_for_a_person_takes_no_place_of_another_run() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "--max-runs 1");
    waits(&server);
    let (status, told) = server.solve("", "What is seven times six?");
    problem(status, &told.to_string(), "rests");
}
