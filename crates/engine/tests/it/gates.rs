//! Gates: the run waits for a person, and an approval holds only for what was approved.

use crate::house::*;
use redraft_engine::*;
use redraft_loop::*;

fn gated() -> Shape {
    let mut shape = shape(&["judge"], 1);
    shape.repeating[0].gate = Gate::Person;
    shape
}

async fn approve_and_drive(house: &House, cast: &Cast, seal: &str) -> String {
    let clock = TestClock::new();
    let words = Words("");
    let stage = Stage {
        workflow: &words,
        cast,
        journal: house,
        files: house,
        clock: &clock,
        policy: policy(),
        events: house.events.as_ref().unwrap(),
        cancel: &house.cancel,
    };
    let mut driver = Driver::resume(stage, Run::replay(house.facts()).unwrap()).unwrap();
    let approved = Approved { by: "ada".into(), at: Time(1), seal: Hash::new(seal), edited: None };
    driver.give(Input::Approve(approved)).unwrap();
    reason(driver.drive().await)
}

#[tokio::test(start_paused = true)]
async fn a_turn_waits_for_a_person_and_goes_on_when_approved() {
    let house = House::new();
    *house.seal.lock().unwrap() = "as it was".into();
    let lines: [(&str, &[Does]); 2] = [("writer", &[says("a")]), ("judge", &[says("ok")])];
    let cast = cast(&house, &lines);
    assert_eq!(reason(drive(&house, &cast, &gated()).await), "waits at writes");
    assert_eq!(reason(drive(&house, &cast, &gated()).await), "waits at writes");
    assert_eq!(approve_and_drive(&house, &cast, "as it was").await, "agreed");
}

#[tokio::test(start_paused = true)]
async fn an_approval_of_other_bytes_is_void() {
    let house = House::new();
    *house.seal.lock().unwrap() = "edited since".into();
    let lines: [(&str, &[Does]); 1] = [("writer", &[says("a")])];
    let cast = cast(&house, &lines);
    drive(&house, &cast, &gated()).await.unwrap();
    assert_eq!(approve_and_drive(&house, &cast, "as it was").await, "waits at writes");
    assert_eq!(house.facts().last().unwrap().kind(), "voided");
}
