//! What a person edits before the approval counts.

use crate::gated::stage::{FAIL, FILES, PASS, PLAN, Stage};

#[test]
fn a_person_overrides_a_verdict_by_editing_the_review_before_approving_it() {
    let stage = Stage::reviewed(FAIL);
    stage.respond("review", 1, PASS);
    // What stands there now is told before anybody approves it.
    assert!(stage.step(3).out.starts_with("REVIEW: PASS | issues=1 (critical=0)"));
    stage.approve(0);
    let told = stage.step(0).out;
    assert_eq!(
        told,
        "REVIEW: PASS | issues=1 (critical=0) | missing_inputs=0\n\
         phase=COMPLETE status=success iteration=1\n"
    );
    assert_eq!(stage.read("iteration-1/review-response.md"), PASS);
}

#[test]
fn a_person_turns_a_pass_into_a_fail_as_well() {
    let stage = Stage::reviewed(PASS);
    stage.respond("review", 1, FAIL);
    stage.pass();
    assert_eq!(stage.phase(), "REVISING");
    let prompt = stage.read("iteration-2/revision-prompt.md");
    assert!(prompt.contains("a query forgets the tenant"), "{prompt}");
}

#[test]
fn an_edited_plan_is_the_plan() {
    let stage = Stage::planned();
    stage.respond("planning", 1, "# Another plan\n");
    stage.pass();
    assert_eq!(stage.read("plan.md"), "# Another plan\n");
    let prompt = stage.read("iteration-1/generation-prompt.md");
    assert!(prompt.contains("# Another plan"), "{prompt}");
    assert!(!prompt.contains(PLAN.trim()), "{prompt}");
}

/// After this was done to the code, it is approved and the reviewer is shown the files of this list.
fn check(change: impl Fn(&Stage), shown: &str) {
    let stage = Stage::generated();
    change(&stage);
    stage.pass();
    let prompt = stage.read("iteration-1/review-prompt.md");
    assert!(prompt.contains(&format!("```text\n{shown}```")), "{prompt}");
    stage.step(3);
    // They are carried over as they were approved.
    stage.respond("review", 1, FAIL);
    stage.step(0);
    stage.pass();
    let code = stage.sandbox.files(&format!(".redraft/gated/{}/iteration-2/code", stage.id));
    let carried: String = code
        .iter()
        .map(|(name, text)| format!("<<<FILE: {name}>>>\n{}", String::from_utf8_lossy(text)))
        .collect();
    assert_eq!(carried, shown);
}

#[test]
fn an_edited_file_is_reviewed_as_it_was_edited() {
    check(
        |stage| stage.write("iteration-1/code/Invoice.java", "class Invoice { int n; }\n"),
        "<<<FILE: Invoice.java>>>\nclass Invoice { int n; }\n\
         <<<FILE: Invoices.java>>>\ninterface Invoices {}\n",
    );
}

#[test]
fn a_file_that_a_person_adds_is_reviewed_too() {
    check(
        |stage| stage.write("iteration-1/code/Added.java", "class Added {}\n"),
        "<<<FILE: Added.java>>>\nclass Added {}\n<<<FILE: Invoice.java>>>\nclass Invoice {}\n\
         <<<FILE: Invoices.java>>>\ninterface Invoices {}\n",
    );
}

#[test]
fn a_file_that_a_person_deletes_is_gone() {
    check(
        |stage| stage.remove("iteration-1/code/Invoices.java"),
        "<<<FILE: Invoice.java>>>\nclass Invoice {}\n",
    );
}

#[test]
fn without_any_file_there_is_nothing_to_approve() {
    let stage = Stage::generated();
    stage.remove("iteration-1/code/Invoice.java");
    stage.remove("iteration-1/code/Invoices.java");
    let told = stage.approve(3);
    assert!(told.err.contains("there is no file left"), "{}", told.err);
    assert_eq!(stage.phase(), "GENERATED");
}

#[test]
fn files_are_changed_under_code_and_not_in_the_response_that_they_came_from() {
    let stage = Stage::generated();
    let edited = FILES.replace("class Invoice {}", "class Invoice { int n; }");
    stage.respond("generation", 1, edited);
    let told = stage.approve(3);
    assert!(told.err.contains("Invoice.java was changed here after"), "{}", told.err);
    // The remarks may be edited where they stand.
    stage.respond("generation", 1, FILES.replace("never", "seldom"));
    stage.pass();
    assert!(stage.read("iteration-1/review-prompt.md").contains("The number is seldom changed."));
}

#[test]
fn nothing_can_be_approved_where_nothing_waits() {
    for stage in [Stage::new(), Stage::planning(), Stage::reviewing(), Stage::revising()] {
        let phase = stage.phase();
        let told = stage.approve(2);
        let why = format!("nothing waits for a person's word in phase {phase}");
        assert!(told.err.contains(&why), "{}", told.err);
    }
}

#[test]
fn nothing_is_approved_twice() {
    let stage = Stage::planned();
    stage.approve(0);
    let facts = stage.facts();
    let told = stage.approve(2);
    assert!(told.err.contains("it is approved already, by anna"), "{}", told.err);
    assert_eq!(stage.facts(), facts);
    stage.step(0);
}

#[test]
fn a_response_that_is_gone_is_not_approved() {
    for (stage, phase) in [
        (Stage::planned(), "planning"),
        (Stage::generated(), "generation"),
        (Stage::reviewed(PASS), "review"),
    ] {
        let path = format!("iteration-1/{phase}-response.md");
        let text = stage.read(&path);
        stage.remove(&path);
        let told = stage.approve(3);
        assert!(told.err.contains(&format!("{path}: the response is not there")), "{}", told.err);
        // Put back, it is what it was.
        stage.write(&path, text);
        stage.pass();
    }
}

#[test]
fn who_approves_may_be_named() {
    let stage = Stage::planned();
    stage.expect(0, "approve", "--by berta");
    assert_eq!(stage.session_json()["approvals"][0]["by"], "berta");
}
