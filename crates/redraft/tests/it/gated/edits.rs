//! What a person writes into a session's folder is never lost, passed over in silence, or counted as a call.

use crate::gated::stage::{FILES, PLAN, REVISED, Stage};

#[test]
fn what_is_carried_over_may_be_edited_while_its_revision_is_awaited() {
    let stage = Stage::revising();
    let path = "iteration-2/code/Invoice.java";
    stage.write(path, "class Invoice { /* mine */ }\n");
    stage.respond("revision", 2, REVISED);
    stage.step(0);
    assert_eq!(stage.read(path), "class Invoice { /* mine */ }\n", "it stands as it is");
    let told = stage.step(3).err;
    assert!(told.contains(&format!("note: {path}: it is not as it came")), "{told}");
    stage.pass();
    assert!(stage.read("iteration-2/review-prompt.md").contains("/* mine */"));
}

#[test]
fn what_was_edited_before_it_was_sent_back_is_what_was_sent_back() {
    let stage = Stage::planned();
    stage.respond("planning", 1, "# Mine\n");
    stage.reject(0, "again");
    assert!(stage.read("iteration-1/planning-prompt.md").contains("# Mine"));
    assert_eq!(stage.read("iteration-1/planning-response.rejected-1.md"), "# Mine\n");
}

#[test]
fn what_was_sent_back_is_not_read_again_whatever_lies_beside_it() {
    let stage = Stage::planned();
    stage.write("iteration-1/planning-response.rejected-1.md", "of my own\n");
    stage.reject(0, "again");
    assert_eq!(stage.read("iteration-1/planning-response.rejected-1.md"), "of my own\n");
    assert_eq!(stage.read("iteration-1/planning-response.rejected-2.md"), PLAN);
    let told = stage.step(3);
    assert!(told.out.contains("noop_awaiting_artifact=true"), "{}", told.out);
}

#[test]
fn an_approval_can_be_given_anew_for_what_was_edited_since() {
    let stage = Stage::planned();
    stage.approve(0);
    stage.respond("planning", 1, "# Mine\n");
    stage.approve(0);
    assert_eq!(stage.session_json()["approvals"].as_array().unwrap().len(), 1);
    stage.step(0);
    assert_eq!(stage.read("plan.md"), "# Mine\n");
}

#[test]
fn what_a_person_took_away_comes_back_by_a_repair() {
    let stage = Stage::generated();
    stage.remove("iteration-1/generation-response.md");
    let told = stage.approve(3).err;
    assert!(told.contains("generation-response.md: the response is not there"), "{told}");
    stage.sandbox.expect(0, &format!("repair --session {}", stage.id));
    assert_eq!(stage.read("iteration-1/generation-response.md"), FILES);
    stage.approve(0);
}

#[test]
fn what_a_repair_has_put_aside_stands_in_nobodys_way() {
    let stage = Stage::generated();
    stage.write("iteration-1/code/Invoice.java.damaged-1", "of an earlier repair\n");
    stage.approve(0);
    stage.step(0);
    assert_eq!(stage.phase(), "REVIEWING");
}

#[test]
fn an_empty_response_is_told_to_be_empty() {
    let stage = Stage::planning();
    stage.respond("planning", 1, " \n");
    let told = stage.step(3).err;
    assert!(told.contains("iteration-1/planning-response.md: it is empty"), "{told}");
}

#[test]
fn what_people_write_is_no_call_and_no_cap_counts_it() {
    let stage = Stage::begun("--max-calls 0");
    stage.step(0);
    stage.respond("planning", 1, PLAN);
    stage.step(0);
    assert_eq!(stage.phase(), "PLANNED");
}

#[test]
fn what_is_wrong_is_told_as_it_stands_now() {
    let stage = Stage::reviewing();
    stage.respond("review", 1, "LGTM\n");
    stage.step(3);
    stage.respond("review", 1, "@@@REVIEW_META\nverdict: PASS\nissues_total: one\n@@@\n");
    let told = stage.step(3).err;
    assert!(told.contains("line 3"), "{told}");
    assert!(!told.contains("no review block"), "{told}");
}

#[test]
fn an_approval_has_a_persons_name() {
    let stage = Stage::planned();
    for (name, why) in [("", "nobody is named"), ("profile", "profile is no person's name")] {
        let told = stage.expect(2, "approve", &format!("--by={name}"));
        assert!(told.err.contains(why), "{}", told.err);
    }
}
