//! What is edited between the approval and the step that uses it voids the approval.

use crate::gated::stage::{PASS, Stage};
use serde_json::json;

/// After this was done to a file of a session that was approved, the step names it and waits; what stands there can be
/// approved.
fn check(stage: &Stage, path: &str, change: impl Fn(&Stage, &str)) {
    stage.approve(0);
    let phase = stage.phase();
    let approvals = stage.session_json()["approvals"].as_array().unwrap().len();
    change(stage, path);
    let told = stage.step(3);
    let how = match stage.exists(path) || !path.ends_with("-response.md") {
        true => "it is not as it was approved any more",
        false => "it is gone",
    };
    let voided = format!("note: {path}: {how}: approve it as it is now");
    assert!(told.err.contains(&voided), "{}", told.err);
    let line = format!("phase={phase} status=in_progress iteration=1");
    assert!(told.out.contains(&line), "{}", told.out);
    let session = stage.session_json();
    assert_eq!(session["phase"], *phase);
    assert_eq!(session["approvals"].as_array().unwrap().len() + 1, approvals, "{session}");
    // That it was voided is told once to the journal, and on and on to the person.
    let facts = stage.facts();
    let told = stage.step(3);
    assert!(told.out.contains("noop_awaiting_approval=true"), "{}", told.out);
    assert!(told.err.contains("approve it as it is now"), "{}", told.err);
    assert_eq!(stage.facts(), facts);
}

fn goes_on(stage: &Stage, phase: &str) {
    stage.pass();
    assert_eq!(stage.phase(), phase);
}

#[test]
fn an_edited_plan_voids_its_approval() {
    let stage = Stage::planned();
    check(&stage, "iteration-1/planning-response.md", |stage, path| {
        stage.write(path, "# Another plan\n");
    });
    goes_on(&stage, "GENERATING");
    assert_eq!(stage.read("plan.md"), "# Another plan\n");
}

#[test]
fn an_edited_file_voids_its_approval() {
    let stage = Stage::generated();
    check(&stage, "iteration-1/code/Invoice.java", |stage, path| {
        stage.write(path, "class Other {}\n");
    });
    goes_on(&stage, "REVIEWING");
    assert!(stage.read("iteration-1/review-prompt.md").contains("class Other {}"));
}

#[test]
fn an_added_file_voids_the_approval_of_the_others() {
    let stage = Stage::generated();
    check(&stage, "iteration-1/code/Late.java", |stage, path| stage.write(path, "class Late {}\n"));
    goes_on(&stage, "REVIEWING");
    assert!(stage.read("iteration-1/review-prompt.md").contains("class Late {}"));
}

#[test]
fn a_deleted_file_voids_the_approval_of_the_others() {
    let stage = Stage::generated();
    check(&stage, "iteration-1/code/Invoices.java", Stage::remove);
    goes_on(&stage, "REVIEWING");
    assert!(!stage.read("iteration-1/review-prompt.md").contains("interface Invoices"));
}

#[test]
fn a_response_that_is_deleted_after_its_approval_voids_it() {
    let stage = Stage::reviewed(PASS);
    check(&stage, "iteration-1/review-response.md", Stage::remove);
    stage.approve(3);
    stage.respond("review", 1, PASS);
    goes_on(&stage, "COMPLETE");
}

#[test]
fn a_file_that_is_edited_before_and_after_is_approved_again_as_it_is_at_last() {
    let stage = Stage::generated();
    stage.write("iteration-1/code/Invoice.java", "class Second {}\n");
    check(&stage, "iteration-1/code/Invoice.java", |stage, path| {
        stage.write(path, "class Third {}\n");
    });
    goes_on(&stage, "REVIEWING");
    assert!(stage.read("iteration-1/review-prompt.md").contains("class Third {}"));
    assert_eq!(stage.read("iteration-1/code/Invoice.java"), "class Third {}\n");
}

#[test]
fn a_file_that_was_edited_before_the_approval_may_come_back_as_it_was_sent() {
    let stage = Stage::generated();
    stage.write("iteration-1/code/Invoice.java", "class Second {}\n");
    check(&stage, "iteration-1/code/Invoice.java", |stage, path| {
        stage.write(path, "class Invoice {}\n");
    });
    goes_on(&stage, "REVIEWING");
    assert!(stage.read("iteration-1/review-prompt.md").contains("class Invoice {}"));
}

#[test]
fn an_edit_that_is_taken_back_before_the_step_voids_nothing() {
    let stage = Stage::reviewed(PASS);
    stage.approve(0);
    stage.respond("review", 1, "something else");
    stage.respond("review", 1, PASS);
    stage.step(0);
    assert_eq!(stage.phase(), "COMPLETE");
}

#[test]
fn a_program_reads_that_an_approval_was_voided() {
    let stage = Stage::reviewed(PASS);
    stage.approve(0);
    stage.respond("review", 1, "Looks good.\n");
    let (code, told) = stage.json("step", "");
    assert_eq!(code, 3);
    assert_eq!(told["moved"], json!(false));
    assert!(told["notes"][0].as_str().unwrap().contains("approve it as it is now"), "{told}");
    assert!(told["last_error"].as_str().unwrap().contains("approve it as it is now"), "{told}");
}
