//! Tokens, money and time of a run: reserved before a call, settled by what its result tells.

use crate::play::{Stage, reading};
use crate::shapes::review;
use redraft_loop::*;

fn stage(tokens: Option<u64>, cost: Option<u64>, time: Option<i64>) -> Stage {
    let mut shape = review(3);
    (shape.limits.tokens, shape.limits.cost, shape.limits.time) = (tokens, cost, time);
    let mut stage = Stage::open(&shape);
    stage.reserve = Amount { tokens: 100, cost: Some(1_000_000) };
    stage
}

fn replied(stage: &mut Stage, role: &str, what: &str, used: Option<(u64, u64)>) {
    stage.prepare();
    let usage = used.map(|(tokens, _)| Usage { input_tokens: tokens - 10, output_tokens: 10 });
    let (call, at) = (stage.call_of(role), stage.now());
    let reply = Reply::Read(reading(what));
    let cost = used.map(|(_, cost)| cost);
    stage.give(Input::Reply(Replied { call, at, reply, usage, cost, served: None })).unwrap();
}

#[test]
fn a_reservation_gives_way_to_what_was_used() {
    let mut stage = stage(None, None, None);
    stage.prepare();
    assert_eq!(stage.run.spent(), Spent { tokens: 100, cost: 1_000_000, unpriced: 0 });
    replied(&mut stage, "create", "v1", Some((30, 400)));
    assert_eq!(stage.run.spent(), Spent { tokens: 30, cost: 400, unpriced: 0 });
}

#[test]
fn what_nobody_tells_stays_charged_as_reserved() {
    let mut stage = stage(None, None, None);
    replied(&mut stage, "create", "v1", None);
    assert_eq!(stage.run.spent(), Spent { tokens: 100, cost: 1_000_000, unpriced: 0 });
}

#[test]
fn a_call_that_a_crash_cut_off_stays_charged_when_it_is_asked_again() {
    let mut stage = stage(None, None, None);
    stage.prepare();
    stage.drive();
    replied(&mut stage, "create", "v1", Some((30, 400)));
    assert_eq!(stage.run.spent(), Spent { tokens: 130, cost: 1_000_400, unpriced: 0 });
}

#[test]
fn a_claim_that_never_left_costs_nothing() {
    let mut stage = stage(None, None, None);
    stage.prepare();
    let (call, at) = (stage.call_of("create"), stage.now());
    stage.give(Input::Release(Released { call, waits_for: None, at })).unwrap();
    assert_eq!(stage.run.spent(), Spent::default());
}

#[test]
fn a_call_that_might_exceed_the_tokens_is_not_claimed() {
    let mut stage = stage(Some(129), None, None);
    replied(&mut stage, "create", "v1", Some((30, 400)));
    stage.prepare();
    assert_eq!(
        stage.ending(),
        "stop: 30 of 129 tokens of this run are used, and the next call may use 100"
    );
}

#[test]
fn a_call_that_might_exceed_the_money_is_not_claimed() {
    let mut stage = stage(None, Some(1_000_399), None);
    replied(&mut stage, "create", "v1", Some((30, 400)));
    stage.prepare();
    assert_eq!(
        stage.ending(),
        "stop: $0.0004 of $1.000399 of this run are used, and the next call may cost $1.00"
    );
}

#[test]
fn a_higher_cap_lets_the_run_go_on() {
    let mut stage = stage(Some(99), None, None);
    stage.prepare();
    assert!(stage.ending().starts_with("stop: 0 of 99 tokens"));
    let limits = Limits { tokens: Some(100), ..stage.run.limits().clone() };
    let at = stage.now();
    stage.drive();
    stage.give(Input::Bound(Bounded { limits, at })).unwrap();
    stage.prepare();
    assert_eq!(stage.ending(), "waits for 1 calls");
}

