//! One driver at any time: the others exit with 7 or wait, and one that was paused cannot write.

use crate::{
    held::Held,
    sandbox::{REDRAFT, Sandbox, THREE_ITERATIONS, ended},
};
use std::{
    process::{Child, Stdio},
    time::Duration,
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
    // The one driver may have been killed before its first call, when all others had gone: then none was logged.
    let log = std::fs::read_to_string(sandbox.join("agent.log")).unwrap_or_default();
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
    let paused = Held::at_the_first_call(&sandbox, REVIEW);
    // Its lock goes the way locks go on a machine that is taken over: with the file.
    std::fs::remove_dir_all(sandbox.join("w/.redraft/locks")).unwrap();
    sandbox.expect(0, REVIEW);
    let files = sandbox.files("w");
    let _open = paused.let_go();
    let late = ended(&paused.child.wait_with_output().unwrap());
    assert_eq!(late.code, 7, "{}\n{}", late.out, late.err);
    assert!(sandbox.files("w") == files, "the paused driver has written");
    sandbox.expect(0, "verify -w w");
    assert_eq!(sandbox.json("runs list -w w")["runs"].as_array().unwrap().len(), 1);
}
