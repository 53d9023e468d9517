//! The record: every attempt is in it, and it follows from the journal alone.

use crate::house::*;
use redraft_engine::{CallState, RunRecord};
use redraft_loop::*;

#[tokio::test(start_paused = true)]
async fn every_attempt_is_in_the_record() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] = [
        ("writer", &[Does::Fails(Failure::Transient, None), Does::Says("a", 40)]),
        ("judge", &[says("???"), says("ok")]),
    ];
    drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await.unwrap();
    let record = RunRecord::fold(&house.facts()).unwrap();
    let states: Vec<&CallState> = record.calls.iter().map(|call| &call.state).collect();
    let failed = CallState::Failed { failure: Failure::Transient, message: "it fell over".into() };
    let unreadable = CallState::Unreadable { why: "no words".into() };
    assert_eq!(states, [&failed, &CallState::Answered, &unreadable, &CallState::Answered]);
    assert_eq!(record.calls[1].latency_ms, Some(40));
    assert_eq!((record.usage.input_tokens, record.calls_charged), (9, 4));
    assert_eq!(record.decision.unwrap().reason, "agreed");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_a_dead_driver_left_is_shown_as_maybe_billed() {
    let house = House::new();
    *house.fails_after.lock().unwrap() = Some(1);
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[says("a"), says("a")]), ("judge", &[says("ok")])];
    let (cast, shape) = (cast(&house, &lines), shape(&["judge"], 1));
    drive(&house, &cast, &shape).await.unwrap_err();
    *house.fails_after.lock().unwrap() = None;
    drive(&house, &cast, &shape).await.unwrap();
    let record = RunRecord::fold(&house.facts()).unwrap();
    assert_eq!(record.calls[0].state, CallState::MaybeBilled);
    assert_eq!(record.calls_charged, 3, "it stays charged");
}
