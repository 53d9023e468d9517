//! A locked selection stays locked until a person lets it go, and locks again once something is selected anew.

use super::check_clean;
use crate::{
    sandbox::Sandbox,
    scene::{
        agrees, asset, document, draft, formatted, objects, refused, review, script, scripted,
    },
};
use serde_json::{Value, json};

const LOCKED: &str = "slug: its selection stays locked; --release-selection lets it go";

/// A workspace whose slug is agreed on and selected, and whose script agrees on another one.
fn agreed() -> Sandbox {
    let sandbox = scripted(&[formatted("first-slug\n", "plain"), agrees()]);
    sandbox.expect(0, &review("slug", ""));
    script(&sandbox, &[formatted("other-slug\n", "plain"), agrees()]);
    sandbox
}

fn reopen(reason: &str, more: &str) -> String {
    review("slug", &format!("--reopen --reason {reason} {more}"))
}

/// The issues' codes of an iteration's review.
fn codes(sandbox: &Sandbox, iteration: u32) -> Vec<Value> {
    let path = format!("w/copy/reviews/slug/iteration_{iteration:02}.reviewer_a.json");
    let issues = document(sandbox, &path)["issues"].clone();
    issues.as_array().unwrap().iter().map(|issue| issue["code"].clone()).collect()
}

fn pick(sandbox: &Sandbox, candidate: usize) {
    let id = asset(sandbox, "slug")["candidates"][candidate]["candidate_id"].clone();
    let id = id.as_str().unwrap();
    sandbox.expect(0, &format!("podcast pick -w w --asset-id slug --candidate-id {id} --by Bo"));
}

fn selected(sandbox: &Sandbox) -> String {
    sandbox.read("w/copy/selected/slug.txt")
}

#[test]
fn reopening_alone_leaves_the_selection_locked() {
    let sandbox = agreed();
    let ended = sandbox.expect(3, &reopen("shorter", "--max-iterations 2"));
    assert!(ended.err.contains(LOCKED), "{}", ended.err);
    assert_eq!(codes(&sandbox, 2), ["locked_selection"]);
    assert_eq!(selected(&sandbox), "first-slug\n");
    check_clean(&sandbox, "locked");
}

#[test]
fn a_selection_that_was_let_go_is_replaced_and_the_new_one_is_locked() {
    let sandbox = agreed();
    let ended = sandbox.expect(0, &reopen("shorter", "--release-selection"));
    assert!(!ended.err.contains(LOCKED), "{}", ended.err);
    assert_eq!(codes(&sandbox, 2), Vec::<Value>::new());
    assert_eq!(selected(&sandbox), "other-slug\n");
    let kept = asset(&sandbox, "slug");
    assert_eq!(kept["selected_candidate_id"], kept["candidates"][1]["candidate_id"]);
    check_clean(&sandbox, "let go");
    script(&sandbox, &[formatted("third-slug\n", "plain"), agrees()]);
    sandbox.expect(3, &reopen("again", "--max-iterations 3"));
    assert_eq!(codes(&sandbox, 3), ["locked_selection"]);
    assert_eq!(selected(&sandbox), "other-slug\n");
}

#[test]
fn letting_go_alone_changes_no_file_and_no_outcome() {
    let sandbox = agreed();
    let told = ["Outcome: converged (reviewer_ok_and_creator_done)", "copy/selected/slug.txt"];
    for _ in ["the first time", "again"] {
        refused(&sandbox, 0, &review("slug", "--release-selection --by Bo"), &told);
    }
    let told = ["Selection: let go by Bo; it stays until something is selected anew"];
    refused(&sandbox, 0, "podcast status -w w", &told);
    assert_eq!(sandbox.json("podcast status -w w")["assets"][0]["released_by"], "Bo");
    // It holds for the next review, whenever that is.
    sandbox.expect(0, &reopen("shorter", ""));
    assert_eq!(selected(&sandbox), "other-slug\n");
    assert_eq!(sandbox.json("podcast status -w w")["assets"][0]["released_by"], Value::Null);
}

#[test]
fn a_selection_that_was_let_go_stays_while_nothing_is_agreed_on() {
    let sandbox = agreed();
    script(&sandbox, &[draft("b\n"), objects("no"), draft("c\n"), objects("no")]);
    let before = asset(&sandbox, "slug")["selected_candidate_id"].clone();
    sandbox.expect(3, &reopen("shorter", "--release-selection --max-iterations 2"));
    assert_eq!(selected(&sandbox), "first-slug\n");
    assert_eq!(asset(&sandbox, "slug")["selected_candidate_id"], before);
    check_clean(&sandbox, "no agreement");
    // Nothing is selected anew, so it is still let go.
    script(&sandbox, &[formatted("other-slug\n", "plain"), agrees()]);
    sandbox.expect(0, &reopen("again", ""));
    assert_eq!(selected(&sandbox), "other-slug\n");
}

