//! What a person sends back is asked for again, with the reason, and kept aside.

use crate::gated::stage::{FAIL, FILES, PASS, PLAN, Stage};

#[test]
fn a_plan_that_is_sent_back_is_asked_for_again_with_the_reason() {
    let stage = Stage::planned();
    let told = stage.reject(0, "Say how a number\nis given.");
    assert_eq!(told.out, "phase=PLANNING status=in_progress iteration=1\n");
    let prompt = stage.read("iteration-1/planning-prompt.md");
    assert!(prompt.contains("Say how a number\nis given."), "{prompt}");
    assert!(prompt.contains("## rejected response"), "{prompt}");
    assert!(prompt.contains("An invoice of one tenant."), "{prompt}");
    assert_eq!(stage.read("iteration-1/planning-response.rejected-1.md"), PLAN);
    assert!(!stage.exists("iteration-1/planning-response.md"));
    let told = stage.step(3).out;
    assert!(told.contains("phase=PLANNING status=in_progress iteration=1 noop_awaiting_artifact"));
    stage.respond("planning", 1, "# Better\n");
    stage.step(0);
    stage.pass();
    assert_eq!(stage.read("plan.md"), "# Better\n");
    // What was settled is not told to anybody else.
    let prompt = stage.read("iteration-1/generation-prompt.md");
    assert!(!prompt.contains("Say how a number"), "{prompt}");
}

#[test]
fn each_response_that_is_sent_back_is_kept_with_its_code() {
    let stage = Stage::generated();
    let second = FILES.replace("class Invoice {}", "class Invoice { int n; }");
    stage.reject(0, "too short");
    assert!(!stage.exists("iteration-1/code"));
    stage.respond("generation", 1, &second);
    stage.step(0);
    // As a person has edited it, and what a person put there.
    stage.write("iteration-1/code/Added.java", "class Added {}\n");
    stage.write("iteration-1/generation-response.md", format!("By hand.\n{second}"));
    stage.reject(0, "still too short");
    let aside: Vec<String> =
        stage.files().into_iter().filter(|path| path.contains(".rejected-")).collect();
    assert_eq!(
        aside,
        [
            "iteration-1/code.rejected-1/Invoice.java",
            "iteration-1/code.rejected-1/Invoices.java",
            "iteration-1/code.rejected-2/Added.java",
            "iteration-1/code.rejected-2/Invoice.java",
            "iteration-1/code.rejected-2/Invoices.java",
            "iteration-1/generation-response.rejected-1.md",
            "iteration-1/generation-response.rejected-2.md",
        ]
    );
    assert_eq!(stage.read("iteration-1/generation-response.rejected-1.md"), FILES);
    let kept = stage.read("iteration-1/generation-response.rejected-2.md");
    assert_eq!(kept, format!("By hand.\n{second}"));
    assert_eq!(stage.read("iteration-1/code.rejected-1/Invoice.java"), "class Invoice {}\n");
    let prompt = stage.read("iteration-1/generation-prompt.md");
    assert!(prompt.contains("still too short"), "{prompt}");
    assert!(prompt.contains("class Invoice { int n; }"), "{prompt}");
    stage.respond("generation", 1, FILES);
    stage.step(0);
    stage.pass();
    let code = stage.files().into_iter().filter(|path| path.starts_with("iteration-1/code/"));
    assert_eq!(code.count(), 2);
}

#[test]
fn the_plan_stays_as_it_was_approved_when_the_files_are_sent_back() {
    let stage = Stage::generated();
    let plan = stage.session_json()["artifacts"].clone();
    let made = |artifacts: &serde_json::Value| {
        let rows = artifacts.as_array().unwrap();
        rows.iter().find(|row| row["path"] == "plan.md").unwrap().clone()
    };
    stage.reject(0, "again");
    assert_eq!(made(&stage.session_json()["artifacts"]), made(&plan));
    assert_eq!(stage.read("plan.md"), PLAN);
}

#[test]
fn a_review_that_is_sent_back_has_no_effect() {
    let stage = Stage::reviewed(FAIL);
    stage.reject(0, "Look at the keys.");
    assert_eq!(stage.phase(), "REVIEWING");
    assert_eq!(stage.read("iteration-1/review-response.rejected-1.md"), FAIL);
    assert!(stage.exists("iteration-1/code/Invoice.java"));
    let prompt = stage.read("iteration-1/review-prompt.md");
    assert!(prompt.contains("Look at the keys."), "{prompt}");
    stage.respond("review", 1, PASS);
    stage.step(0);
    stage.pass();
    assert_eq!(stage.phase(), "COMPLETE");
}

#[test]
fn a_malformed_review_may_be_sent_back() {
    let stage = Stage::reviewed("Looks good.\n");
    stage.reject(0, "Begin with the block.");
    assert_eq!(stage.phase(), "REVIEWING");
    assert_eq!(stage.read("iteration-1/review-response.rejected-1.md"), "Looks good.\n");
    stage.respond("review", 1, PASS);
    stage.step(0);
    stage.pass();
    assert_eq!(stage.phase(), "COMPLETE");
}

#[test]
fn whoever_has_approved_may_still_send_back_what_no_step_has_used() {
    let stage = Stage::generated();
    stage.approve(0);
    stage.reject(0, "On second thoughts, no.");
    assert_eq!(stage.phase(), "GENERATING");
    let approvals = stage.session_json()["approvals"].clone();
    assert_eq!(approvals.as_array().unwrap().len(), 1, "{approvals}");
    // The word that was taken back does not hold for what comes next.
    stage.respond("generation", 1, FILES);
    stage.step(0);
    assert!(stage.step(3).out.contains("phase=GENERATED"));
}

#[test]
fn sending_back_needs_a_reason_and_something_that_waits() {
    let stage = Stage::planned();
    let facts = stage.facts();
    for feedback in ["", "  ", "\n\t"] {
        let told = stage.reject(2, feedback);
        assert!(told.err.contains("--feedback is empty"), "{}", told.err);
    }
    stage.expect(2, "reject", "");
    assert_eq!((stage.facts(), stage.phase()), (facts, "PLANNED".to_owned()));
    for stage in [Stage::new(), Stage::planning(), Stage::reviewing()] {
        let told = stage.reject(2, "no");
        assert!(told.err.contains("nothing waits for a person's word in phase"), "{}", told.err);
    }
}

#[test]
fn files_of_a_revision_that_is_sent_back_leave_those_that_were_carried_over() {
    let stage = Stage::revising();
    let carried = stage.read("iteration-2/code/Invoices.java");
    stage.respond("revision", 2, super::super::stage::REVISED);
    stage.step(0);
    stage.reject(0, "no tests, please");
    assert_eq!(stage.phase(), "REVISING");
    assert_eq!(stage.read("iteration-2/code/Invoices.java"), carried);
    assert!(!stage.exists("iteration-2/code/InvoiceTest.java"));
    assert!(stage.exists("iteration-2/code.rejected-1/InvoiceTest.java"));
    stage.respond("revision", 2, "<<<FILE: Invoices.java>>>\ninterface Invoices { }\n");
    stage.step(0);
    stage.pass();
    assert_eq!(stage.phase(), "REVIEWING");
    let code = stage.files().into_iter().filter(|path| path.starts_with("iteration-2/code/"));
    assert_eq!(code.count(), 2);
}
