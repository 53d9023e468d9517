//! Two pairs at once on one repository: each has a worktree of its own, and neither touches the other's.

use super::stage::{ASKED, Builder, Stage, check_converged};
use crate::sandbox::ended;
use std::{
    fs,
    process::{Command, Stdio},
};

fn piped(mut command: Command) -> Command {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn two_pairs_at_once_both_finish() {
    let stage = Stage::new(Builder::Edits);
    let words = stage.words(&[]);
    let other = [&["pair", "another task"], &words[2..]].concat();
    let start = |words: &[&str]| piped(stage.command(words)).spawn().unwrap();
    let both = [start(&words), start(&other)];
    for one in both {
        check_converged(&ended(&one.wait_with_output().unwrap()), "one of two");
    }
    assert_eq!(stage.asked().len(), 2 * ASKED.len());
    assert_eq!(stage.runs().len(), 2);
    stage.check_clean("two at once");
}

#[test]
fn a_pair_at_work_keeps_its_worktree_while_another_begins_and_ends() {
    let stage = Stage::new(Builder::Edits);
    // Gone on with by its own child when the other has ended.
    let mut held = stage.stopped_at("check 1", &[]);
    let words = stage.words(&[]);
    for task in ["another task", "a third"] {
        let ended = stage.play(&[&["pair", task], &words[2..]].concat());
        check_converged(&ended, task);
        assert_eq!(stage.worktrees().len(), 2, "{task}: the worktree of the first is left alone");
        assert!(held.try_wait().unwrap().is_none(), "{task}");
    }
    let ended = stage.again(&[]);
    assert!(ended.err.contains("is driven by another process, and left to it"), "{}", ended.err);
    check_converged(&ended, "the same task beside it");
    assert_eq!(stage.worktrees().len(), 2, "the worktree of the first is left alone");
    let place = fs::read_dir(stage.sandbox.join(".redraft/worktrees")).unwrap().next().unwrap();
    assert!(place.unwrap().path().join("answer.txt").exists());
    held.kill().unwrap();
    held.wait().unwrap();
    check_converged(&stage.again(&[]), "the first, killed");
    stage.check_clean("all four");
}
