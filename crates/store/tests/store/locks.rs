//! Locks between real processes.

use crate::stage::{Stage, again, role};
use redraft_store::{LockError, Wait};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

const HOLDER: &str = "locks::a_lock_is_held_by_one_process_and_freed_when_it_is_killed";

fn holder(stage: &Stage) -> Child {
    let mut child = again(HOLDER, "hold", stage.root()).stdout(Stdio::piped()).spawn().unwrap();
    let out = BufReader::new(child.stdout.as_mut().unwrap());
    assert!(out.lines().any(|line| line.unwrap().contains("held")), "the other process has it");
    child
}

#[test]
fn a_lock_is_held_by_one_process_and_freed_when_it_is_killed() {
    if let Some((_, home)) = role() {
        let _guard = home.lock("run:a", Wait::No).unwrap();
        println!("held");
        std::io::stdout().flush().unwrap();
        loop {
            std::thread::park();
        }
    }
    let stage = Stage::new();
    let mut child = holder(&stage);
    let pid = child.id();
    match stage.home.lock("run:a", Wait::No).unwrap_err() {
        LockError::Busy { name, holder } => {
            assert_eq!((name.as_str(), holder.unwrap()), ("run:a", format!("process {pid}")));
        }
        other => panic!("{other}"),
    }
    let error = stage.home.lock("run:a", Wait::For(Duration::from_millis(1))).unwrap_err();
    assert_eq!(error.to_string(), format!("run:a: held by process {pid}"));
    let other = stage.home.lock("run:b", Wait::No).unwrap();
    drop(other);
    let waiting = {
        let home = stage.home.clone();
        std::thread::spawn(move || home.lock("run:a", Wait::Forever).map(drop))
    };
    child.kill().unwrap();
    child.wait().unwrap();
    waiting.join().unwrap().unwrap();
}

#[test]
fn a_lock_is_taken_again_after_it_was_let_go_and_its_file_stays() {
    let stage = Stage::new();
    let files = || fs::read_dir(stage.home.dir().join("locks")).unwrap().count();
    for _ in 0..3 {
        let guard = stage.home.lock("run:a/../x\n", Wait::No).unwrap();
        assert!(stage.home.lock("run:a/../x\n", Wait::No).is_err(), "also within one process");
        drop(guard);
        assert_eq!(files(), 1);
    }
}

#[test]
fn one_of_many_threads_has_the_lock_at_any_time() {
    let stage = Stage::new();
    let inside = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let _guard = stage.home.lock("one", Wait::Forever).unwrap();
                    assert_eq!(inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                    inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                }
            });
        }
    });
}
