//! What was approved and used is nobody's to change any more: a changed file is damage.

use crate::gated::stage::{FAIL, PASS, Stage};

/// After this was done, every verb ends with 6, names the path, and writes nothing.
fn check(stage: &Stage, path: &str, change: impl Fn(&Stage)) {
    change(stage);
    let (facts, bytes) = (stage.facts(), stage.bytes());
    for verb in ["step", "run", "approve", "cancel", "status"] {
        let told = stage.expect(6, verb, "");
        let place = stage.place(path).display().to_string();
        assert!(told.err.contains(&place), "{verb}: {}", told.err);
        assert_eq!(told.out, "", "{verb}");
        let (code, told) = stage.json(verb, "");
        assert_eq!(code, 6, "{told}");
        assert!(told["error"]["message"].as_str().unwrap().contains(path), "{told}");
    }
    assert!(stage.reject(6, "no").err.contains(path));
    assert_eq!(stage.facts(), facts);
    assert_eq!(stage.bytes(), bytes);
}

fn check_each(stage: &Stage, paths: &[&str]) {
    for path in paths {
        let text = stage.read(path);
        check(stage, path, |stage| stage.write(path, "changed\n"));
        check(stage, path, |stage| stage.write(path, [text.as_bytes(), b" "].concat()));
        check(stage, path, |stage| stage.write(path, [0xff, 0xfe]));
        check(stage, path, |stage| stage.remove(path));
        stage.write(path, text);
        stage.expect(0, "status", "");
    }
}

#[test]
fn a_response_that_was_used_is_not_changed_any_more() {
    let stage = Stage::reviewing();
    check_each(&stage, &["iteration-1/planning-response.md", "iteration-1/generation-response.md"]);
}

#[test]
fn a_file_that_was_used_is_not_changed_any_more() {
    let stage = Stage::revising();
    check_each(&stage, &["iteration-1/code/Invoice.java", "iteration-1/review-response.md"]);
}

#[test]
fn neither_are_prompts_plan_standards_and_session_json_ever() {
    let stage = Stage::generating();
    let paths =
        ["iteration-1/generation-prompt.md", "plan.md", "standards-bundle.md", "session.json"];
    check_each(&stage, &paths);
}

#[test]
fn a_session_that_is_complete_is_held_to_its_files_too() {
    let stage = Stage::reviewed(PASS);
    stage.pass();
    check_each(&stage, &["iteration-1/review-response.md", "iteration-1/code/Invoices.java"]);
}

#[test]
fn all_that_is_damaged_is_named_at_once() {
    let stage = Stage::revising();
    stage.write("plan.md", "changed\n");
    stage.remove("iteration-1/code/Invoice.java");
    let told = stage.step(6).err;
    assert!(told.contains("plan.md: it was changed"), "{told}");
    assert!(told.contains("iteration-1/code/Invoice.java: it is gone"), "{told}");
}

#[test]
fn a_file_that_comes_into_approved_code_too_late_is_named_and_counts_for_nothing() {
    let stage = Stage::reviewing();
    stage.write("iteration-1/code/Late.java", "class Late {}\n");
    stage.respond("review", 1, FAIL);
    let told = stage.step(6).err;
    assert!(
        told.contains("iteration-1/code/Late.java: it was added to what is approved"),
        "{told}"
    );
    stage.remove("iteration-1/code/Late.java");
    stage.step(0);
    stage.pass();
    assert!(!stage.exists("iteration-2/code/Late.java"));
    assert!(!stage.read("iteration-2/revision-prompt.md").contains("class Late"));
}
