//! Deadlines, back-off, Retry-After and repairs, on a clock that stands still until something waits.

use crate::house::*;
use redraft_engine::Rest;
use redraft_loop::*;
use std::time::Duration;
use tokio::time::Instant;

fn fails(failure: Failure) -> Does {
    Does::Fails(failure, None)
}

#[tokio::test(start_paused = true)]
async fn a_call_past_its_deadline_is_a_failed_attempt() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[Does::Says("late", 600_000), says("a")]), ("judge", &[says("ok")])];
    let before = Instant::now();
    let rest = drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await;
    assert_eq!(reason(rest), "agreed");
    assert!(before.elapsed() < Duration::from_secs(63), "{:?}", before.elapsed());
    assert!(
        house
            .facts()
            .iter()
            .any(|fact| matches!(fact, Fact::Failed(f) if f.failure == Failure::Timeout))
    );
}

#[tokio::test(start_paused = true)]
async fn transient_failures_are_tried_again_with_growing_delays() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] = [
        ("writer", &[fails(Failure::Transient), fails(Failure::Transient), says("a")]),
        ("judge", &[says("ok")]),
    ];
    let before = Instant::now();
    let rest = drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await;
    assert_eq!(reason(rest), "agreed");
    let waited = before.elapsed();
    assert!(Duration::from_secs(3) <= waited && waited < Duration::from_secs(6), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn a_claim_is_committed_after_the_wait_and_not_before() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[fails(Failure::Transient), says("a")]), ("judge", &[says("ok")])];
    drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await.unwrap();
    let commits: Vec<String> =
        house.diary().into_iter().filter(|line| line.starts_with("commit")).collect();
    assert_eq!(
        commits,
        [
            "commit opened asked",
            "commit failed",
            "commit asked",
            "commit replied asked",
            "commit replied decided"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_other_side_asks_to_wait_is_waited() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] = [
        ("writer", &[Does::Fails(Failure::Transient, Some(45)), says("a")]),
        ("judge", &[says("ok")]),
    ];
    let before = Instant::now();
    drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await.unwrap();
    assert_eq!(before.elapsed().as_secs(), 45);
}

#[tokio::test(start_paused = true)]
async fn the_attempts_are_bounded_and_the_same_command_tries_again() {
    let house = House::new();
    let failing = [const { Does::Fails(Failure::Transient, None) }; 3];
    let lines: [(&str, &[Does]); 1] = [("writer", &failing)];
    let shape = shape(&["judge"], 1);
    let rest = drive(&house, &cast(&house, &lines), &shape).await;
    assert!(reason(rest).contains("it fell over"));
    let lines: [(&str, &[Does]); 2] = [("writer", &[says("a")]), ("judge", &[says("ok")])];
    assert_eq!(reason(drive(&house, &cast(&house, &lines), &shape).await), "agreed");
}

#[tokio::test(start_paused = true)]
async fn a_permanent_failure_is_not_waited_for() {
    let house = House::new();
    let lines: [(&str, &[Does]); 1] = [("writer", &[fails(Failure::Permanent)])];
    let before = Instant::now();
    let rest = drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await;
    assert!(reason(rest).contains("it fell over"));
    assert_eq!(before.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn while_one_member_backs_off_the_others_are_heard() {
    let house = House::new();
    let lines: [(&str, &[Does]); 3] = [
        ("writer", &[says("a")]),
        ("anna", &[Does::Fails(Failure::Transient, Some(20)), says("ok")]),
        ("ben", &[Does::Says("ok", 5_000)]),
    ];
    let before = Instant::now();
    let rest = drive(&house, &cast(&house, &lines), &shape(&["anna", "ben"], 1)).await;
    assert_eq!(reason(rest), "agreed");
    assert_eq!(before.elapsed().as_secs(), 20);
    let replied = |role: &str| {
        let facts = house.facts();
        let call = facts.iter().rev().find_map(|fact| match fact {
            Fact::Asked(asked) if asked.role.as_str() == role => Some(asked.call),
            _ => None,
        });
        let reply = facts.iter().find(|f| matches!(f, Fact::Replied(r) if Some(r.call) == call));
        reply.unwrap().at()
    };
    assert_eq!(replied("ben").0 / 1_000_000, 5, "heard when it came, not after the back-off");
}

#[tokio::test(start_paused = true)]
async fn each_step_backs_off_anew() {
    let house = House::new();
    let fails = || Does::Fails(Failure::Transient, Some(30));
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[fails(), says("a")]), ("judge", &[fails(), says("ok")])];
    let before = Instant::now();
    drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await.unwrap();
    assert_eq!(before.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn one_back_off_does_not_hold_up_the_repair_of_another() {
    let house = House::new();
    let lines: [(&str, &[Does]); 3] = [
        ("writer", &[says("a")]),
        ("anna", &[Does::Fails(Failure::Transient, Some(20)), says("ok")]),
        ("ben", &[Does::Says("???", 1_000), Does::Says("ok", 1_000)]),
    ];
    drive(&house, &cast(&house, &lines), &shape(&["anna", "ben"], 1)).await.unwrap();
    let asked = house.facts().into_iter().filter_map(|fact| match fact {
        Fact::Asked(asked) if asked.role.as_str() == "ben" => Some(asked.at.0 / 1_000_000),
        _ => None,
    });
    assert_eq!(asked.collect::<Vec<_>>(), [0, 1]);
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_reply_is_repaired_once_and_then_played_by_the_workflow() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[says("a")]), ("judge", &[says("???"), says("???")])];
    let rest = drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await;
    assert_eq!(reason(rest), "limit");
    let run = Run::replay(house.facts()).unwrap();
    assert_eq!(run.newest(&"judges".into()).unwrap().text(), "played judges");
}

