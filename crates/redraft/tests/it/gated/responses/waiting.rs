//! When a response is read: once, and when it is asked for.

use crate::{
    gated::stage::{FILES, PLAN, Stage},
    sandbox::ended,
};
use redraft_store::{Home, Wait};
use std::process::Stdio;

/// Steps again and again over the same response change neither journal nor folder.
fn check_still(stage: &Stage, code: i32) {
    let (facts, bytes) = (stage.facts(), stage.bytes());
    for _ in 0..3 {
        stage.step(code);
    }
    assert_eq!(stage.facts(), facts);
    assert_eq!(stage.bytes(), bytes);
}

#[test]
fn a_step_that_waits_leaves_journal_and_folder_as_they_were() {
    check_still(&Stage::planning(), 3);
    check_still(&Stage::planned(), 3);
    check_still(&Stage::generated(), 3);
    check_still(&Stage::reviewed("Looks good.\n"), 3);
    check_still(&Stage::revising(), 3);
}

#[test]
fn a_response_that_cannot_be_read_is_told_to_the_journal_once() {
    let stage = Stage::generating();
    let bad = "No files here.\n";
    stage.respond("generation", 1, bad);
    stage.step(3);
    check_still(&stage, 3);
    let told = stage.step(3);
    assert!(told.err.contains("the response has no file"), "{}", told.err);
    assert!(told.out.contains("noop_awaiting_artifact=true"), "{}", told.out);
    // Another that is as bad is told too, and is mended in place.
    stage.respond("generation", 1, "Nor here.\n");
    stage.step(3);
    check_still(&stage, 3);
    stage.respond("generation", 1, FILES);
    stage.step(0);
    assert_eq!(stage.phase(), "GENERATED");
}

#[test]
fn a_response_may_be_mended_many_times() {
    let stage = Stage::generating();
    for n in 0..8 {
        stage.respond("generation", 1, format!("Still thinking, {n}.\n"));
        let told = stage.step(3);
        assert!(told.err.contains("the response has no file"), "{n}: {}", told.err);
        assert_eq!(stage.phase(), "GENERATING");
    }
    stage.respond("generation", 1, FILES);
    stage.step(0);
    assert_eq!(stage.phase(), "GENERATED");
}

#[test]
fn a_response_that_was_written_before_it_was_asked_for_is_read_when_it_is() {
    let stage = Stage::new();
    stage.respond("planning", 1, PLAN);
    assert_eq!(stage.step(0).out, "phase=PLANNING status=in_progress iteration=1\n");
    assert_eq!(stage.read("iteration-1/planning-response.md"), PLAN);
    stage.respond("generation", 1, FILES);
    stage.step(0);
    assert_eq!(stage.phase(), "PLANNED");
    stage.pass();
    assert_eq!(stage.phase(), "GENERATING");
    stage.step(0);
    assert_eq!(stage.read("iteration-1/code/Invoice.java"), "class Invoice {}\n");
}

#[test]
fn of_two_drivers_of_one_session_the_second_is_told_that_it_is_busy() {
    let stage = Stage::planned();
    let home = Home::find(stage.sandbox.path()).unwrap().unwrap();
    let guard = home.lock(&format!("run:{}", stage.id), Wait::No).unwrap();
    let facts = stage.facts();
    for verb in ["step", "run", "approve", "cancel"] {
        stage.expect(7, verb, "");
    }
    stage.reject(7, "no");
    assert_eq!(stage.facts(), facts);
    drop(guard);
    stage.approve(0);
}

#[test]
fn many_steps_at_once_make_one_transition() {
    let stage = Stage::new();
    let step = format!("gated step {}", stage.id);
    let start = |_| stage.command(&step).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let children: Vec<_> = (0..6).map(start).map(Result::unwrap).collect();
    let told = children.into_iter().map(|child| ended(&child.wait_with_output().unwrap()));
    let mut codes: Vec<i32> = told.map(|told| told.code).collect();
    codes.sort_unstable();
    assert_eq!(codes[0], 0, "{codes:?}");
    assert!(codes[1..].iter().all(|code| [3, 7].contains(code)), "{codes:?}");
    assert_eq!(stage.session_json()["phase_history"].as_array().unwrap().len(), 2);
    stage.step(3);
}
