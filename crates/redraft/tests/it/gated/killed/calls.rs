//! Kill -9 while a program is asked: it is asked once more, and then only if somebody says so.

use crate::gated::unattended::{
    scene::{CALLS, Scene},
    slow::{at_work, slow},
};

/// Killed while the generator works, who is left to it.
fn kill(scene: &Scene, id: &str) {
    let mut child = at_work(scene, &format!("gated run {id}"));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A session whose generator was cut off twice.
fn cut_off_twice() -> (Scene, String) {
    let (scene, id) = slow(2);
    kill(&scene, &id);
    kill(&scene, &id);
    scene.sandbox.write("go", "");
    (scene, id)
}

#[test]
fn a_call_that_was_cut_off_is_asked_once_more() {
    let (scene, id) = slow(1);
    kill(&scene, &id);
    scene.sandbox.write("go", "");
    scene.expect(0, &format!("gated run {id}"));
    assert_eq!(scene.asked().len(), CALLS.len() + 1, "{:?}", scene.asked());
    scene.expect(0, "verify");
}

#[test]
fn a_call_that_was_cut_off_twice_waits_for_a_word_and_then_goes_on() {
    let (scene, id) = cut_off_twice();
    let asked = scene.asked();
    for _ in 0..2 {
        let waits = scene.expect(3, &format!("gated run {id}"));
        assert!(waits.out.contains("phase=GENERATING status=in_progress"), "{}", waits.out);
        assert!(waits.err.contains("--ask-again"), "{}", waits.err);
    }
    assert_eq!(scene.asked(), asked, "nobody is asked");
    scene.expect(0, &format!("gated run {id} --ask-again 2"));
    assert_eq!(scene.asked().len(), CALLS.len() + 2);
    scene.expect(0, "verify");
}

#[test]
fn a_person_can_answer_for_a_program_that_was_cut_off() {
    let (scene, id) = cut_off_twice();
    scene.expect(3, &format!("gated run {id}"));
    let before = scene.asked().len();
    let response = format!("{}/iteration-1/generation-response.md", scene.folder(&id));
    scene.sandbox.write(&response, "<<<FILE: Order.java>>>\n// by hand\n");
    // The word is still asked for, since the bound is on the call; the program is not.
    scene.expect(3, &format!("gated run {id} --ask-again 2"));
    scene.expect(0, &format!("gated approve {id}"));
    scene.expect(0, &format!("gated run {id}"));
    assert_eq!(scene.asked()[before..], CALLS[2..]);
    assert_eq!(scene.file(&id, "iteration-1/code/Order.java"), "// by hand\n");
    scene.expect(0, "verify");
}
