//! What is refused, and what is only told.

use super::{record, reopen, waits_for_a_person};
use crate::{
    sandbox::Sandbox,
    scene::{draft, objects, refused, review, scripted},
};

#[test]
fn what_is_not_decided_cannot_be_reopened() {
    let sandbox = scripted(&[draft("one\n"), objects("more")]);
    let told = ["description: is not decided, so there is nothing to reopen", "leave --reopen out"];
    refused(&sandbox, 2, &reopen("shorter", ""), &told);
    sandbox.expect(5, &review("description", "--max-calls 2"));
    refused(&sandbox, 2, &reopen("shorter", ""), &told);
    let all = "podcast review -w w --script script.json --all --reopen --reason shorter";
    refused(&sandbox, 2, all, &["is not decided"]);
}

#[test]
fn one_named_asset_that_is_not_decided_holds_up_all_that_were_named() {
    let sandbox = waits_for_a_person();
    let words = reopen("shorter", "--asset-id shownotes");
    refused(&sandbox, 2, &words, &["shownotes: is not decided"]);
}

#[test]
fn a_reason_is_asked_for_and_may_not_be_empty() {
    let sandbox = waits_for_a_person();
    refused(&sandbox, 2, &review("description", "--reopen"), &["--reason <TEXT>"]);
    refused(&sandbox, 2, &review("description", "--reason shorter"), &["--reopen"]);
    refused(&sandbox, 2, &review("description", "--by Ada"), &["--reopen", "--release-selection"]);
    let before = sandbox.files(".");
    for reason in ["", " \n\t"] {
        let words = review("description", "--reopen");
        let mut command = sandbox.command(crate::sandbox::REDRAFT, &words);
        let output = command.args(["--reason", reason]).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("say why it is reopened"), "{told}");
    }
    assert!(sandbox.files(".") == before);
}

#[test]
fn the_built_in_script_makes_no_workspace_to_reopen_something_in() {
    let sandbox = Sandbox::new();
    let words = "podcast review --fake-runner --asset-id slug --reopen --reason x";
    refused(&sandbox, 2, words, &["episode.yaml"]);
}

#[test]
fn a_limit_that_leaves_no_iteration_is_refused_and_one_more_is_played() {
    let sandbox = waits_for_a_person();
    let words = reopen("shorter", "--max-iterations 1");
    let told = ["1 iteration is recorded", "give --max-iterations 2 or more"];
    refused(&sandbox, 2, &words, &told);
    sandbox.write(
        "script.json",
        serde_json::Value::from(vec![draft("a\n"), objects("x")]).to_string(),
    );
    sandbox.expect(3, &reopen("shorter", "--max-iterations 2"));
    let names: Vec<String> = record(&sandbox, "").into_keys().collect();
    assert_eq!(names, ["iteration_02.json", "redraft.json", "state.json"]);
}

#[test]
fn a_dry_run_tells_the_calls_and_does_nothing() {
    let sandbox = waits_for_a_person();
    refused(&sandbox, 0, &reopen("shorter", "--dry-run"), &["description: up to 6 calls"]);
    let words = reopen("shorter", "--dry-run --max-iterations 2");
    refused(&sandbox, 0, &words, &["description: up to 2 calls"]);
    refused(
        &sandbox,
        0,
        &review("description", "--dry-run"),
        &["description: decided; nothing to do"],
    );
}

#[test]
fn raising_the_limit_of_a_decided_review_is_answered_with_how_to_reopen_it() {
    let sandbox = waits_for_a_person();
    let told = "description: the decision stands, so --max-iterations changes nothing; --reopen --reason TEXT runs again";
    let raised = review("description", "--max-iterations 2");
    refused(&sandbox, 3, &raised, &[told, "Outcome: needs_human (iteration_limit)"]);
    for silent in ["", "--max-iterations 1"] {
        let ended = sandbox.expect(3, &review("description", silent));
        assert!(!ended.err.contains("the decision stands"), "{}", ended.err);
    }
    let ended = sandbox.expect(0, &reopen("shorter", "--max-iterations 5"));
    assert!(!ended.err.contains("the decision stands"), "{}", ended.err);
}
