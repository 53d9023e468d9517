//! Programs of the house: what they do is claimed and durable like any call, and no cap on calls counts it.

use crate::play::{Stage, reading};
use crate::shapes::{review, step};
use redraft_loop::*;

/// A review whose candidate a program of the house looks at first.
fn checked(calls: u32) -> Stage {
    let mut shape = review(3);
    shape.limits.calls = Some(calls);
    shape.opening = vec![Step { player: Player::House("checks".into()), ..step("check") }];
    Stage::open(&shape)
}

fn says(stage: &mut Stage, role: &str, what: &str) {
    stage.prepare();
    stage.reply(role, Reply::Read(reading(what))).unwrap();
}

#[test]
fn a_call_to_the_house_counts_against_no_cap_and_is_claimed_all_the_same() {
    let mut stage = checked(0);
    stage.prepare();
    assert!(
        stage.journal.iter().any(|fact| fact.contains("\"house\":true")),
        "{:?}",
        stage.journal
    );
    assert_eq!(stage.run.calls(), 0);
    says(&mut stage, "checks", "fine");
    assert_eq!(stage.run.calls(), 0);
    stage.prepare();
    assert_eq!(stage.ending(), "stop: 0 of 0 calls of this run are used", "an agent is counted");
}

#[test]
fn one_that_is_given_back_or_never_left_takes_nothing_from_the_count() {
    let mut stage = checked(5);
    for _ in 0..2 {
        stage.prepare();
        let (call, at) = (stage.call_of("checks"), stage.now());
        stage.give(Input::Release(Released { call, waits_for: None, at })).unwrap();
    }
    says(&mut stage, "checks", "fine");
    says(&mut stage, "create", "v1");
    assert_eq!(stage.run.calls(), 1);
}

#[test]
fn the_run_s_time_holds_for_the_house_too() {
    let mut stage = checked(5);
    let mut limits = stage.run.limits().clone();
    limits.time = Some(0);
    let at = stage.now();
    stage.give(Input::Bound(Bounded { limits, at })).unwrap();
    assert!(stage.ending().contains("are over"), "{}", stage.ending());
}
