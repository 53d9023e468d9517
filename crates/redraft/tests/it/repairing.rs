//! `repair` beside a driver: it keeps out of the way, and finds nothing to do when all is written.

use crate::{
    held::Held,
    sandbox::{THREE_ITERATIONS, ended},
    scene::{review, workspace},
};

#[test]
fn repair_keeps_out_of_a_run_that_is_driven_and_finds_nothing_to_do_after_it() {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    let mut held = Held::at_the_first_call(&sandbox, &review("description", ""));
    held.let_call(2);
    held.until_claimed(3);
    // The files of a turn are written after its facts, and state.json is the last of them.
    held.until_written("w/state.json", "\"iteration\": 1");
    // A file that is missing just now is one that repair would restore.
    std::fs::remove_file(sandbox.join("w/state.json")).unwrap();
    let before = sandbox.files("w");
    let told = sandbox.expect(7, "repair -w w");
    assert!(told.err.contains("description: held by process"), "{}", told.err);
    assert!(sandbox.files("w") == before, "repair has written beside the driver");
    let _open = held.let_go();
    let review = ended(&held.child.wait_with_output().unwrap());
    assert_eq!(review.code, 0, "{}\n{}", review.out, review.err);
    let told = sandbox.expect(0, "repair -w w");
    assert!(told.out.contains("Every file is as the journal has it."), "{}", told.out);
}
