//! What else lies in the home of a server: runs of other workflows, damaged ones, and more than it may drive.

use super::{Server, desk, problem};
use crate::{
    models::{command, solving::honest},
    provider::{Does, Provider},
    sandbox::{REDRAFT, Sandbox, THREE_ITERATIONS, ended},
};
use rusqlite::Connection;
use serde_json::json;
use std::process::Stdio;

const QUESTION: &str = "What is six times seven?";
const JOURNAL: &str = ".redraft/journal.db";

#[test]
fn a_review_is_no_run_of_the_server() {
    let sandbox = crate::scene::workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox.expect(0, &crate::scene::review("description", ""));
    let listed = sandbox.json("runs list -w w")["runs"].clone();
    let run = listed[0]["run_id"].as_str().unwrap();
    let home = sandbox.join("w");
    let mut command = sandbox.command(REDRAFT, "serve --listen 127.0.0.1:0");
    let server = Server::of(command.current_dir(home).stderr(Stdio::null()));
    assert_eq!(server.get("/v1/runs")["runs"], json!([]));
    for (method, end) in [("GET", ""), ("GET", "/record"), ("GET", "/events"), ("POST", "/resume")]
    {
        let (status, told) = server.ask(method, &format!("/v1/runs/{run}{end}"), "", "");
        assert_eq!(status, 404, "{end}: {told}");
        problem(status, &told, "no-such-run");
    }
}

/// Changes a fact of the run, as no honest program would.
fn damage(sandbox: &Sandbox, run: &str) {
    let db = Connection::open(sandbox.join(JOURNAL)).unwrap();
    let triggers =
        "SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_master WHERE type = 'trigger'";
    let drops: Vec<String> = db
        .prepare(triggers)
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    db.execute_batch(&drops.concat()).unwrap();
    let change = "UPDATE facts SET body = replace(body, '{', '{ ')
        WHERE stream = (SELECT key FROM streams WHERE id = ?1)";
    assert!(db.execute(change, [run]).unwrap() > 0);
}

#[test]
fn a_damaged_run_keeps_no_server_from_its_others() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let solved = ended(&command(&sandbox, "solve --json Why").output().unwrap());
    assert_eq!(solved.code, 0, "{}", solved.err);
    let list = sandbox.json("runs list")["runs"].clone();
    let run = list[0]["run_id"].as_str().unwrap();
    damage(&sandbox, run);
    let told = sandbox.join("told.txt");
    let mut command = command(&sandbox, "serve --listen 127.0.0.1:0");
    let server = Server::of(command.stderr(std::fs::File::create(&told).unwrap()));
    let (status, answer) = server.solve("", QUESTION);
    assert_eq!(status, 200, "{answer}");
    let told = std::fs::read_to_string(told).unwrap();
    assert!(told.contains(run) && told.contains("redraft verify"), "{told}");
    let (status, damaged) = server.ask("GET", &format!("/v1/runs/{run}"), "", "");
    problem(status, &damaged, "damaged");
    let list = server.get("/v1/runs")["runs"].clone();
    assert_eq!((&list[0]["state"], &list[1]["state"]), (&"decided".into(), &"damaged".into()));
    assert_eq!((&list[1]["run_id"], &list[1]["exit_code"]), (&run.into(), &6.into()), "{list}");
}

#[test]
fn with_one_place_one_key_sent_by_many_at_once_is_answered_and_another_is_refused() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "--max-runs 1");
    for nth in 0..5 {
        let key = format!("idempotency-key: k-{nth}\r\n");
        std::thread::scope(|scope| {
            let asked: Vec<_> =
                (0..8).map(|_| scope.spawn(|| server.solve(&key, QUESTION))).collect();
            for told in asked {
                let (status, body) = told.join().unwrap();
                assert_eq!(status, 200, "{nth}: {body}");
            }
        });
    }
    assert_eq!(server.get("/v1/runs")["runs"].as_array().unwrap().len(), 5);
}

#[test]
fn of_many_requests_at_once_no_more_are_opened_than_there_are_places() {
    let provider = Provider::new(|_| Does::Hangs);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "--max-runs 2");
    let asked: Vec<_> = std::thread::scope(|scope| {
        let ask = || server.solve("prefer: respond-async\r\n", QUESTION);
        let asked: Vec<_> = (0..12).map(|_| scope.spawn(ask)).collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(asked.iter().filter(|(status, _)| *status == 202).count(), 2);
    for (status, told) in asked.iter().filter(|(status, _)| *status != 202) {
        let told = problem(*status, &told.to_string(), "too-many-runs");
        let detail = told["detail"].as_str().unwrap();
        assert!(detail.starts_with("2 runs") && detail.contains("--max-runs"), "{detail}");
    }
}

#[test]
fn a_server_without_a_place_is_refused() {
    let sandbox = Sandbox::new();
    let refused = sandbox.expect(2, "serve --max-runs 0");
    assert!(refused.err.contains("--max-runs"), "{}", refused.err);
}
