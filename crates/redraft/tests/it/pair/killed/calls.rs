//! Kill -9 while somebody is asked: in each call of a run, with the program and its children still at work.

use super::{
    stage::{ASKED, Builder, Stage, check_converged},
    writes::check_goes_on,
};

fn check(builder: Builder, asked: &str) {
    let place = format!("{builder:?}, killed in {asked}");
    let stage = Stage::new(builder);
    stage.killed_at(asked, &[]);
    assert_eq!(stage.worktrees().len(), 2, "{place}: the worktree and what git keeps of it");
    check_goes_on(&stage, &place);
    let times = stage.asked().iter().filter(|one| *one == asked).count();
    assert_eq!(times, 2, "{place}: the call in flight is asked once more");
}

#[test]
fn killed_in_any_call_a_pair_goes_on_and_ends_what_was_left_at_work() {
    for asked in ASKED {
        check(Builder::Edits, asked);
    }
}

#[test]
fn killed_while_a_diff_is_awaited_a_pair_goes_on() {
    for asked in ["implement 1", "implement 2"] {
        check(Builder::Tells, asked);
    }
}

#[test]
fn a_call_that_was_cut_off_twice_waits_for_a_word_and_then_goes_on() {
    let stage = Stage::new(Builder::Edits);
    stage.killed_at("verify 1", &[]);
    stage.killed_at("verify 1", &[]);
    let ended = stage.again(&[]);
    assert_eq!((ended.code, ended.out.lines().last()), (3, Some("WAITING")), "{}", ended.err);
    assert!(ended.err.contains("--ask-again N allows it"), "{}", ended.err);
    assert_eq!(stage.asked().len(), 6, "nobody was asked");
    stage.check_clean("waiting");
    check_converged(&stage.again(&["--ask-again", "2"]), "allowed");
    assert_eq!(stage.asked().len(), ASKED.len() + 2);
    stage.check_clean("allowed");
}

#[test]
fn checks_that_were_cut_off_are_run_again_however_often() {
    let stage = Stage::new(Builder::Edits);
    for _ in 0..3 {
        stage.killed_at("check 1", &[]);
    }
    check_converged(&stage.again(&[]), "the fourth time");
    assert_eq!(stage.asked().len(), ASKED.len() + 3);
    stage.check_clean("the fourth time");
}
