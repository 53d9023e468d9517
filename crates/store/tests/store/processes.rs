//! Several processes at one journal, killed writers, failing disks.

use crate::stage::{Stage, again, append, block_on, bodies, role, write};
use redraft_store::{Filter, Home, Store, StoreError, StreamId};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

#[test]
fn eight_processes_append_a_hundred_times_each_without_a_lock_error() {
    if let Some((name, home)) = role() {
        return block_on(append_a_hundred(&name, &home));
    }
    let stage = Stage::new();
    let test = "processes::eight_processes_append_a_hundred_times_each_without_a_lock_error";
    let start =
        |n: u32| again(test, &format!("writer-{n}"), stage.root()).stdout(Stdio::null()).spawn();
    let children: Vec<_> = (0..8).map(|n| start(n).unwrap()).collect();
    // The journal itself does not exist yet: the eight race to make it.
    while !stage.database().exists() {
        std::thread::yield_now();
    }
    for mut child in children {
        while child.try_wait().unwrap().is_none() {
            assert_eq!(stage.findings(), [""; 0], "verifying while they write");
        }
        assert!(child.wait().unwrap().success(), "see its message above");
    }
    let store = stage.store();
    assert_eq!(bodies(&store, "shared").len(), 400);
    assert_eq!(store.streams(&Filter::default()).unwrap().len(), 9);
    assert_eq!(store.usage("home").unwrap().len(), 0);
    assert!(stage.findings().is_empty());
}

/// Half of them to a stream of its own, half to the one of all.
async fn append_a_hundred(name: &str, home: &Home) {
    for n in 0..50 {
        // Opened anew half of the time: opening must not see a lock either.
        let store = Store::open(home).unwrap();
        append(&store, write(name, Some(n), 1, &["own"])).await.unwrap();
        append(&store, write("shared", None, 0, &[name])).await.unwrap();
        assert_eq!(store.read_after(&StreamId::new(name), n).unwrap().len(), 1);
    }
}

#[test]
fn a_writer_killed_at_any_time_loses_nothing_it_was_answered() {
    if let Some((_, home)) = role() {
        return block_on(append_for_ever(&home));
    }
    let stage = Stage::new();
    let test = "processes::a_writer_killed_at_any_time_loses_nothing_it_was_answered";
    let mut answered = 0;
    for round in 0..12 {
        let mut child = again(test, "writer", stage.root()).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let told =
            out.lines().map_while(Result::ok).filter_map(|l| l.strip_prefix("kept ")?.parse().ok());
        answered = told.take(1 + round).last().unwrap_or(answered);
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = bodies(&stage.store(), "a").len() as u64;
        assert!(kept >= answered, "{answered} were answered, {kept} are there");
        assert!(stage.findings().is_empty(), "round {round}: {:#?}", stage.findings());
    }
    assert!(answered > 20);
}

async fn append_for_ever(home: &Home) {
    let store = Store::open(home).unwrap();
    println!();
    loop {
        let after = store.read(&"a".into()).unwrap().len() as u64;
        append(&store, write("a", Some(after), 1, &["text of some length"; 3])).await.unwrap();
        println!("kept {}", after + 3);
        std::io::stdout().flush().unwrap();
    }
}

/// What a process does whose disk fails from its second commit on.
async fn meet_a_failing_disk(home: &Home) {
    let store = Store::open(home).unwrap();
    let large = "x".repeat(4 << 20);
    let first = append(&store, write("a", Some(1), 1, &[&large])).await.unwrap_err();
    assert!(matches!(first, StoreError::Sqlite { .. }), "{first:?}");
    let second = append(&store, write("a", Some(1), 1, &["small"])).await.unwrap_err();
    assert!(matches!(second, StoreError::Stopped { .. }), "{second:?}");
    assert_eq!(store.commits(), 0);
    println!("as it should be");
}

fn check_failing_disk(stage: &Stage, command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let cried = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("as it should be"), "{said}\n{cried}");
    assert_eq!(bodies(&stage.store(), "a"), ["opened"]);
    assert!(stage.findings().is_empty());
    block_on(append(&stage.store(), write("a", Some(1), 1, &["after"]))).unwrap();
}

/// The same command under another program.
fn under(program: &str, args: &[&str], inner: &Command) -> Command {
    let mut command = Command::new(program);
    command.args(args).arg(inner.get_program()).args(inner.get_args());
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

#[test]
fn after_a_commit_that_failed_on_a_full_disk_nothing_more_is_written() {
    if let Some((_, home)) = role() {
        return block_on(meet_a_failing_disk(&home));
    }
    let stage = Stage::new();
    block_on(append(&stage.store(), write("a", Some(0), 1, &["opened"]))).unwrap();
    let test = "processes::after_a_commit_that_failed_on_a_full_disk_nothing_more_is_written";
    let limited = "trap '' XFSZ; ulimit -f 2048; exec \"$0\" \"$@\"";
    let child = again(test, "writer", stage.root());
    check_failing_disk(&stage, &mut under("sh", &["-c", limited], &child));
}

#[test]
fn after_an_fsync_that_failed_nothing_more_is_written() {
    if let Some((_, home)) = role() {
        return block_on(meet_a_failing_disk(&home));
    }
    if Command::new("strace").arg("-V").output().is_err() {
        println!("strace is not installed: a failing fsync was not tried");
        return;
    }
    let stage = Stage::new();
    block_on(append(&stage.store(), write("a", Some(0), 1, &["opened"]))).unwrap();
    let test = "processes::after_an_fsync_that_failed_nothing_more_is_written";
    let inject = ["-f", "-qq", "-o", "/dev/null", "-e", "inject=fsync,fdatasync:error=EIO"];
    let child = again(test, "writer", stage.root());
    check_failing_disk(&stage, &mut under("strace", &inject, &child));
}
