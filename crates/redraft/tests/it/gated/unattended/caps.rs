//! Where a session stops by a bound, or because somebody says so, and goes on from there.

use super::{
    scene::{CALLS, PROGRAMS, Scene},
    slow::{at_work, slow},
};
use crate::sandbox::ended;
use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command},
};

#[test]
fn a_session_out_of_calls_ends_with_five_and_goes_on_once_it_may_have_more() {
    let scene = Scene::new("java");
    scene.open_gates();
    let id = scene.begun("jpa-auto", &format!("{PROGRAMS} --max-calls 2"));
    for _ in 0..2 {
        let stopped = scene.expect(5, &format!("gated run {id}"));
        assert!(stopped.out.contains("phase=REVIEWING status=in_progress"), "{}", stopped.out);
        assert!(stopped.err.contains("calls"), "{}", stopped.err);
        assert_eq!(scene.asked(), CALLS[..2]);
    }
    let stopped = scene.expect(5, &format!("gated run {id} --max-calls 3"));
    assert!(stopped.out.contains("phase=REVISING "), "{}", stopped.out);
    scene.expect(0, &format!("gated run {id} --max-calls 5"));
    assert_eq!(scene.asked(), CALLS);
    scene.expect(0, "verify");
}

/// Tells it to stop, and gives what it says to that.
fn interrupt(child: &mut Child) -> (String, BufReader<std::process::ChildStderr>) {
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(told.unwrap().success());
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("interrupted: ") {
        assert!(err.read_line(&mut line).unwrap() > 0, "it ended without a word: {line}");
    }
    (line, err)
}

#[test]
fn told_to_stop_in_a_call_a_session_takes_its_answer_in_and_goes_on_later() {
    let (scene, id) = slow(1);
    let mut child = at_work(&scene, &format!("gated run {id}"));
    let (said, mut err) = interrupt(&mut child);
    assert!(said.contains("finishing the calls in flight"), "{said}");
    scene.sandbox.write("go", "");
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    let stopped = ended(&child.wait_with_output().unwrap());
    assert_eq!(stopped.code, 130, "{}{rest}", stopped.out);
    assert!(stopped.out.contains("phase=GENERATED "), "{}", stopped.out);
    assert_eq!(scene.asked(), CALLS[..2]);
    assert!(scene.has(&id, "iteration-1/generation-response.md"), "what was paid for is kept");
    scene.expect(0, &format!("gated run {id}"));
    assert_eq!(scene.asked(), CALLS);
    scene.expect(0, "verify");
}

#[test]
fn told_twice_a_session_stops_at_once_and_goes_on_later() {
    let (scene, id) = slow(1);
    let mut child = at_work(&scene, &format!("gated run {id}"));
    let (_, mut err) = interrupt(&mut child);
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(told.unwrap().success());
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    let stopped = ended(&child.wait_with_output().unwrap());
    assert_eq!(stopped.code, 130, "{}{rest}", stopped.out);
    assert_eq!(scene.stands(&id), ("GENERATING".into(), "in_progress".into()));
    assert!(!scene.has(&id, "iteration-1/generation-response.md"));
    scene.expect(0, &format!("gated run {id}"));
    assert_eq!(scene.asked().len(), CALLS.len() + 1, "the call that was cut off is asked again");
    scene.expect(0, "verify");
}

#[test]
fn a_step_whose_call_was_finished_is_done_whoever_told_it_to_stop() {
    let (scene, id) = slow(1);
    for _ in 0..3 {
        scene.expect(0, &format!("gated step {id}"));
    }
    let mut child = at_work(&scene, &format!("gated step {id}"));
    let (_, _err) = interrupt(&mut child);
    scene.sandbox.write("go", "");
    let stepped = ended(&child.wait_with_output().unwrap());
    assert_eq!(stepped.code, 0, "{}", stepped.out);
    assert!(stepped.out.contains("phase=GENERATED"), "{}", stepped.out);
}

#[test]
fn a_cap_of_the_first_command_holds_from_its_first_call() {
    let scene = Scene::new("java");
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    scene.expect(5, &format!("gated run {id} --max-calls 1"));
    assert_eq!(scene.asked().len(), 1);
}