#[tokio::test(start_paused = true)]
async fn who_asks_for_more_patience_than_there_is_is_not_waited_for() {
    let house = House::new();
    let lines: [(&str, &[Does]); 1] =
        [("writer", &[Does::Fails(Failure::Transient, Some(3_600)), says("a")])];
    let (cast, shape) = (cast(&house, &lines), shape(&["judge"], 1));
    let before = tokio::time::Instant::now();
    let rest = drive(&house, &cast, &shape).await;
    let Ok(Rest::Stopped(Stop::Failed { message, .. })) = rest else {
        panic!("the run has to stop")
    };
    assert!(message.contains("asks to wait 3600 s, longer than the 60 s"), "{message}");
    assert_eq!(before.elapsed().as_millis(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_later_driver_does_not_ask_before_the_time_either() {
    let house = House::new();
    let patience = Does::Fails(Failure::Transient, Some(3_600));
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[patience, says("a")]), ("judge", &[says("ok")])];
    let (cast, shape) = (cast(&house, &lines), shape(&["judge"], 1));
    let asked = || house.diary().iter().filter(|line| line.contains("is asked")).count();
    drive(&house, &cast, &shape).await.unwrap();
    tokio::time::advance(Duration::from_secs(1_000)).await;
    let stopped = reason(drive(&house, &cast, &shape).await);
    let told = "it asks to wait 2600 s, longer than the 60 s that are waited; \
        nothing is sent before 1970-01-01T01:00:00Z";
    assert!(stopped.contains(told), "{stopped}");
    assert_eq!(asked(), 1);
    tokio::time::advance(Duration::from_secs(2_580)).await;
    assert_eq!(reason(drive(&house, &cast, &shape).await), "agreed");
    let facts = house.facts();
    let asked_at = facts.iter().filter(|f| matches!(f, Fact::Asked(_))).map(Fact::at);
    assert_eq!(asked_at.take(2).collect::<Vec<_>>(), [Time(0), Time(3_600_000_000)]);
}

#[tokio::test(start_paused = true)]
async fn who_may_be_asked_is_asked_while_another_wants_to_be_left_alone() {
    let house = House::new();
    let patience = Does::Fails(Failure::Transient, Some(3_600));
    let lines: [(&str, &[Does]); 3] = [
        ("writer", &[says("a")]),
        ("anna", &[patience]),
        ("ben", &[Does::Fails(Failure::Permanent, None), Does::Says("ok", 5_000)]),
    ];
    let (cast, shape) = (cast(&house, &lines), shape(&["anna", "ben"], 1));
    drive(&house, &cast, &shape).await.unwrap();
    let stopped = reason(drive(&house, &cast, &shape).await);
    assert!(stopped.contains("anna") && stopped.contains("nothing is sent before"), "{stopped}");
    let replies = house.facts().iter().filter(|f| matches!(f, Fact::Replied(_))).count();
    assert_eq!(replies, 2, "the writer, and ben when he was asked again");
}

/// A panel whose run may take so many seconds.
fn bounded(seconds: i64, panel: &[&str]) -> Shape {
    let shape = shape(panel, 1);
    let limits = Limits { time: Some(seconds * 1_000_000), ..shape.limits };
    Shape { limits, ..shape }
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_with_the_time_of_the_run() {
    let house = House::new();
    let lines: [(&str, &[Does]); 1] =
        [("writer", &[Does::Fails(Failure::Transient, Some(15)), says("a")])];
    let before = Instant::now();
    let rest = drive(&house, &cast(&house, &lines), &bounded(2, &["judge"])).await;
    assert!(reason(rest).contains("the 2 s that may be spent on this run are over"));
    assert_eq!(before.elapsed().as_secs(), 2);
    assert!(matches!(house.facts().last(), Some(Fact::CapReached(_))));
}

#[tokio::test(start_paused = true)]
async fn a_wait_of_one_member_ends_with_the_time_of_the_run_and_the_other_is_heard() {
    let house = House::new();
    let lines: [(&str, &[Does]); 3] = [
        ("writer", &[Does::Says("a", 3_000)]),
        ("anna", &[Does::Fails(Failure::Transient, Some(30)), says("ok")]),
        ("ben", &[Does::Says("ok", 2_000)]),
    ];
    let before = Instant::now();
    let rest = drive(&house, &cast(&house, &lines), &bounded(10, &["anna", "ben"])).await;
    assert!(reason(rest).contains("10 s that may be spent on this run are over"));
    assert_eq!(before.elapsed().as_secs(), 10);
    assert_eq!(house.facts().iter().filter(|f| matches!(f, Fact::Replied(_))).count(), 2);
}
