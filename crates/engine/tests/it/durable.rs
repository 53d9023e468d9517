//! Saved first, then sent: the order of commits, files and calls.

use crate::house::*;
use redraft_engine::{Agent, Answer, BoxFuture, Call, CallState, News, NoAnswer, RunRecord};
use redraft_loop::*;
use redraft_workflows::Prompt;
use std::{sync::Arc, time::Duration};

#[tokio::test(start_paused = true)]
async fn a_claim_rides_in_the_commit_of_the_reply_before_it() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[says("a"), says("b")]), ("judge", &[says("change"), says("ok")])];
    let rest = drive(&house, &cast(&house, &lines), &shape(&["judge"], 3)).await;
    assert_eq!(reason(rest), "agreed");
    let expected = [
        "commit opened asked",
        "files of 0 new turns",
        "writer is asked: writes of round 1",
        "commit replied asked",
        "files of 1 new turns",
        "judge is asked: judges of round 1",
        "commit replied asked",
        "files of 1 new turns",
        "writer is asked: writes of round 2",
        "commit replied asked",
        "files of 1 new turns",
        "judge is asked: judges of round 2",
        "commit replied decided",
        "files of 1 new turns",
    ];
    assert_eq!(house.diary(), expected);
    assert_eq!(house.commits(), 5, "n calls take n + 1 commits");
}

#[tokio::test(start_paused = true)]
async fn a_panel_is_claimed_in_one_commit_and_asked_side_by_side() {
    let house = House::new();
    let judges = ["anna", "ben", "cleo"];
    let slow = |ms| Does::Says("ok", ms);
    let lines: [(&str, &[Does]); 4] = [
        ("writer", &[says("a")]),
        ("anna", &[slow(300)]),
        ("ben", &[slow(100)]),
        ("cleo", &[slow(200)]),
    ];
    let before = tokio::time::Instant::now();
    let rest = drive(&house, &cast(&house, &lines), &shape(&judges, 1)).await;
    assert_eq!(reason(rest), "agreed");
    assert_eq!(before.elapsed().as_millis(), 300, "as long as its slowest member");
    assert!(house.diary().contains(&"commit replied asked asked asked".to_owned()));
}

/// A player whom it costs nothing to ask.
struct Person(Arc<dyn Agent>);

impl Agent for Person {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        self.0.answer(call)
    }

    fn costs_nothing(&self) -> bool {
        true
    }
}

#[tokio::test(start_paused = true)]
async fn who_costs_nothing_is_asked_again_however_often_a_driver_dies() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[says("a")]), ("judge", &[const { Does::Says("ok", 9_000) }; 4])];
    let mut cast = cast(&house, &lines);
    let judge = cast.remove(&"judge".into()).unwrap();
    cast.insert("judge".into(), Arc::new(Person(judge)));
    let mut shape = shape(&["judge"], 1);
    shape.limits.calls = Some(2);
    for _ in 0..3 {
        let killed = drive(&house, &cast, &shape);
        let killed = tokio::time::timeout(Duration::from_secs(2), killed).await;
        assert!(killed.is_err(), "the driver has to die while the judge thinks");
    }
    assert_eq!(reason(drive(&house, &cast, &shape).await), "agreed");
    let record = RunRecord::fold(&house.facts()).unwrap();
    assert_eq!(record.calls_charged, 2);
    let billed = record.calls.iter().any(|call| call.state == CallState::MaybeBilled);
    assert!(!billed && record.maybe_billed == Spent::default());
    let attempts = record.calls.iter().map(|call| call.attempt).collect::<Vec<_>>();
    assert_eq!(attempts, [1; 5], "it is one question");
}

/// A player whose calls are paid, for a price that nobody knows.
struct Unpriced(Arc<dyn Agent>);

impl Agent for Unpriced {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        self.0.answer(call)
    }

    fn bound(&self, _prompt: &Prompt) -> Amount {
        Amount { tokens: 0, cost: None }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_may_be_billed_stays_charged_when_somebody_free_takes_its_role_over() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] =
        [("writer", &[says("a")]), ("judge", &[const { Does::Says("ok", 9_000) }; 3])];
    let mut company = cast(&house, &lines);
    let judge = company.remove(&"judge".into()).unwrap();
    company.insert("judge".into(), Arc::new(Unpriced(Arc::clone(&judge))));
    let mut shape = shape(&["judge"], 1);
    shape.limits.ask_again = 1;
    let killed = drive(&house, &company, &shape);
    assert!(tokio::time::timeout(Duration::from_secs(2), killed).await.is_err());
    company.insert("judge".into(), Arc::new(Person(judge)));
    assert_eq!(reason(drive(&house, &company, &shape).await), "agreed");
    let record = RunRecord::fold(&house.facts()).unwrap();
    let states: Vec<&CallState> = record.calls.iter().map(|call| &call.state).collect();
    assert_eq!(states, [&CallState::Answered, &CallState::MaybeBilled, &CallState::Answered]);
    assert_eq!(record.calls_charged, 3);
}

#[tokio::test(start_paused = true)]
async fn a_failed_commit_ends_the_drive_and_nothing_leaves() {
    for appends in 0..5 {
        let house = House::new();
        *house.fails_after.lock().unwrap() = Some(appends);
        let lines: [(&str, &[Does]); 2] =
            [("writer", &[says("a"), says("b")]), ("judge", &[says("change"), says("ok")])];
        let rest = drive(&house, &cast(&house, &lines), &shape(&["judge"], 3)).await;
        assert!(reason(rest).contains("the disk is gone"));
        let asked = house.diary().iter().filter(|line| line.contains("is asked")).count();
        assert_eq!(asked, appends, "a call leaves only after its claim is durable");
    }
}

