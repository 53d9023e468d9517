//! A process that holds a worktree is killed, in the middle of a check: the next one takes over, and nothing is left.

use super::ground::*;
use crate::command::call;
use redraft_agents::worktree::{Checks, Root, Worktree};
use redraft_engine::Agent;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

/// Where the process that is to be killed finds its repository; only that process has it.
const HELD: &str = "REDRAFT_TEST_HELD";

#[tokio::test]
async fn a_killed_process_leaves_nothing_that_the_next_one_does_not_set_right() {
    if let Some(home) = std::env::var_os(HELD) {
        return hold(Path::new(&home)).await;
    }
    let ground = Ground::new();
    let before = ground.print();
    let mark = format!("79.{}", std::process::id());
    fs::write(ground.home.path().join("mark"), &mark).unwrap();
    let this =
        "worktree::killed::a_killed_process_leaves_nothing_that_the_next_one_does_not_set_right";
    let mut holder = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", this, "--nocapture"])
        .env(HELD, ground.home.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begun = ground.place().join("begun");
    wait_for("the check", || begun.exists()).await;
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert!(ground.place().join("begun").exists(), "it was killed in the middle");

    let next = taken_over(&ground);
    assert!(next.status.success(), "{}", String::from_utf8_lossy(&next.stderr));
    wait_for("the end of what was left running", || living(&mark) == 0).await;
    let tree = ground.tree().await;
    assert_eq!(applied(tree.changed(&rules()).await.unwrap()), "");
    assert!(!begun.exists());
    tree.remove().await.unwrap();
    assert_same(&ground.print(), &before, "the user's");
}

/// Opens the worktree and runs a check for ever; or, when it was killed before, only opens it.
async fn hold(home: &Path) {
    let root = Root::find(&home.join("user")).await.unwrap();
    let place: PathBuf = home.join("kept/worktrees/run-1");
    let is_second = place.exists();
    let tree = Arc::new(Worktree::open(&root, &place, "HEAD").await.unwrap());
    if is_second {
        return;
    }
    let mark = fs::read_to_string(home.join("mark")).unwrap();
    let mut check = call("");
    let command = format!("echo x >> README.md; touch begun; setsid sleep {mark} & sleep {mark}");
    check.prompt.request = serde_json::json!({ "checks": [command] }).to_string();
    let checks = Checks::new(tree, 1, Duration::from_secs(600), Vec::new());
    checks.answer(&check).await.unwrap();
}

/// The next process; what is left running is ended once in the life of each, so this one cannot stand in for it.
fn taken_over(ground: &Ground) -> std::process::Output {
    let this =
        "worktree::killed::a_killed_process_leaves_nothing_that_the_next_one_does_not_set_right";
    let mut next = Command::new(std::env::current_exe().unwrap());
    next.args(["--exact", this, "--nocapture"]).env(HELD, ground.home.path()).output().unwrap()
}

fn living(mark: &str) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(mark)).count()
}

pub(super) async fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "still waiting for {what}");
        tokio::time::sleep(Duration::from_millis(10)).await; // real time: another process takes its own
    }
}
