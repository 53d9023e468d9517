//! Several reviewers of one candidate: a file each, one merged verdict.

use crate::{
    sandbox::Sandbox,
    scene::{agrees, asked, asset, document, expect_logged, final_draft, review, scripted},
};
use serde_json::{Value, json};

const PANEL: &str = "--reviewer scripted --reviewer scripted --max-iterations 1";

fn panel(second: &Value) -> Sandbox {
    let first = json!({"review": {"verdict": "ok", "reviewer": "ada", "summary": "fine"}});
    scripted(&[final_draft("text\n"), first, json!({ "reviewer_2": second })])
}

fn check(second: &Value, verdict: &str, code: i32) -> Sandbox {
    let sandbox = panel(second);
    sandbox.expect(code, &review("description", PANEL));
    let merged = asset(&sandbox, "description")["reviews"].as_array().unwrap().clone();
    assert_eq!(merged.len(), 1, "the merged review is the one in the asset");
    assert_eq!(merged[0]["verdict"], verdict);
    let protocol = document(&sandbox, "w/copy/protocol/description/iteration_01.json");
    assert_eq!(protocol["reviewer"], merged[0]);
    sandbox
}

fn issue(severity: &str) -> Value {
    json!([{"severity": severity, "message": "a link is missing"}])
}

#[test]
fn two_reviewers_who_agree_agree() {
    let sandbox =
        check(&json!({"verdict": "ok", "reviewer": "bo", "issues": issue("warning")}), "ok", 0);
    for (name, issues) in [("ada", 0), ("bo", 1)] {
        let file = format!("w/copy/reviews/description/iteration_01.{name}.json");
        assert_eq!(document(&sandbox, &file)["issues"].as_array().unwrap().len(), issues);
    }
}

#[test]
fn one_error_of_a_panel_asks_for_changes() {
    let sandbox = check(
        &json!({"verdict": "changes_requested", "reviewer": "bo", "issues": issue("error")}),
        "changes_requested",
        3,
    );
    let merged = asset(&sandbox, "description")["reviews"][0].clone();
    assert_eq!(merged["issues"][0]["message"], "a link is missing");
    check(
        &json!({"verdict": "needs_human", "reviewer": "bo", "issues": issue("error")}),
        "changes_requested",
        3,
    );
}

#[test]
fn one_who_calls_for_a_person_outweighs_one_who_agrees() {
    check(&json!({"verdict": "needs_human", "reviewer": "bo"}), "needs_human", 3);
}

#[test]
fn two_reviewers_of_one_name_get_a_file_each() {
    let sandbox = scripted(&[final_draft("text\n"), agrees()]);
    expect_logged(&sandbox, 0, &review("description", PANEL));
    assert_eq!(sandbox.files("w/copy/reviews/description").len(), 2);
    assert_eq!(asked(&sandbox).len(), 3);
}

#[test]
fn a_panel_goes_on_as_the_panel_it_was_opened_with() {
    let sandbox = panel(&json!({"verdict": "ok", "reviewer": "bo"}));
    sandbox.expect(5, &review("description", &format!("{PANEL} --max-calls 2")));
    let other = review("description", "--reviewer scripted --max-calls 9");
    crate::scene::refused(&sandbox, 2, &other, &["the run was opened with"]);
    expect_logged(&sandbox, 0, &review("description", "--max-calls 9"));
    assert_eq!(asked(&sandbox).len(), 1);
}

#[test]
fn when_one_of_a_panel_fails_only_that_one_is_asked_again() {
    let bad = json!({"verdict": "ok", "reviewer": "bo", "mutate_files": {"../x": "x"}});
    let sandbox = panel(&bad);
    sandbox.expect(1, &review("description", PANEL));
    let first = json!({"review": {"verdict": "ok", "reviewer": "ada", "summary": "fine"}});
    let second = json!({"reviewer_2": {"verdict": "ok", "reviewer": "bo"}});
    crate::scene::script(&sandbox, &[final_draft("text\n"), first, second]);
    expect_logged(&sandbox, 0, &review("description", PANEL));
    assert_eq!(asked(&sandbox), ["description reviewer_2 ordinal=0 attempt=2"]);
}