#[tokio::test(start_paused = true)]
async fn resumed_after_any_commit_the_run_ends_the_same() {
    for appends in 1..5 {
        let house = House::new();
        *house.fails_after.lock().unwrap() = Some(appends);
        let first: [(&str, &[Does]); 2] =
            [("writer", &[says("a"), says("b")]), ("judge", &[says("change"), says("ok")])];
        let shape = shape(&["judge"], 3);
        drive(&house, &cast(&house, &first), &shape).await.unwrap_err();
        *house.fails_after.lock().unwrap() = None;
        let run = Run::replay(house.facts()).unwrap();
        let (written, judged) = (run.ordinal(&"writer".into()), run.ordinal(&"judge".into()));
        let rest: [(&str, &[Does]); 2] = [
            ("writer", &[says("a"), says("b")][written as usize..]),
            ("judge", &[says("change"), says("ok")][judged as usize..]),
        ];
        assert_eq!(reason(drive(&house, &cast(&house, &rest), &shape).await), "agreed");
        let run = Run::replay(house.facts()).unwrap();
        assert_eq!(run.turns().iter().map(Turn::text).collect::<Vec<_>>(), ["a", "", "b", ""]);
        assert_eq!(run.calls(), 5, "the call in flight was claimed twice, no other");
    }
}

#[tokio::test(start_paused = true)]
async fn a_driver_that_was_overtaken_cannot_write() {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] = [("writer", &[says("a")]), ("judge", &[says("ok")])];
    *house.newest_epoch.lock().unwrap() = Epoch(7);
    let rest = drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await;
    assert!(reason(rest).contains("another driver has taken over"));
    assert_eq!(house.diary(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn over_a_shared_cap_the_reply_is_kept_and_the_claim_is_not() {
    let house = House::new();
    *house.cap.lock().unwrap() = Some(1);
    let lines: [(&str, &[Does]); 2] = [("writer", &[says("a")]), ("judge", &[says("ok")])];
    let (cast, shape) = (cast(&house, &lines), shape(&["judge"], 1));
    assert_eq!(reason(drive(&house, &cast, &shape).await), r#"Cap("the home's calls are used")"#);
    assert_eq!(house.diary().last().unwrap(), "files of 1 new turns");
    assert!(house.diary().contains(&"commit replied cap_reached".to_owned()));
    *house.cap.lock().unwrap() = None;
    assert_eq!(reason(drive(&house, &cast, &shape).await), "agreed");
}

#[tokio::test(start_paused = true)]
async fn a_reply_whose_files_may_not_be_written_is_refused() {
    let house = House::new();
    let lines: [(&str, &[Does]); 1] = [("writer", &[says("../etc")])];
    let rest = drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await;
    assert!(reason(rest).contains("escapes root"));
}

#[tokio::test(start_paused = true)]
async fn a_role_that_nobody_plays_is_told_before_anything_is_claimed() {
    let house = House::new();
    let rest = drive(&house, &cast(&house, &[]), &shape(&["judge"], 1)).await;
    assert_eq!(reason(rest), "no agent is cast for the role writer");
    assert_eq!(house.commits(), 0);
}

#[tokio::test(start_paused = true)]
async fn events_come_after_the_commit_with_their_numbers() {
    let house = House::new();
    let mut watch = house.events.as_ref().unwrap().watch();
    let lines: [(&str, &[Does]); 2] = [("writer", &[says("a")]), ("judge", &[says("ok")])];
    drive(&house, &cast(&house, &lines), &shape(&["judge"], 1)).await.unwrap();
    let mut seen = Vec::new();
    while let Ok(event) = watch.try_recv() {
        if let News::Fact { seq, fact } = event.news {
            assert_eq!(house.facts()[seq as usize - 1], *fact);
            seen.push(seq);
        }
    }
    assert_eq!(seen, (1..=house.facts().len() as u64).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_has_changed_since_is_told() {
    let house = House::new();
    *house.fails_after.lock().unwrap() = Some(1);
    let lines: [(&str, &[Does]); 2] = [("writer", &[says("a")]), ("judge", &[says("ok")])];
    let shape = shape(&["judge"], 1);
    drive(&house, &cast(&house, &lines), &shape).await.unwrap_err();
    *house.fails_after.lock().unwrap() = None;
    let mut watch = house.events.as_ref().unwrap().watch();
    let cast = cast(&house, &lines);
    drive_with(&house, &cast, &shape, &Words("other words: ")).await.unwrap();
    let events = std::iter::from_fn(|| watch.try_recv().ok());
    assert_eq!(events.filter(|event| event.news == News::PromptChanged).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_claim_whose_files_cannot_be_written_is_given_back() {
    let house = House::new();
    *house.disk_full.lock().unwrap() = true;
    let lines: [(&str, &[Does]); 2] = [("writer", &[says("a")]), ("judge", &[says("ok")])];
    let (cast, shape) = (cast(&house, &lines), shape(&["judge"], 1));
    assert!(reason(drive(&house, &cast, &shape).await).contains("the disk is full"));
    assert_eq!(house.facts().last().unwrap().kind(), "released");
    *house.disk_full.lock().unwrap() = false;
    assert_eq!(reason(drive(&house, &cast, &shape).await), "agreed");
    assert_eq!(Run::replay(house.facts()).unwrap().calls(), 2, "what never left costs nothing");
}
