//! Being told to stop: once lets the call in flight finish, twice stops at once; no worktree is left in either case.

use super::{
    stage::{ASKED, Builder, Stage, check_converged, wait_for},
    writes::check_goes_on,
};
use crate::sandbox::{Ended, ended};
use std::{
    process::{Child, Command},
    time::{Duration, Instant},
};

fn tell(child: &Child, signal: &str) {
    let told = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(told.unwrap().success());
}

/// Lets everybody go on who has stopped.
fn let_go(stage: &Stage) {
    let home = stage.sandbox.path().display();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let read = |name: &str| std::fs::read(process.path().join(name)).unwrap_or_default();
        let is_ours = String::from_utf8_lossy(&read("environ")).contains(&format!("HOME={home}"));
        if is_ours && read("cmdline").starts_with(b"sleep") {
            let id = process.file_name().into_string().unwrap();
            let _ = Command::new("kill").arg(id).status();
        }
    }
}

fn check_interrupted(ended: &Ended) {
    assert_eq!(ended.code, 130, "{}{}", ended.out, ended.err);
    assert_eq!(ended.out.lines().last(), Some("INTERRUPTED"), "{}", ended.out);
}

/// Told once, in this call; gives how it ended.
fn told_once(stage: &Stage, signal: &str, asked: &str) -> Ended {
    let child = stage.stopped_at(asked, &[]);
    tell(&child, signal);
    // The call is let go only after the signal was heard: the program says so, and its words are read at the end.
    std::thread::sleep(Duration::from_millis(200)); // real time: a signal takes its time to be heard
    let_go(stage);
    let ended = ended(&child.wait_with_output().unwrap());
    check_interrupted(&ended);
    ended
}

#[test]
fn told_to_stop_a_pair_finishes_the_call_in_flight_and_goes_on_later() {
    for signal in ["-INT", "-TERM"] {
        for asked in ["implement 2", "check 1"] {
            let place = format!("{signal} in {asked}");
            let stage = Stage::new(Builder::Edits);
            let ended = told_once(&stage, signal, asked);
            assert!(ended.err.contains("finishing the calls in flight"), "{place}: {}", ended.err);
            stage.check_clean(&place);
            let before = stage.asked().len();
            check_goes_on(&stage, &place);
            assert_eq!(stage.asked().len(), ASKED.len(), "{place}: nobody is asked twice");
            assert!(before < ASKED.len(), "{place}");
        }
    }
}

#[test]
fn what_an_interrupted_pair_has_is_handed_over() {
    let stage = Stage::new(Builder::Edits);
    let ended = told_once(&stage, "-INT", "critique 1");
    assert!(ended.out.contains("+wrong\n"), "the best turn so far: {}", ended.out);
    assert!(ended.err.contains("handed over: turn 1"), "{}", ended.err);
}

#[test]
fn told_twice_a_pair_stops_at_once() {
    for signal in ["-INT", "-TERM"] {
        let stage = Stage::new(Builder::Edits);
        let child = stage.stopped_at("check 1", &[]);
        tell(&child, signal);
        std::thread::sleep(Duration::from_millis(200)); // real time: two signals at once are one
        let told = Instant::now();
        tell(&child, signal);
        let ended = ended(&child.wait_with_output().unwrap());
        assert!(told.elapsed() < Duration::from_secs(8), "{:?}", told.elapsed());
        check_interrupted(&ended);
        wait_for("the end of its programs", || stage.living().is_empty());
        stage.check_clean(signal);
        check_converged(&stage.again(&[]), signal);
        stage.check_clean(signal);
    }
}
