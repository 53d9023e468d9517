//! A selection that is locked stays, whatever the format; and a review that this turns is valid again.

use crate::{
    sandbox::Sandbox,
    scene::{
        agrees, asset, document, draft, formatted, objects, refused, review, script, scripted,
    },
};
use serde_json::{Value, json};

/// A workspace whose slug is selected as plain text, while its loop is in progress.
fn selected(text: &str) -> Sandbox {
    let mut first = formatted(text, "plain");
    first["creator"]["done"] = json!(false);
    let sandbox = scripted(&[first, objects("shorter")]);
    sandbox.expect(5, &review("slug", "--max-calls 2"));
    let id = asset(&sandbox, "slug")["candidates"][0]["candidate_id"].as_str().unwrap().to_owned();
    sandbox.expect(0, &format!("podcast pick -w w --asset-id slug --candidate-id {id} --by Ada"));
    sandbox
}

/// Plays a second iteration with this candidate; gives the issues of its review.
fn second(sandbox: &Sandbox, candidate: Value, verdict: &Value, code: i32) -> Vec<Value> {
    script(sandbox, &[draft("unused"), objects("unused"), candidate, verdict.clone()]);
    sandbox.expect(code, &review("slug", "--max-iterations 2 --max-calls 9"));
    let review = document(sandbox, "w/copy/reviews/slug/iteration_02.reviewer_a.json");
    let merged = &document(sandbox, "w/copy/protocol/slug/iteration_02.json")["reviewer"];
    assert_eq!(&review, merged);
    review["issues"].as_array().unwrap().clone()
}

#[test]
fn another_format_does_not_get_round_a_locked_selection() {
    for format in ["plain", "markdown", "html"] {
        let sandbox = selected("first-slug\n");
        let issues = second(&sandbox, formatted("other-slug\n", format), &agrees(), 3);
        let [issue] = issues.as_slice() else { panic!("{format}: {issues:?}") };
        assert_eq!(issue["severity"], "error");
        assert_eq!(issue["code"], "locked_selection");
        assert_eq!(issue["field"], "content");
        let message = issue["message"].as_str().unwrap();
        assert!(message.contains("copy/selected/slug.txt"), "{message}");
        assert_eq!(sandbox.read("w/copy/selected/slug.txt"), "first-slug\n");
        assert!(!sandbox.join(&format!("w/copy/selected/slug.{format}")).exists());
        let told = sandbox.redraft(&review("slug", "")).err;
        let status = sandbox.expect(0, "podcast status -w w").out;
        for page in [told, status] {
            assert!(page.contains("--reopen --reason TEXT --release-selection\n"), "{page}");
        }
    }
}

#[test]
fn a_review_turned_by_the_lock_is_validated_again() {
    let sandbox = selected("first-slug\n");
    let warns = json!({"review": {"verdict": "ok", "reviewer": "reviewer_a", "issues": [
        {"severity": "warning", "message": "plain"}]}});
    let issues = second(&sandbox, formatted("other-slug\n", "markdown"), &warns, 3);
    assert_eq!(issues.len(), 2);
    let review = document(&sandbox, "w/copy/reviews/slug/iteration_02.reviewer_a.json");
    assert_eq!(review["verdict"], "changes_requested");
    let decision = &document(&sandbox, "w/copy/protocol/slug/state.json")["decision"];
    assert_eq!(decision["reason"], "iteration_limit");
    // What was written is what readers of the format accept: a copy without the journal opens.
    sandbox.copy("w", &sandbox.join("copy"));
    std::fs::remove_dir_all(sandbox.join("copy/.redraft")).unwrap();
    let status = sandbox.expect(0, "podcast status -w copy");
    assert!(status.out.contains("Verdict: changes_requested"), "{}", status.out);
}

#[test]
fn the_same_text_with_other_newlines_is_the_locked_selection() {
    for (locked, text) in [("first-slug\n", "first-slug\r\n"), ("first-slug\r\n", "first-slug\n")] {
        let sandbox = selected(locked);
        let issues = second(&sandbox, formatted(text, "html"), &agrees(), 0);
        assert_eq!(issues, Vec::<Value>::new());
    }
}

#[test]
fn a_selection_that_only_a_file_holds_is_locked_too() {
    for (extension, format) in [("txt", "markdown"), ("md", "plain"), ("html", "plain")] {
        let sandbox = scripted(&[formatted("other-slug\n", format), agrees()]);
        sandbox.write(&format!("w/copy/selected/slug.{extension}"), "first-slug\n");
        sandbox.expect(3, &review("slug", "--max-iterations 1"));
        let review = document(&sandbox, "w/copy/reviews/slug/iteration_01.reviewer_a.json");
        assert_eq!(review["issues"][0]["code"], "locked_selection", "{extension}");
        assert_eq!(review["verdict"], "changes_requested");
        let kept = sandbox.read(&format!("w/copy/selected/slug.{extension}"));
        assert_eq!(kept, "first-slug\n");
    }
}

#[test]
fn a_text_of_a_persons_own_in_the_selections_place_is_never_written_over() {
    let sandbox = scripted(&[formatted("new text\n", "plain"), agrees()]);
    sandbox.write("w/copy/selected/description.md", "my own\n");
    let told = sandbox.expect(6, &review("description", "--max-iterations 1"));
    assert!(told.err.contains("redraft adopt copy/selected/description.md"), "{}", told.err);
    assert_eq!(sandbox.read("w/copy/selected/description.md"), "my own\n");
}

#[test]
fn a_text_of_a_persons_own_can_be_adopted_and_is_then_the_selection() {
    let sandbox = scripted(&[formatted("new text\n", "plain"), objects("more")]);
    sandbox.expect(3, &review("mastodon", "--max-iterations 1"));
    sandbox.write("w/copy/selected/mastodon.txt", "my own\n");
    sandbox.expect(0, "adopt -w w copy/selected/mastodon.txt --by ann");
    let status = sandbox.json("podcast status -w w");
    let asset = status["assets"].as_array().unwrap().iter().find(|a| a["asset_id"] == "mastodon");
    assert_eq!(asset.unwrap()["selected_by"], "ann");
    assert_eq!(sandbox.read("w/copy/selected/mastodon.txt"), "my own\n");
    assert!(sandbox.expect(0, "repair -w w").out.contains("Every file is as the journal has it."));
}

#[test]
fn a_pick_does_not_write_over_a_text_of_a_persons_own() {
    let sandbox = scripted(&[formatted("new text\n", "plain"), objects("more")]);
    sandbox.expect(3, &review("mastodon", "--max-iterations 1"));
    sandbox.write("w/copy/selected/mastodon.txt", "my own\n");
    let listed = sandbox.json("podcast pick -w w --asset-id mastodon");
    let id = listed["candidates"][0]["candidate_id"].as_str().unwrap().to_owned();
    sandbox.expect(6, &format!("podcast pick -w w --asset-id mastodon --candidate-id {id}"));
    assert_eq!(sandbox.read("w/copy/selected/mastodon.txt"), "my own\n");
}

#[test]
fn a_markdown_heading_inside_a_slug_does_not_pass() {
    let sandbox = scripted(&[formatted("# my-slug\n", "markdown"), agrees()]);
    sandbox.expect(3, &review("slug", "--max-iterations 1"));
    let reviewed = document(&sandbox, "w/copy/reviews/slug/iteration_01.reviewer_a.json");
    assert_eq!(reviewed["verdict"], "changes_requested");
    assert_eq!(reviewed["issues"][0]["severity"], "error");
    refused(&sandbox, 3, &review("slug", "--max-iterations 1"), &["Outcome: needs_human"]);
}
