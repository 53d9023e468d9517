//! Golden journals: facts written by earlier versions, which must replay for ever.
//!
//! Never edit a file in `golden/`. A new version of the format adds files of its own:
//! `REDRAFT_WRITE_GOLDEN=1 cargo test -p redraft-loop golden` writes those that are missing.

use crate::play::{Stage, play};
use crate::shapes::{gates, pair, panel_review, review, solve};
use redraft_loop::{Action, Fact, Run};
use std::{fs, path::PathBuf};

fn check(name: &str, ending: &str, write: impl FnOnce() -> Stage) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.jsonl"));
    if !path.exists() && std::env::var_os("REDRAFT_WRITE_GOLDEN").is_some() {
        fs::write(&path, write().journal.join("\n") + "\n").unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    let facts: Vec<Fact> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rewritten: Vec<String> = facts.iter().map(|f| serde_json::to_string(f).unwrap()).collect();
    assert_eq!(rewritten, text.lines().collect::<Vec<_>>(), "facts are written as they were read");
    match Run::replay(facts).unwrap().next() {
        Action::Done(exit) => assert_eq!(exit.reason, ending),
        other => assert_eq!(format!("{other:?}"), ending),
    }
}

#[test]
fn golden_v1_a_review_with_every_kind_of_trouble() {
    check("v1-review", "reviewer_ok_and_creator_done", || {
        let lines = [
            "create: fails",
            "create: v1",
            "driver: dies",
            "review: mumbles hm",
            "review: change more",
            "limits: rounds 4",
            "create: v2 done",
            "review: warn short",
        ];
        play(&review(3), &lines)
    });
}

#[test]
fn golden_v1_a_panel() {
    check("v1-panel", "iteration_limit", || {
        play(&panel_review(1, &["anna", "ben"]), &["create: v1", "ben: human", "anna: ok"])
    });
}

#[test]
fn golden_v1_an_answer_criticised_by_the_fallback() {
    check("v1-solve", "no_open_blocker", || {
        let lines = [
            "workflow: problem",
            "plan: p",
            "generate: a",
            "critique: breaks",
            "workflow: ok",
            "workflow: answer",
        ];
        play(&solve(6), &lines)
    });
}

#[test]
fn golden_v1_architect_and_builder_in_circles() {
    check("v1-pair", "NO_IMPROVEMENT", || {
        let lines = [
            "propose: p",
            "implement: d1",
            "check: ok",
            "critique: c",
            "verify: change x",
            "implement: d1",
        ];
        play(&pair(3), &lines)
    });
}

#[test]
fn golden_v1_gates() {
    check("v1-gates", "approved", || {
        let lines = [
            "plan: p",
            "person: rejects too long",
            "plan: p2",
            "person: approves",
            "person: edits the file changed",
            "person: approves",
            "person: passes",
            "generate: g",
            "person: approves",
            "person: passes",
            "review: ok",
            "person: approves",
            "person: passes",
        ];
        play(&gates(3), &lines)
    });
}
