//! Kill -9 at random instants of a solve, of the command line's and of a server's: one record for each run that was
//! answered or listed, and no finished call asked twice.
//!
//! Invariant: a trial follows from its seed, but for the moment of the kill.

use super::{
    command,
    dice::Dice,
    serving::{Server, desk, exchange},
    solving::{honest, step},
};
use crate::{
    provider::{Does, Provider, Seen},
    sandbox::{Ended, ended},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    process::Stdio,
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, channel},
    },
    time::{Duration, Instant},
};

/// The questions that a server is asked side by side.
const QUESTIONS: u64 = 3;

/// Finds a major in each first draft, and answers some milliseconds later.
fn provider(seed: u64) -> (Provider, Receiver<()>) {
    let (tell, told) = channel();
    let provider = Provider::new(move |seen| {
        let _ = tell.send(());
        let wait = Dice(seed ^ seen.text().len() as u64 ^ seen.nth as u64).below(15);
        std::thread::sleep(Duration::from_millis(wait)); // real time: a provider takes its time
        let revised = seen.text().contains("Forty-three");
        match (step(seen).as_str(), honest(seen)) {
            ("candidate", _) if seen.text().contains("it is one more") => {
                let draft = json!({"answer_draft": "Forty-three.", "assumptions": [], "uncertainty_flags": []});
                Does::Says(draft.to_string())
            }
            ("critique", _) if !revised => {
                let issue = json!({"role": "risk", "severity": "major", "description": "it is one more", "suggested_fix": null});
                let critique = json!({"issues": [issue], "constraint_violations": [], "missing_roles": [], "suggested_fixes": []});
                Does::Says(critique.to_string())
            }
            (_, other) => other,
        }
    });
    (provider, told)
}

fn question(n: u64) -> String {
    format!("What is question {n} about?")
}

/// Waits for the k-th request or some milliseconds, so that kills come before, between and after calls.
fn some_moment(told: &Receiver<()>, dice: &mut Dice, most: u64, over: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let (k, mut seen) = (dice.below(most + 1), 0);
    while seen < k && !over() {
        seen += u64::from(told.recv_timeout(Duration::from_millis(5)).is_ok());
        assert!(Instant::now() < deadline, "{seen} of {k} requests");
    }
    // Before the first request a process takes its time to start.
    let wait = Duration::from_micros(dice.below(if k == 0 { 150_000 } else { 20_000 }));
    std::thread::sleep(wait); // real time: a reply is on its way, or taken in
}

/// What each step of a run was asked, by the record and by the provider.
fn check_calls(place: &str, record: &Value, seen: &[Seen], question: &str) {
    let calls = record["calls"].as_array().unwrap();
    let of_run = |seen: &&Seen| seen.text().contains(question);
    let asked = seen.iter().filter(of_run).count();
    let count = |state: &str| calls.iter().filter(|call| call["state"] == state).count();
    let (answered, unsure) = (count("answered"), count("maybe_billed"));
    assert_eq!(answered + unsure, calls.len(), "{place}: {calls:?}");
    assert_eq!(record["calls_charged"], calls.len(), "{place}");
    assert!((answered..=answered + unsure).contains(&asked), "{place}: {asked}: {calls:?}");
    let steps: BTreeSet<&str> = calls.iter().map(|call| call["step"].as_str().unwrap()).collect();
    for step in steps {
        let of_step: Vec<&Value> = calls.iter().filter(|call| call["step"] == step).collect();
        let (_, earlier) = of_step.split_last().unwrap();
        // What was answered is never asked again.
        assert!(earlier.iter().all(|call| call["state"] == "maybe_billed"), "{place}: {of_step:?}");
    }
    assert!(!record["decision"].is_null(), "{place}: {record}");
}

