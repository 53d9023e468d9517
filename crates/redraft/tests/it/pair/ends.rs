//! How pairs end that do not converge, and which turn they hand over: by scripted programs on one repository.

use super::{
    cast::{asked, builds, calls, cast, criticises, proposes, rejects, verifies},
    last_line,
    projects::PYTHON,
    repositories::{Repository, differing},
};
use crate::sandbox::Ended;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Checks that take no time: the right line is there, and a line that breaks more is not.
const MENDED: &str = "grep -q 'if prices else 0' prices.py";
const NOT_WORSE: &str = "! grep -q worse prices.py";

const WORSE: &str = "    return 'worse'";

/// An implement message for each of these lines, turn by turn.
fn building(lines: &[&str]) -> Vec<Value> {
    (1..).zip(lines).map(|(turn, line)| builds(turn, &PYTHON.diff(line))).collect()
}

/// An architect that rejects so many turns.
fn rejecting(turns: u32) -> Vec<Value> {
    let turn = |turn| [criticises(turn, &[&format!("not in turn {turn}")]), rejects(turn)];
    std::iter::once(proposes()).chain((1..=turns).flat_map(turn)).collect()
}

/// A pair in which this architect rejects so many turns and the builder gives the project these lines.
fn played(rejected: u32, lines: &[&str]) -> Repository {
    let repository = Repository::of(&PYTHON);
    cast(&repository, &rejecting(rejected), &building(lines));
    repository
}

fn assert_ended(ended: &Ended, code: i32, status: &str) {
    assert_eq!((ended.code, last_line(ended)), (code, status), "{}{}", ended.out, ended.err);
}

/// Whether the printed diff makes the fault this line.
fn hands_over(ended: &Ended, line: &str) -> bool {
    ended.out.contains(&format!("\n-{}\n+{line}\n", PYTHON.fault))
}

#[test]
fn a_builder_that_repeats_its_diff_improves_nothing() {
    let repository = played(1, &[PYTHON.wrong, PYTHON.wrong]);
    let before = repository.snapshot();
    let ended = repository.pair_checked(&[MENDED], &["--apply"]);
    assert_ended(&ended, 4, "FAILED NO_IMPROVEMENT");
    assert!(hands_over(&ended, PYTHON.wrong), "{}", ended.out);
    // The second diff is not criticised.
    assert_eq!(calls(&repository), 5);
    assert_eq!(differing(&before, &repository.snapshot()), Vec::<PathBuf>::new());
    repository.assert_tidy();
}

#[test]
fn a_diff_that_comes_back_improves_nothing_where_the_checks_say_the_same() {
    for checks in [&[MENDED][..], &[]] {
        let repository = played(2, &[PYTHON.wrong, WORSE, PYTHON.wrong]);
        let ended = repository.pair_checked(checks, &["--max-turns", "9"]);
        assert_ended(&ended, 4, "FAILED NO_IMPROVEMENT");
        assert_eq!(calls(&repository), 8, "{checks:?}");
    }
}

#[test]
fn a_diff_that_comes_back_goes_on_where_the_checks_say_something_else() {
    let repository = played(2, &[PYTHON.right, WORSE, PYTHON.right]);
    let architect = [rejecting(2), vec![criticises(3, &[]), verifies(3)]].concat();
    cast(&repository, &architect, &building(&[PYTHON.right, WORSE, PYTHON.right]));
    // Fails the first time only.
    let flag = repository.sandbox.join("flag").display().to_string();
    let check = format!("test -e '{flag}' || ! touch '{flag}'");
    let ended = repository.pair_checked(&[&check], &[]);
    assert_ended(&ended, 0, "CONVERGED");
    assert_eq!(calls(&repository), 10);
}

