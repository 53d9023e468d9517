//! One driver at any time: the others exit with 7 or wait, and one that was paused cannot write.

use crate::sandbox::{REDRAFT, Sandbox, THREE_ITERATIONS, ended};
use std::{
    process::{Child, Stdio},
    time::{Duration, Instant},
};

const REVIEW: &str = "podcast review -w w --asset-id description --script script.json";

fn prepared() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "podcast init --episode-id e1 --workspace w");
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox
}

fn start(sandbox: &Sandbox, words: &str) -> Child {
    let log = sandbox.join("agent.log");
    sandbox
        .command(REDRAFT, words)
        .env("REDRAFT_SCRIPT_LOG", log)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn kill(pid: u32, signal: &str) {
    let sent = std::process::Command::new("kill").args([signal, &pid.to_string()]).status();
    assert!(sent.unwrap().success(), "kill {signal} {pid}");
}

/// Polls until it holds; half a minute is far more than any of these takes.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(2)); // real time: other processes are at work
    }
}

fn trial(wait: bool, delay: Duration) -> usize {
    let sandbox = prepared();
    let words = if wait { format!("{REVIEW} --wait") } else { REVIEW.to_owned() };
    let mut children: Vec<Child> = (0..20).map(|_| start(&sandbox, &words)).collect();
    std::thread::sleep(delay); // real time: the holder is killed at another moment each time
    let lock = std::fs::read_dir(sandbox.join("w/.redraft/locks")).into_iter().flatten().flatten();
    let holders: Vec<u32> = lock
        .filter_map(|entry| std::fs::read_to_string(entry.path()).ok()?.trim().parse().ok())
        .collect();
    let victim = children.iter().position(|child| holders.contains(&child.id()));
    if let Some(n) = victim {
        let _ = children[n].kill();
    }
    let mut done = 0;
    for (n, child) in children.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        let ended = ended(&output);
        match ended.code {
            0 => done += 1,
            7 => assert!(!wait, "one that waits is never busy: {}", ended.err),
            -1 => assert_eq!(Some(n), victim, "only the holder was killed"),
            other => panic!("exit code {other}\n{}\n{}", ended.out, ended.err),
        }
    }
    sandbox.expect(0, REVIEW);
    sandbox.expect(0, "verify -w w");
    let log = sandbox.read("agent.log");
    let twice = log.lines().filter(|line| line.contains("attempt=2")).count();
    assert!(twice <= 1, "at most the call in flight at the kill is asked again\n{log}");
    assert!(log.lines().count() <= 6 + twice, "{log}");
    done
}

#[test]
fn of_twenty_processes_one_drives_and_the_others_are_busy_or_wait() {
    let trials = if std::env::var_os("REDRAFT_DEEP").is_some() { 50 } else { 6 };
    for n in 0..trials {
        trial(n % 2 == 0, Duration::from_millis(7 * n % 120));
    }
}

#[test]
fn a_paused_driver_that_comes_back_cannot_write() {
    let sandbox = prepared();
    let paused = start(&sandbox, REVIEW);
    until("the first call", || sandbox.join("agent.log").exists());
    kill(paused.id(), "-STOP");
    // Its lock goes the way locks go on a machine that is taken over: with the file.
    std::fs::remove_dir_all(sandbox.join("w/.redraft/locks")).unwrap();
    let other = sandbox.redraft(REVIEW);
    kill(paused.id(), "-CONT");
    let late = ended(&paused.wait_with_output().unwrap());
    let finished_first = late.code == 0 && other.code == 0;
    assert!(
        finished_first || late.code == 7,
        "paused: {} {}\nother: {}",
        late.code,
        late.err,
        other.code
    );
    assert_eq!(other.code, 0, "{}", other.err);
    sandbox.expect(0, "verify -w w");
    assert_eq!(sandbox.json("runs list -w w")["runs"].as_array().unwrap().len(), 1);
}