#[test]
fn an_unknown_price_is_refused_under_a_cap_on_money_only() {
    let mut open = stage(None, None, None);
    open.reserve = Amount { tokens: 100, cost: None };
    replied(&mut open, "create", "v1", None);
    assert_eq!(open.run.spent(), Spent { tokens: 100, cost: 0, unpriced: 1 });
    let mut capped = stage(None, Some(u64::MAX), None);
    capped.reserve = Amount { tokens: 100, cost: None };
    capped.prepare();
    assert!(capped.ending().contains("price is unknown"), "{}", capped.ending());
}

#[test]
fn time_counts_while_a_driver_is_at_work_and_not_between_drivers() {
    let mut stage = stage(None, None, Some(1_000_000));
    replied(&mut stage, "create", "v1", None);
    let late = Time(3_600_000_000);
    stage.give(Input::Drive(Driven { epoch: Epoch(2), at: late })).unwrap();
    assert!(stage.run.time_left().unwrap() > 999_000);
    let at = Time(late.0 + 1_000_001);
    stage.give(Input::Interrupt(Interrupted { at })).unwrap();
    stage.give(Input::Drive(Driven { epoch: Epoch(3), at })).unwrap();
    assert_eq!(stage.run.time_left(), Some(0));
    assert_eq!(stage.ending(), "stop: the 1 s that may be spent on this run are over");
}

#[test]
fn of_a_driver_that_was_killed_only_what_facts_witness_is_counted() {
    let mut stage = stage(None, None, Some(10_000_000));
    replied(&mut stage, "create", "v1", None);
    stage.prepare();
    let witnessed = 10_000_000 - stage.run.time_left().unwrap();
    assert!(witnessed > 0);
    // When it was killed, and for how long nobody was at work, no fact says.
    for (epoch, minutes) in [(2, 1), (3, 600)] {
        let at = Time(minutes * 60_000_000);
        stage.give(Input::Drive(Driven { epoch: Epoch(epoch), at })).unwrap();
        assert_eq!(stage.run.time_left(), Some(10_000_000 - witnessed));
    }
}

/// A review whose time counts from its opening, at so many seconds after its first reply.
fn since_opened(seconds: i64) -> Stage {
    let mut shape = review(3);
    (shape.limits.time, shape.timing) = (Some(10_000_000), Timing::SinceOpened);
    let mut stage = Stage::open(&shape);
    replied(&mut stage, "create", "v1", None);
    let at = Time(stage.now().0 + seconds * 1_000_000);
    stage.give(Input::Drive(Driven { epoch: Epoch(2), at })).unwrap();
    stage
}

#[test]
fn time_since_the_opening_counts_also_while_nobody_drives() {
    let mut in_time = since_opened(8);
    assert!((1..=2_000_000).contains(&in_time.run.time_left().unwrap()));
    replied(&mut in_time, "review", "ok", None);
    let mut stage = since_opened(11);
    assert_eq!(stage.run.time_left(), Some(0));
    let told = "stop: the 10 s that may be spent on this run are over: it was interrupted, and nobody drove it for 11 s";
    assert_eq!(stage.ending(), told);
}

#[test]
fn waiting_for_a_person_takes_none_of_the_time_since_the_opening() {
    let mut stage = since_opened(1);
    let left = stage.run.time_left();
    stage.prepare();
    let (call, at) = (stage.call_of("review"), stage.run.now());
    let waits_for = Some("a response".to_owned());
    stage.give(Input::Release(Released { call, waits_for, at })).unwrap();
    let at = Time(at.0 + 86_400_000_000);
    stage.give(Input::Drive(Driven { epoch: Epoch(3), at })).unwrap();
    assert!(left.unwrap() - stage.run.time_left().unwrap() < 1_000);
}

#[test]
fn an_agent_that_waits_for_a_person_stops_the_run_until_the_next_driver() {
    let mut stage = stage(None, None, None);
    stage.prepare();
    let (call, at) = (stage.call_of("create"), stage.now());
    let waits_for = Some("an answer in answer.md".to_owned());
    stage.give(Input::Release(Released { call, waits_for, at })).unwrap();
    assert_eq!(stage.ending(), "stop: create waits for an answer in answer.md");
    assert_eq!(stage.run.calls(), 0);
    stage.drive();
    stage.prepare();
    assert_eq!(stage.ending(), "waits for 1 calls");
}
