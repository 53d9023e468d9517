//! Checks in a worktree: how they end, what is told of them, and what they leave.

use super::ground::*;
use crate::command::call;
use redraft_agents::worktree::{Checks, Worktree};
use redraft_engine::{Agent, Call};
use redraft_workflows::{
    Part,
    pair::{CheckResult, Checked},
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// No check of these tests takes as long.
const LONG: Duration = Duration::from_secs(60);

fn check(commands: &[&str], state: &str) -> Call {
    let mut call = call("");
    call.prompt.request = serde_json::json!({"step": "check", "checks": commands}).to_string();
    call.prompt.parts = vec![Part::new("diff", state)];
    call
}

async fn run_for(tree: &Arc<Worktree>, limit: Duration, commands: &[&str]) -> Vec<CheckResult> {
    let agent = Checks::new(Arc::clone(tree), 1, limit, vec!["CARGO_MANIFEST_DIR".into()]);
    assert!(agent.costs_nothing());
    let answer = agent.answer(&check(commands, TWO)).await.unwrap();
    serde_json::from_str::<Checked>(&answer.text).unwrap().checks
}

async fn run(commands: &[&str]) -> Vec<CheckResult> {
    let ground = Ground::new();
    run_for(&Arc::new(ground.tree().await), LONG, commands).await
}

#[tokio::test]
async fn each_check_runs_on_the_change_and_tells_its_exit_code_and_output() {
    let told = run(&[
        "sed -n 2p src/lines.txt",
        "echo out; echo err >&2; echo out; exit 3",
        "no-such-program",
    ])
    .await;
    let of = |n: usize| (told[n].exit, told[n].tail.as_str(), told[n].passed());
    assert_eq!(of(0), (Some(0), "2\n", true));
    assert_eq!(of(1), (Some(3), "out\nerr\nout\n", false));
    assert_eq!((told[2].exit, told[2].passed()), (Some(127), false));
    assert_eq!(told[1].command, "echo out; echo err >&2; echo out; exit 3");
}

#[tokio::test]
async fn a_check_sees_the_users_environment_without_what_is_withheld_and_nothing_on_stdin() {
    let script = "cat; echo $REDRAFT_PAIR/${CARGO_MANIFEST_DIR-none}/${PATH:+path}; pwd; env | grep -c ^GIT_";
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let told = run_for(&tree, LONG, &[script]).await;
    assert_eq!(told[0].tail, format!("1/none/path\n{}\n0\n", tree.place().display()));
}

#[tokio::test]
async fn one_that_is_killed_is_told_by_its_signal() {
    let told = run(&["echo so far; kill -SEGV $$"]).await;
    assert_eq!((told[0].exit, told[0].timed_out), (None, false));
    assert!(told[0].tail.starts_with("so far\n["), "{}", told[0].tail);
    assert!(told[0].tail.contains("SIGSEGV") || cfg!(not(target_os = "linux")), "{}", told[0].tail);
}

#[tokio::test]
async fn one_whose_time_is_up_is_ended_with_all_that_it_started() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let mark = format!("77.{}", std::process::id());
    let fork =
        format!("trap '' TERM; echo begun; setsid sleep {mark} & (sleep {mark} &); sleep {mark}");
    let begun = Instant::now();
    let told = run_for(&tree, Duration::from_secs(1), &[&fork, "echo next"]).await; // real time: processes take theirs
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!((told[0].exit, told[0].timed_out, told[0].tail.as_str()), (None, true, "begun\n"));
    assert_eq!((told[1].exit, told[1].tail.as_str()), (Some(0), "next\n"));
    assert_eq!(living(&mark), Vec::<String>::new());
}

#[tokio::test]
async fn what_a_check_leaves_running_does_not_outlive_it() {
    let mark = format!("78.{}", std::process::id());
    let told = run(&[&format!("setsid sleep {mark} & sleep {mark} & echo done")]).await;
    assert_eq!((told[0].exit, told[0].tail.as_str()), (Some(0), "done\n"));
    assert_eq!(living(&mark), Vec::<String>::new());
}

/// The command lines of processes that carry this mark.
fn living(mark: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(mark)).collect()
}

#[tokio::test]
async fn of_a_flood_only_the_end_is_kept() {
    let flood = "head -c 100000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 1";
    let told = run(&[flood, "seq 1 100000"]).await;
    assert!(told[0].tail.ends_with("x\nthe end\n"));
    assert!(told[0].tail.len() <= 8 << 10, "{}", told[0].tail.len());
    assert_eq!(told[1].tail.lines().count(), 64);
    assert!(told[1].tail.ends_with("\n99999\n100000\n"));
    // In a process of its own nobody else uses memory.
    #[cfg(target_os = "linux")]
    match std::env::var_os("REDRAFT_TEST_ALONE") {
        Some(_) => assert!(peak_megabytes() < 80, "{} MB", peak_megabytes()),
        None => alone("worktree::checks::of_a_flood_only_the_end_is_kept"),
    }
}

#[cfg(target_os = "linux")]
fn alone(test: &str) {
    let mut this = std::process::Command::new(std::env::current_exe().unwrap());
    let said = this.args(["--exact", test]).env("REDRAFT_TEST_ALONE", "1").output().unwrap();
    let text = String::from_utf8_lossy(&said.stdout);
    assert!(said.status.success() && text.contains("1 passed"), "{text}");
}

#[cfg(target_os = "linux")]
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[tokio::test]
async fn output_that_a_terminal_would_act_on_is_shown_as_signs() {
    let told = run(&["printf 'a\\033[31mb\\a\\377\\r\\n'"]).await;
    assert_eq!(told[0].tail, "a\u{241b}[31mb\u{2407}\u{fffd}\n");
}

#[tokio::test]
async fn what_checks_change_is_undone_and_caches_stay() {
    let ground = Ground::new();
    let tree = Arc::new(ground.tree().await);
    let spoil = "echo x >> README.md; rm src/lines.txt; echo x > made.txt; mkdir -p target; echo x > target/cache; git add -A; git -c user.name=a -c user.email=b commit -q -m x";
    let told =
        run_for(&tree, LONG, &[spoil, "cat README.md; sed -n 2p src/lines.txt; cat made.txt"])
            .await;
    assert_eq!(told[0].exit, Some(0), "{}", told[0].tail);
    assert_eq!(
        told[1].tail, "# Tools\n\nSmall tools.\n2\nx\n",
        "what one makes is there for the next"
    );
    let left = applied(tree.changed(&rules()).await.unwrap());
    assert!(left.contains("\n-two\n+2\n") && !left.contains("made.txt"), "{left}");
    assert!(tree.place().join("target/cache").exists());
}
