//! Streams of a pair of models on a repository: one of more facts than are kept for a slow reader, and one that is read
//! while a call is in flight.

use super::{assert_whole, journal, lines, piped, wait_until_decided};
use crate::{
    models::command,
    pair::counting::{repository, says},
    provider::{Does, Provider, Seen},
    sandbox::{Sandbox, ended},
};
use serde_json::Value;
use std::{
    io::{BufRead, BufReader},
    process::Child,
    time::Duration,
};

const PAIR: &str =
    "pair @task.md --repo repo --architect critic --builder writer --events --max-calls 400";

fn started(sandbox: &Sandbox, turns: &str) -> Child {
    piped(command(sandbox, &format!("{PAIR} --max-turns {turns}")))
}

#[test]
fn whoever_reads_late_gets_more_facts_than_are_kept_for_anybody() {
    let provider = Provider::new(|seen: &Seen| says(seen.model(), seen.nth));
    let sandbox = repository(&provider, 10_000);
    let mut child = started(&sandbox, "50");
    wait_until_decided(&sandbox, &mut child);
    let ended = ended(&child.wait_with_output().unwrap());
    let document = assert_whole(&sandbox, &ended.out);
    assert_eq!((ended.code, &document["status"]), (4, &"FAILED MAX_TURNS".into()));
    assert_eq!(lines(&ended.out).len(), 305, "two for each of 151 calls, and three");
}

#[test]
fn a_fact_is_told_while_its_call_is_in_flight_and_again_after_a_kill() {
    let provider = Provider::new(|seen: &Seen| match (seen.model(), seen.nth) {
        ("critic", 1) => Does::Hangs,
        ("critic", nth) => says("critic", nth - usize::from(nth > 1)),
        (model, nth) => says(model, nth),
    });
    let sandbox = repository(&provider, 1);
    let mut child = started(&sandbox, "1");
    let mut printed = Vec::<Value>::new();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    while printed.last().is_none_or(|line| line["data"]["asked"]["call"] != 3) {
        printed.push(serde_json::from_str(&out.next().unwrap().unwrap()).unwrap());
    }
    while provider.asked() < 3 {
        std::thread::sleep(Duration::from_millis(5)); // real time: the third call is on its way
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(printed, journal(&sandbox));
    let resumed = ended(&started(&sandbox, "1").wait_with_output().unwrap());
    let document = assert_whole(&sandbox, &resumed.out);
    assert_eq!((resumed.code, &document["status"]), (4, &"FAILED MAX_TURNS".into()));
    assert_eq!(lines(&resumed.out)[..printed.len()], printed);
}
