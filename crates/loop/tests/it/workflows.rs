//! How the other workflows of the design go: answers, architect and builder, gates.

use crate::play::{check, play};
use crate::shapes::{gates, pair, solve};
use redraft_loop::*;

#[test]
fn an_answer_is_criticised_and_assembled() {
    let lines = ["workflow: problem", "plan: p", "generate: a", "critique: ok", "workflow: answer"];
    check(&solve(6), &lines, "converged: no_open_blocker");
}

#[test]
fn a_criticised_answer_is_revised_once() {
    let lines = [
        "workflow: problem",
        "plan: p",
        "generate: a",
        "critique: change x",
        "generate: b",
        "critique: change y",
        "workflow: answer",
    ];
    check(&solve(6), &lines, "ended: revised_once");
}

#[test]
fn the_critics_call_is_kept_however_often_the_writer_fails() {
    let lines = ["workflow: problem", "plan: p", "generate: fails"];
    check(
        &solve(3),
        &lines,
        "stop: 2 of 3 calls of this run are used and 1 is kept for later steps",
    );
}

#[test]
fn a_failed_critic_is_played_by_the_workflow() {
    let lines = [
        "workflow: problem",
        "plan: p",
        "generate: a",
        "critique: breaks",
        "workflow: ok",
        "workflow: answer",
    ];
    check(&solve(6), &lines, "converged: no_open_blocker");
}

#[test]
fn without_a_call_left_the_revision_is_not_criticised_again() {
    let lines = [
        "workflow: problem",
        "plan: p",
        "generate: a",
        "critique: change x",
        "generate: b",
        "critique: change y",
        "workflow: answer",
    ];
    check(&solve(5), &lines, "ended: revised_once");
    let short =
        ["workflow: problem", "plan: p", "generate: fails", "generate: a", "critique: change x"];
    check(
        &solve(5),
        &short,
        "stop: 4 of 5 calls of this run are used and 1 is kept for later steps",
    );
}

#[test]
fn architect_and_builder_converge_when_verified_and_green() {
    let lines = [
        "propose: plan",
        "implement: d1",
        "check: change red",
        "critique: add",
        "verify: change no",
        "implement: d2",
        "check: ok",
        "critique: fine",
        "verify: ok",
    ];
    check(&pair(3), &lines, "converged: CONVERGED");
}

#[test]
fn a_failing_check_blocks_whatever_the_architect_says() {
    let lines = ["propose: p", "implement: d1", "check: change red", "critique: c", "verify: ok"];
    check(&pair(1), &lines, "ended: MAX_TURNS");
}

#[test]
fn the_same_diff_twice_is_no_improvement() {
    let lines = [
        "propose: p",
        "implement: d1",
        "check: ok",
        "critique: c",
        "verify: change x",
        "implement: d1",
    ];
    check(&pair(3), &lines, "ended: NO_IMPROVEMENT");
}

#[test]
fn a_diff_that_comes_back_with_the_same_results_is_no_improvement() {
    let lines = [
        "propose: p",
        "implement: a",
        "check: change red",
        "critique: c",
        "verify: change x",
        "implement: b",
        "check: change red",
        "critique: c",
        "verify: change x",
        "implement: a",
        "check: change red",
    ];
    check(&pair(9), &lines, "ended: NO_IMPROVEMENT");
}

#[test]
fn each_step_waits_for_a_person() {
    check(&gates(3), &["plan: p"], "gate: plan");
    check(&gates(3), &["plan: p", "person: approves"], "approved: plan");
    let lines = [
        "plan: p",
        "person: approves",
        "person: passes",
        "generate: g",
        "person: approves",
        "person: passes",
        "review: ok",
        "person: approves",
        "person: passes",
    ];
    check(&gates(3), &lines, "converged: approved");
}

#[test]
fn a_rejected_turn_is_played_again_with_the_feedback() {
    let stage = play(&gates(3), &["plan: p", "person: rejects too long"]);
    assert_eq!(stage.run.feedback(), Some("too long"));
    assert_eq!(stage.run.next(), Action::Await(vec![CallId(2)]));
}

#[test]
fn an_edit_after_approval_voids_it() {
    let lines = ["plan: p", "person: approves", "person: edits the file changed"];
    check(&gates(3), &lines, "gate: plan");
}

#[test]
fn an_edit_before_approval_is_what_counts() {
    let mut lines = vec!["plan: p", "person: approves", "person: passes", "generate: g"];
    lines.extend(["person: approves", "person: passes", "review: change x"]);
    lines.extend(["person: approves ok", "person: passes"]);
    check(&gates(3), &lines, "converged: approved");
}

#[test]
fn revisions_are_bounded() {
    let pass = ["person: approves", "person: passes"];
    let mut lines = vec!["plan: p"];
    lines.extend(pass);
    for said in ["generate: g", "review: change x", "revise: r", "review: change y"] {
        lines.push(said);
        lines.extend(pass);
    }
    check(&gates(2), &lines, "needs_human: iteration_limit");
}