/// A solve of the command line, killed and gone on with. Says whether the kill came in time.
fn command_line(seed: u64) -> bool {
    let place = format!("command line, seed {seed}");
    let (mut dice, (provider, told)) = (Dice(seed), provider(seed));
    let sandbox = desk(&provider);
    let solve = |words: &[&str]| {
        let mut solve = command(&sandbox, "solve --json");
        solve.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut child = solve(&[&question(seed)]);
    let running = std::cell::RefCell::new(&mut child);
    some_moment(&told, &mut dice, 5, || running.borrow_mut().try_wait().unwrap().is_some());
    let came = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    let first = ended(&child.wait_with_output().unwrap());
    let list = sandbox.json("runs list")["runs"].clone();
    let Some(run) = list.get(0).map(|run| run["run_id"].as_str().unwrap().to_owned()) else {
        assert!(came && provider.asked() == 0, "{place}: a run that asked is listed");
        return true;
    };
    let Ended { code, out, err } = ended(&solve(&["--resume", &run]).wait_with_output().unwrap());
    assert_eq!(code, 0, "{place}: {out}{err}");
    let response: Value = serde_json::from_str(&out).unwrap();
    if !came {
        let before: Value = serde_json::from_str(&first.out).unwrap();
        assert_eq!(before["final_answer"], response["final_answer"], "{place}");
    }
    assert!(response["final_answer"].as_str().unwrap().starts_with("Forty-three."), "{response}");
    let list = sandbox.json("runs list")["runs"].clone();
    assert_eq!(list.as_array().unwrap().len(), 1, "{place}: {list}");
    let record = sandbox.json(&format!("runs record {run}"))["record"].clone();
    check_calls(&place, &record, &provider.seen(), &question(seed));
    sandbox.expect(0, "verify");
    came
}

fn put(address: &str, n: u64) -> Option<Value> {
    let body = json!({"prompt": question(n)}).to_string();
    let key = format!("idempotency-key: {n}\r\n");
    let (status, body) = exchange(address, "POST", "/v1/solve", &key, &body).ok()?;
    let body = serde_json::from_str(&body).ok()?;
    assert_eq!(status, 200, "{body}");
    Some(body)
}

fn put_all(address: &str, seed: u64) -> Vec<Option<Value>> {
    std::thread::scope(|scope| {
        let numbers = (0..QUESTIONS).map(|n| seed * QUESTIONS + n + 1_000);
        let all: Vec<_> = numbers.map(|n| scope.spawn(move || put(address, n))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

fn listed(server: &Server) -> BTreeSet<String> {
    let list: Value = serde_json::from_str(&server.ask("GET", "/v1/runs", "", "").1).unwrap();
    let runs = list["runs"].as_array().unwrap();
    runs.iter().map(|run| run["run_id"].as_str().unwrap().to_owned()).collect()
}

/// A server with some solves, killed and started again. Says whether the kill came in time.
fn served(seed: u64) -> bool {
    let place = format!("server, seed {seed}");
    let (mut dice, (provider, told)) = (Dice(seed), provider(seed));
    let sandbox = desk(&provider);
    let mut server = Server::start(&sandbox, "");
    let address = server.address.clone();
    let before = std::thread::scope(|scope| {
        let asking = scope.spawn(|| put_all(&address, seed));
        some_moment(&told, &mut dice, 5 * QUESTIONS, || asking.is_finished());
        server.kill();
        asking.join().unwrap()
    });
    let server = Server::start(&sandbox, "");
    let known = listed(&server);
    let after = put_all(&server.address, seed);
    let runs = listed(&server);
    assert!(known.is_subset(&runs), "{place}: what was listed stays");
    assert_eq!(runs.len() as u64, QUESTIONS, "{place}: one run for each question");
    let seen = provider.seen();
    for (n, (before, after)) in (0..).zip(before.iter().zip(&after)) {
        let after = after.as_ref().expect("this server lives");
        assert!(before.as_ref().is_none_or(|before| before == after), "{place}: {after}");
        let run = after["run_id"].as_str().unwrap();
        assert!(runs.contains(run), "{place}: {run}");
        let (status, record) = server.ask("GET", &format!("/v1/runs/{run}/record"), "", "");
        assert_eq!(status, 200, "{place}");
        let record: Value = serde_json::from_str(&record).unwrap();
        check_calls(&place, &record, &seen, &question(seed * QUESTIONS + n + 1_000));
    }
    sandbox.expect(0, "verify");
    before.contains(&None)
}

fn trials(play: fn(u64) -> bool) {
    let trials = if std::env::var_os("REDRAFT_DEEP").is_some() { 200 } else { 12 };
    let (next, came) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Relaxed)).filter(|n| *n < trials) {
                    came.fetch_add(u64::from(play(seed)), Relaxed);
                }
            });
        }
    });
    let came = came.into_inner();
    eprintln!("{trials} trials, {came} kills came in time");
    assert!(came * 2 > trials, "{came} of {trials}");
}

#[test]
fn a_solve_killed_at_any_instant_has_one_record_and_no_finished_call_is_asked_twice() {
    trials(command_line);
}

#[test]
fn a_server_killed_at_any_instant_keeps_one_record_for_each_run() {
    trials(served);
}
