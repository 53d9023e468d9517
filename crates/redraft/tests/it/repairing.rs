//! `repair` beside a driver: it keeps out of the way, and finds nothing to do when all is written.

use crate::{
    durability::trace::{self, Calls},
    held::Held,
    sandbox::{Sandbox, THREE_ITERATIONS, ended},
    scene::{check_untouched, review, workspace},
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

#[test]
fn beside_a_review_and_after_its_kill_no_file_is_called_changed() {
    for calls in 1..=6 {
        let sandbox = workspace();
        sandbox.write("script.json", THREE_ITERATIONS);
        let mut held = Held::at_the_first_call(&sandbox, &review("description", ""));
        for call in 2..=calls {
            held.let_call(1);
            held.until_claimed(call);
        }
        let status = sandbox.json("podcast status -w w");
        let items = status["checklist"].as_array().unwrap();
        assert!(items.iter().all(|item| item["state"] != "changed"), "call {calls}: {status}");
        held.child.kill().unwrap();
        held.child.wait().unwrap();
        std::fs::remove_file(sandbox.join("agent.log")).unwrap();
        check_untouched(&sandbox, &format!("killed at call {calls}"));
        // What somebody has changed is still told.
        let state = sandbox.read("w/state.json").replace("\"e1\"", "\"e2\"");
        sandbox.write("w/state.json", state);
        let status = sandbox.expect(0, "podcast status -w w").out;
        assert!(status.contains("state.json: changed"), "call {calls}: {status}");
        let kept = sandbox.json("repair -w w")["kept"].clone();
        assert_eq!(kept, serde_json::json!(["state.json.damaged-1"]), "call {calls}");
    }
}

#[test]
fn however_many_reviews_a_kill_cuts_off_no_file_is_called_changed() {
    if !trace::works() {
        return;
    }
    let template = workspace();
    let text = "**Ada:** Sourdough is flour and water.\n\n**Bo:** Then the dough rises.\n";
    template.write("t.md", text);
    template.expect(0, "podcast ingest -w w --transcript t.md");
    let copy = || {
        let sandbox = Sandbox::new();
        template.copy(".", sandbox.path());
        sandbox
    };
    let (words, renames) = ("podcast review -w w --all", Calls { names: "renameat", on: vec![] });
    let sandbox = copy();
    let (_, lines) = trace::lines(sandbox.path(), words, &renames);
    assert!(lines.len() > 50, "{} renames", lines.len());
    let kills = if std::env::var_os("REDRAFT_DEEP").is_some() { 100 } else { 10 };
    for k in (1..=lines.len()).step_by(lines.len().div_ceil(kills)) {
        let sandbox = copy();
        trace::interfere(sandbox.path(), words, &renames, "signal=KILL", k);
        check_untouched(&sandbox, &format!("killed at rename {k} of {}", lines.len()));
    }
}
