//! A command that waits for another driver can be stopped like any other.

use crate::{
    held::Held,
    sandbox::{REDRAFT, THREE_ITERATIONS, ended},
    scene::{review, workspace},
};
use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Whether a process has a handler for SIGINT.
fn listens(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
}

#[test]
fn ctrl_c_ends_a_wait_for_another_driver() {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    let held = Held::at_the_first_call(&sandbox, &review("description", ""));
    let before = sandbox.files("w");
    let mut command = sandbox.command(REDRAFT, &review("description", "--wait"));
    let mut waits = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while !listens(waits.id()) {
        assert!(waits.try_wait().unwrap().is_none(), "it does not wait");
        assert!(Instant::now() < deadline, "it never listens for Ctrl-C");
        std::thread::sleep(Duration::from_millis(5)); // real time: another process is at work
    }
    let pid = waits.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let stopped = ended(&waits.wait_with_output().unwrap());
    assert_eq!(stopped.code, 130, "{}\n{}", stopped.out, stopped.err);
    assert!(sandbox.files("w") == before, "files have changed");
    let _open = held.let_go();
    let driver = ended(&held.child.wait_with_output().unwrap());
    assert_eq!(driver.code, 0, "{}\n{}", driver.out, driver.err);
}
