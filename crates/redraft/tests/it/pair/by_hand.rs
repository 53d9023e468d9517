//! People as architect and builder: one short page, a plain answer, exit 3 while it is awaited.

use super::{
    ground::{desk_with_repository, git},
    last_line, paired,
};
use crate::sandbox::{Ended, Sandbox};
use std::fs;

const CHECK: &str = "grep -q 2 x";
const WORDS: [&str; 8] = [
    "make it 2",
    "--repo=repository",
    "--check",
    CHECK,
    "--architect",
    "human",
    "--builder",
    "human",
];

/// The whole change from 1 to this.
fn diff(to: &str) -> String {
    format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+{to}\n")
}

/// Runs the command, which has to wait for a page of this step, and gives the page.
fn waits(sandbox: &Sandbox, step: &str) -> String {
    let ended = paired(sandbox, &WORDS);
    assert_eq!((ended.code, last_line(&ended)), (3, "WAITING"), "{}", ended.err);
    assert!(!sandbox.join(".redraft/worktrees").exists(), "nothing stays while a person thinks");
    let (page, _) = sandbox.page_that_waits();
    assert!(page.contains(&format!(": {step} as ")), "{page}");
    assert!(page.lines().count() < 80 && !page.contains("JSON"), "{page}");
    page
}

fn answer(sandbox: &Sandbox, text: &str) {
    fs::write(sandbox.page_that_waits().1, text).unwrap();
}

fn runs(sandbox: &Sandbox) -> usize {
    sandbox.json("runs list")["runs"].as_array().unwrap().len()
}

#[test]
fn two_people_change_a_repository_in_plain_words_and_the_same_command_goes_on() {
    let sandbox = desk_with_repository();
    let commit = git(&sandbox, &["rev-parse", "HEAD"]);
    waits(&sandbox, "propose");
    answer(&sandbox, "Turn 1 into 2, in x.\n");
    let page = waits(&sandbox, "implement");
    assert!(page.contains("Turn 1 into 2, in x.") && page.contains(&format!("git diff {commit}")));
    answer(&sandbox, &format!("It is 3 now.\n\n```diff\n{}```\n", diff("3")));
    let page = waits(&sandbox, "critique");
    assert!(page.contains("+3\n") && page.contains("grep -q 2 x: exit code 1"), "{page}");
    answer(&sandbox, "It is wrong.\n\n- (x) it has to be 2\n- warning (x): no newline before it\n");
    let page = waits(&sandbox, "verify");
    assert!(page.contains("It is wrong.") && page.contains("+3\n"), "{page}");
    answer(&sandbox, "rejected\n");
    let page = waits(&sandbox, "implement");
    for told in [
        "It is wrong.",
        "check-1  open  error: grep -q 2 x: exit code 1\n",
        "t1-1  open  error: (x) it has to be 2\n",
        "t1-2  open  warning (x): no newline before it\n",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    answer(&sandbox, &format!("disputed: t1-2 there is nothing before it\n{}", diff("2")));
    let page = waits(&sandbox, "critique");
    assert!(page.contains("    disputed: there is nothing before it\n"), "{page}");
    answer(&sandbox, "Well.\nfixed: t1-1\nfixed: t1-2 indeed\n");
    waits(&sandbox, "verify");
    answer(&sandbox, "verified\n\nIt is 2.\n");
    let Ended { code, out, err } = paired(&sandbox, &WORDS);
    assert_eq!(code, 0, "{err}");
    assert!(out.ends_with("-1\n+2\nCONVERGED\n"), "{out}");
    assert_eq!((runs(&sandbox), sandbox.read("repository/x").as_str()), (1, "1\n"));
    assert_eq!(git(&sandbox, &["worktree", "list"]).lines().count(), 1);
}

#[test]
fn what_is_no_answer_is_waited_for_and_what_git_refuses_is_asked_for_again() {
    let sandbox = desk_with_repository();
    waits(&sandbox, "propose");
    answer(&sandbox, "Turn 1 into 2.\n");
    waits(&sandbox, "implement");
    let (_, place) = sandbox.page_that_waits();
    fs::write(&place, "I would make it 2.\n").unwrap();
    let ended = paired(&sandbox, &WORDS);
    assert_eq!((ended.code, last_line(&ended)), (3, "WAITING"), "{}", ended.err);
    assert!(ended.err.contains("it has no diff; write the whole change"), "{}", ended.err);
    fs::write(&place, diff("2").replace("-1", "-7")).unwrap();
    let page = waits(&sandbox, "implement");
    assert!(page.contains("## Your reply\n") && page.contains("\n-7\n+2\n"), "{page}");
    assert!(page.contains("patch does not apply"), "{page}");
    answer(&sandbox, &diff("2"));
    assert!(waits(&sandbox, "critique").contains("grep -q 2 x: passed"));
    assert_eq!(runs(&sandbox), 1);
}