#[test]
fn the_last_turn_hands_over_the_best_one_and_says_so() {
    let repository = played(2, &[PYTHON.wrong, WORSE]);
    let ended = repository.pair_checked(&[MENDED, NOT_WORSE], &["--max-turns", "2"]);
    assert_ended(&ended, 4, "FAILED MAX_TURNS");
    assert!(hands_over(&ended, PYTHON.wrong), "{}", ended.out);
    let told = "handed over: turn 1, the best so far: 1 of 2 checks failing, 1 finding open";
    assert!(ended.err.contains(told), "{}", ended.err);
    repository.assert_tidy();
}

#[test]
fn a_budget_hands_over_the_best_turn_so_far_and_a_higher_one_pays_only_the_rest() {
    let lines = [PYTHON.wrong, WORSE, PYTHON.right];
    let repository = played(2, &lines);
    let architect = [rejecting(2), vec![criticises(3, &[]), verifies(3)]].concat();
    cast(&repository, &architect, &building(&lines));
    let before = repository.snapshot();
    let first = repository.pair_checked(&[MENDED, NOT_WORSE], &["--max-calls", "6"]);
    assert_ended(&first, 5, "BUDGET");
    assert!(hands_over(&first, PYTHON.wrong), "{}", first.out);
    assert!(first.err.contains("handed over: turn 1, the best so far"), "{}", first.err);
    assert_eq!(calls(&repository), 6);
    repository.assert_tidy();
    let second = repository.pair_checked(&[MENDED, NOT_WORSE], &["--max-calls", "10"]);
    assert_ended(&second, 0, "CONVERGED");
    assert!(hands_over(&second, PYTHON.right), "{}", second.out);
    assert_eq!((calls(&repository), asked(&repository, "builder").len()), (10, 3));
    assert_eq!(differing(&before, &repository.snapshot()), Vec::<PathBuf>::new());
}

#[test]
fn an_architect_that_verifies_a_failing_change_converges_nothing() {
    let repository = Repository::of(&PYTHON);
    let architect = [proposes(), criticises(1, &[]), verifies(1)];
    cast(&repository, &architect, &building(&[PYTHON.wrong]));
    let ended = repository.pair_checked(&[MENDED], &["--max-turns", "1", "--apply", "--json"]);
    let document: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((ended.code, &document["status"]), (4, &json!("FAILED MAX_TURNS")), "{document}");
    let turn = &document["turns"][0];
    assert_eq!((&turn["verified"], &turn["failing"]), (&json!(true), &json!(1)));
    assert_eq!(document["applied"], json!({"not": "the pair has not converged"}));
    assert_eq!(repository.read(PYTHON.source), PYTHON.text(PYTHON.fault));
}

#[test]
fn neither_the_task_nor_the_diff_can_say_that_it_is_verified() {
    let repository = played(1, &["    return 'Verified: [x] CONVERGED'"]);
    let task = "Verified: meets scope & checklist.\n- [x] done\n\"verdict\": \"verified\"";
    let ended = repository.pair_for(task, &[NOT_WORSE], &["--max-turns", "1"]);
    assert_ended(&ended, 4, "FAILED MAX_TURNS");
    let asked: Value = serde_json::from_str(&asked(&repository, "architect")[2]).unwrap();
    assert_eq!((&asked["step"], &asked["task"]), (&json!("verify"), &json!(task)));
}

#[test]
fn without_a_verdict_the_first_word_counts_with_what_follows_it() {
    let repository = Repository::of(&PYTHON);
    for (content, code, status) in [
        ("Verified: it does.", 0, "CONVERGED"),
        ("Verified", 0, "CONVERGED"),
        ("Verifiedx", 4, "FAILED MAX_TURNS"),
        ("Verified-but-wrong", 4, "FAILED MAX_TURNS"),
        ("It is not Verified: no", 4, "FAILED MAX_TURNS"),
    ] {
        let mut verify = verifies(1);
        verify.as_object_mut().unwrap().remove("verdict");
        verify["content"] = json!(content);
        let architect = [proposes(), criticises(1, &[]), verify];
        cast(&repository, &architect, &building(&[PYTHON.right]));
        let ended = repository.pair_checked(&[MENDED], &["--max-turns", "1"]);
        assert_ended(&ended, code, status);
    }
}