#[test]
fn a_pick_that_was_let_go_gives_way_to_what_is_agreed_on_next() {
    let mut first = formatted("first-slug\n", "plain");
    first["creator"]["done"] = json!(false);
    let sandbox = scripted(&[first, objects("no"), formatted("other-slug\n", "plain"), agrees()]);
    sandbox.expect(5, &review("slug", "--max-calls 2"));
    pick(&sandbox, 0);
    // In the open run, without reopening anything.
    sandbox.expect(0, &review("slug", "--release-selection --max-calls 9"));
    assert_eq!(selected(&sandbox), "other-slug\n");
    let kept = asset(&sandbox, "slug");
    assert_eq!(kept["selected_candidate_id"], kept["candidates"][1]["candidate_id"]);
    check_clean(&sandbox, "the pick was let go");
}

#[test]
fn letting_a_pick_go_does_not_bring_back_what_was_agreed_on_before_it() {
    let sandbox = agreed();
    sandbox.expect(0, &reopen("shorter", "--release-selection"));
    pick(&sandbox, 0);
    assert_eq!(selected(&sandbox), "first-slug\n");
    let told = sandbox.expect(0, &review("slug", ""));
    assert!(told.out.contains("Outcome: selected by Bo"), "{}", told.out);
    let told = sandbox.expect(0, &review("slug", "--release-selection"));
    assert!(told.out.contains("Outcome: converged"), "{}", told.out);
    assert_eq!(selected(&sandbox), "first-slug\n");
    let kept = asset(&sandbox, "slug");
    assert_eq!(kept["selected_candidate_id"], kept["candidates"][0]["candidate_id"]);
    check_clean(&sandbox, "the pick was let go");
}

#[test]
fn a_pick_made_after_letting_go_locks_again() {
    let sandbox = agreed();
    sandbox.expect(0, &review("slug", "--release-selection"));
    pick(&sandbox, 0);
    sandbox.expect(3, &reopen("shorter", "--max-iterations 2"));
    assert_eq!(codes(&sandbox, 2), ["locked_selection"]);
}

#[test]
fn where_no_selection_is_locked_there_is_none_to_let_go() {
    let sandbox = scripted(&[formatted("first-slug\n", "plain"), agrees()]);
    let told = ["slug: nothing is selected, so there is no selection to let go"];
    refused(&sandbox, 2, &review("slug", "--release-selection"), &told);
    sandbox.expect(0, &review("description", ""));
    let told = ["description: its selection is never locked"];
    refused(&sandbox, 2, &review("description", "--release-selection"), &told);
    let all = "podcast review -w w --script script.json --all --release-selection";
    refused(&sandbox, 2, all, &["there is none to let go"]);
}

#[test]
fn a_text_of_a_persons_own_is_not_let_go_before_it_is_adopted() {
    let sandbox = scripted(&[formatted("other-slug\n", "plain"), agrees()]);
    sandbox.write("w/copy/selected/slug.txt", "my-own\n");
    let words = review("slug", "--release-selection");
    let told = sandbox.expect(6, &words);
    assert!(told.err.contains("redraft adopt copy/selected/slug.txt"), "{}", told.err);
    // It is as locked as before.
    sandbox.expect(3, &review("slug", "--max-iterations 1"));
    assert_eq!(codes(&sandbox, 1), ["locked_selection"]);
    assert_eq!(selected(&sandbox), "my-own\n");
    sandbox.expect(0, "adopt -w w copy/selected/slug.txt");
    sandbox.expect(0, &reopen("shorter", "--release-selection"));
    assert_eq!(selected(&sandbox), "other-slug\n");
    let kept = asset(&sandbox, "slug")["candidates"].clone();
    let texts: Vec<&Value> = kept.as_array().unwrap().iter().map(|c| &c["content"]).collect();
    assert_eq!(texts, ["my-own\n", "other-slug\n", "other-slug\n"]);
}

#[test]
fn a_text_put_beside_a_selection_that_was_let_go_is_not_written_over() {
    let sandbox = agreed();
    sandbox.expect(0, &review("slug", "--release-selection"));
    sandbox.write("w/copy/selected/slug.md", "my-own\n");
    refused(&sandbox, 6, &reopen("shorter", ""), &["redraft adopt copy/selected/slug.md"]);
    sandbox.expect(0, "adopt -w w copy/selected/slug.md");
    assert_eq!(sandbox.json("podcast status -w w")["assets"][0]["closed"], json!([]));
    let ended = sandbox.expect(3, &reopen("shorter", "--max-iterations 2"));
    assert!(ended.err.contains(LOCKED), "an adopted text is locked: {}", ended.err);
    assert_eq!(sandbox.read("w/copy/selected/slug.md"), "my-own\n");
}
