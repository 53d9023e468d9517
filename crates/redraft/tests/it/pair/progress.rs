//! What people see while a pair goes on: turns by their numbers, changes and checks by their figures.

use super::{
    counting::{repository, says},
    desk, paired,
};
use crate::{
    models::expect,
    provider::{Provider, Seen},
};

/// The lines about one task, without it.
fn progress<'a>(talk: &'a str, task: &str) -> Vec<&'a str> {
    talk.lines().filter_map(|line| line.strip_prefix(task)?.strip_prefix(": ")).collect()
}

#[test]
fn turns_are_told_by_their_numbers_and_the_proposal_stands_before_them() {
    let sandbox = desk();
    let ended = paired(&sandbox, &["--mock", "tidy up"]);
    let told = progress(&ended.err, "tidy up");
    assert_eq!(
        told[..8],
        [
            "propose: architect is asked (call 1)",
            "call 1: 46 characters",
            "turn 1: implement: builder is asked (call 2)",
            "call 2: 1 file, 5 lines in, 0 lines out",
            "turn 1: critique: architect is asked (call 3)",
            "call 3: 36 characters",
            "turn 1: verify: architect is asked (call 4)",
            "call 4: changes_requested",
        ],
        "{}",
        ended.err
    );
    assert!(told.contains(&"turn 2: implement: builder is asked (call 5)"), "{}", ended.err);
    assert!(!ended.err.contains("iteration"), "{}", ended.err);
}

#[test]
fn checks_are_run_and_not_asked() {
    let provider = Provider::new(|seen: &Seen| says(seen.model(), seen.nth));
    let sandbox = repository(&provider, 1);
    let pair = "pair Count. --repo repo --architect critic --builder writer --max-turns 1";
    let ended = expect(&sandbox, 4, &format!("{pair} --check true --check false"));
    let told = progress(&ended.err, "Count.");
    let at = told.iter().position(|line| *line == "turn 1: check: runs (call 3)").unwrap();
    assert_eq!(told[at - 1], "call 2: 1 file, 1 line in, 1 line out, 120 tokens");
    assert_eq!(told[at + 1], "call 3: 1 of 2 checks failing");
}

#[test]
fn a_solve_has_no_rounds_to_tell() {
    let sandbox = desk();
    sandbox.write("context.md", "Bees dance. The dance tells where flowers are.");
    let ended = sandbox.expect(0, "solve --context @context.md How-do-bees-tell?");
    let told = progress(&ended.err, "How-do-bees-tell?");
    assert_eq!(told[0], "plan: planner is asked (call 1)", "{}", ended.err);
    assert!(!ended.err.contains("iteration"), "{}", ended.err);
}
