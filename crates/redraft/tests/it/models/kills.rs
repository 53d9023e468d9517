//! Kill -9 around a model's reply: at each write, sync and socket call of the run.

use super::{command, configure, studio};
use crate::{
    durability::trace,
    provider::Provider,
    sandbox::{REDRAFT, Sandbox},
};
use std::{
    path::Path,
    process::Output,
    sync::atomic::{AtomicUsize, Ordering},
};

const REVIEW: &str = "podcast review -w w --asset-id talk";
const CALLS: [&str; 11] = [
    "write",
    "writev",
    "pwrite64",
    "fsync",
    "fdatasync",
    "rename",
    "connect",
    "sendto",
    "recvfrom",
    "read",
    "shutdown",
];

fn traced(folder: &Path, options: &[String]) -> Output {
    trace::strace()
        .args(options)
        .arg(REDRAFT)
        .args(REVIEW.split_whitespace())
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .env("TEST_KEY", super::KEY)
        .output()
        .unwrap()
}

/// How many calls of this name the busiest thread makes.
fn count(name: &str) -> usize {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let out = sandbox.join("trace");
    let options = ["-o".into(), out.display().to_string(), format!("--trace={name}")];
    let output = traced(sandbox.path(), &options);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(out).unwrap_or_default();
    let mut threads = std::collections::BTreeMap::<&str, usize>::new();
    for line in text.lines().filter(|line| !line.contains("resumed>")) {
        *threads.entry(line.split(' ').next().unwrap()).or_default() += 1;
    }
    threads.into_values().max().unwrap_or(0)
}

/// Killed at the k-th call of this name and resumed. Gives whether the kill came in time.
fn kill_and_resume(name: &str, k: usize) -> bool {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let options = [
        "-o".into(),
        "/dev/null".into(),
        format!("--trace={name}"),
        format!("--inject={name}:signal=KILL:when={k}"),
    ];
    let killed = traced(sandbox.path(), &options);
    if killed.status.success() {
        return false;
    }
    let place = format!("killed at {name} number {k}");
    crate::scene::check_untouched(&sandbox, &place);
    let before = answered(&sandbox);
    configure(&sandbox, &provider, "");
    let resumed = command(&sandbox, REVIEW).output().unwrap();
    assert!(resumed.status.success(), "{place}: {}", String::from_utf8_lossy(&resumed.stderr));
    let asked = |model: &str| provider.seen().iter().filter(|seen| seen.model() == model).count();
    let (writer, critic) = (asked("writer"), asked("critic"));
    assert!(writer <= 2 && critic <= 2 && writer + critic <= 3, "{place}: {writer}, {critic}");
    let record = record(&sandbox);
    let unsure = record["calls"].as_array().unwrap().iter();
    let unsure = unsure.filter(|call| call["state"] == "maybe_billed").count();
    assert!(writer + critic <= 2 + unsure, "{place}: asked again and not said to be maybe billed");
    for (role, model) in [("creator", "writer"), ("reviewer", "critic")] {
        let known = before.iter().any(|answered| answered == role);
        assert!(
            !known || asked(model) == 1,
            "{place}: {role} was asked again after its answer was durable"
        );
    }
    sandbox.expect(0, "verify -w w");
    true
}

fn record(sandbox: &Sandbox) -> serde_json::Value {
    let listed = sandbox.json("runs list -w w");
    let run = listed["runs"][0]["run_id"].as_str().unwrap().to_owned();
    sandbox.json(&format!("runs show -w w {run}"))["record"].clone()
}

/// The roles whose answers are durable.
fn answered(sandbox: &Sandbox) -> Vec<String> {
    if !sandbox.join("w/.redraft/journal.db").exists()
        || sandbox.json("runs list -w w")["runs"].get(0).is_none()
    {
        return Vec::new();
    }
    let record = record(sandbox);
    let calls = record["calls"].as_array().unwrap().iter();
    let answered = calls.filter(|call| call["state"] == "answered");
    answered.map(|call| call["role"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn killed_anywhere_around_a_reply_the_provider_is_asked_at_most_once_more() {
    if !trace::works() {
        return;
    }
    let points: Vec<(&str, usize)> =
        CALLS.into_iter().flat_map(|name| (1..=count(name)).map(move |k| (name, k))).collect();
    let stride = if std::env::var_os("REDRAFT_DEEP").is_some() { 1 } else { 8 };
    let chosen: Vec<_> = points.iter().step_by(stride).collect();
    let (next, came) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((name, k)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    came.fetch_add(usize::from(kill_and_resume(name, *k)), Ordering::Relaxed);
                }
            });
        }
    });
    let came = came.into_inner();
    eprintln!("{} places, {} tried, {came} kills came in time", points.len(), chosen.len());
    assert!(points.len() > 60 && came * 10 >= chosen.len() * 9, "{came} of {}", chosen.len());
}
