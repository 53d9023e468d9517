//! Kill -9 at every write of a scripted three-iteration review, and resume.

use super::trace::{self, Calls};
use crate::{
    sandbox::{Sandbox, THREE_ITERATIONS},
    scene::check_untouched,
};
use std::{
    collections::BTreeSet,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

const REVIEW: &str = "podcast review -w w --asset-id description --script script.json";

/// Every write of the run: to the journal's log, to the journal itself (checkpoints), and to everything else.
/// Threads count by themselves, so calls that several threads make are told apart by their files.
fn writes(workspace: &Sandbox) -> Vec<Calls> {
    let (log, journal) = (".redraft/journal.db-wal", ".redraft/journal.db");
    let on = |file: &str| vec![format!("w/{file}")];
    let mut all = Vec::new();
    for names in ["pwrite64", "fsync", "fdatasync", "ftruncate"] {
        all.extend([Calls { names, on: on(log) }, Calls { names, on: on(journal) }]);
    }
    for names in ["write", "mkdir", "rename", "renameat", "renameat2", "unlink", "unlinkat"] {
        all.push(Calls { names, on: vec![] });
    }
    all.push(Calls { names: "fsync", on: places(workspace) });
    all
}

/// The workspace's files and their folders.
fn places(workspace: &Sandbox) -> Vec<String> {
    let mut places = BTreeSet::from(["w".to_owned()]);
    for file in workspace.files("w").into_keys() {
        let path = format!("w/{file}");
        places.extend(Path::new(&path).ancestors().map(|place| place.display().to_string()));
    }
    places.into_iter().filter(|place| !place.is_empty()).collect()
}

fn prepared() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "podcast init --episode-id e1 --workspace w");
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox
}

/// The agent's log: who was asked, for which reply.
fn asked(folder: &Path) -> Vec<String> {
    let log = std::fs::read_to_string(folder.join("agent.log")).unwrap_or_default();
    let call = |line: &str| line.split(" attempt").next().unwrap().to_owned();
    log.lines().map(call).collect()
}

/// The calls whose answers are durable, in the words of the agent's log.
fn answered(sandbox: &Sandbox) -> BTreeSet<String> {
    let listed = sandbox.json("runs list -w w");
    let Some(run) = listed["runs"].get(0).and_then(|run| run["run_id"].as_str()) else {
        return BTreeSet::new();
    };
    let shown = sandbox.json(&format!("runs show -w w {run}"));
    let calls = shown["record"]["calls"].as_array().unwrap().clone();
    let answered = calls.iter().filter(|call| call["state"] == "answered");
    answered
        .map(|call| {
            let (role, round) = (call["role"].as_str().unwrap(), call["round"].as_u64().unwrap());
            format!("description {role} ordinal={}", round - 1)
        })
        .collect()
}

/// Whether the kill came in time: pages of the journal differ a little from run to run, and with them the
/// number of its writes.
fn kill_and_resume(template: &Sandbox, expected: &Sandbox, calls: &Calls, k: usize) -> bool {
    let sandbox = Sandbox::new();
    template.copy(".", sandbox.path());
    let killed = trace::interfere(sandbox.path(), REVIEW, calls, "signal=KILL", k);
    let place = format!("killed at {} number {k} on {:?}", calls.names, calls.on.first());
    if killed.status.success() {
        return false;
    }
    check_untouched(&sandbox, &place);
    let (before, durable) = (asked(sandbox.path()), answered(&sandbox));
    let resumed = sandbox
        .command(crate::sandbox::REDRAFT, REVIEW)
        .env("REDRAFT_SCRIPT_LOG", sandbox.join("agent.log"))
        .output()
        .unwrap();
    assert!(resumed.status.success(), "{place}: {}", String::from_utf8_lossy(&resumed.stderr));
    for call in &asked(sandbox.path())[before.len()..] {
        assert!(!durable.contains(call), "{place}: {call} was asked again");
    }
    let times = |call: &String| asked(sandbox.path()).iter().filter(|c| *c == call).count();
    assert!(asked(sandbox.path()).iter().all(|call| times(call) <= 2), "{place}");
    assert_eq!(sandbox.files("w"), expected.files("w"), "{place}");
    sandbox.expect(0, "verify -w w");
    true
}

#[test]
fn killed_at_every_write_and_resumed_the_workspace_is_the_same() {
    if !trace::works() {
        return;
    }
    let template = prepared();
    let expected = Sandbox::new();
    template.copy(".", expected.path());
    expected.expect(0, REVIEW);
    let mut points = Vec::new();
    for calls in writes(&expected) {
        let counted = Sandbox::new();
        template.copy(".", counted.path());
        let count = trace::count(counted.path(), REVIEW, &calls);
        points.extend((1..=count).map(|k| (calls.clone(), k)));
    }
    eprintln!("N = {} writes, each a place to be killed", points.len());
    // The whole sweep takes minutes; the everyday one takes every fourth point.
    let stride = if std::env::var_os("REDRAFT_DEEP").is_some() { 1 } else { 4 };
    let chosen: Vec<_> = points.iter().step_by(stride).collect();
    let (next, missed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((calls, k)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !kill_and_resume(&template, &expected, calls, *k) {
                        missed.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert!(points.len() > 150, "{} writes", points.len());
    let missed = missed.into_inner();
    eprintln!("{} of {} chosen kills came in time", chosen.len() - missed, chosen.len());
    assert!(missed <= 3, "{missed} kills came too late");
}
