//! Two ways to be stopped: soon, which loses nothing, and now, which loses no durable fact.

use crate::house::*;
use redraft_loop::*;
use std::{sync::Arc, time::Duration};

async fn after(house: &Arc<House>, ms: u64, now: bool) {
    tokio::time::sleep(Duration::from_millis(ms)).await; // real time: none, the clock is paused
    house.cancel.soon.cancel();
    if now {
        house.cancel.now.cancel();
    }
}

const WRITER: [Does; 2] = [Does::Says("a", 1_000), Does::Says("b", 1_000)];
const JUDGE: [Does; 2] = [Does::Says("change", 1_000), Does::Says("ok", 1_000)];

async fn interrupted(ms: u64, now: bool) -> Arc<House> {
    let house = House::new();
    let lines: [(&str, &[Does]); 2] = [("writer", &WRITER), ("judge", &JUDGE)];
    let (cast, shape) = (cast(&house, &lines), shape(&["judge"], 3));
    let (rest, ()) = tokio::join!(drive(&house, &cast, &shape), after(&house, ms, now));
    assert_eq!(reason(rest), "Interrupted");
    house
}

#[tokio::test(start_paused = true)]
async fn soon_finishes_the_call_in_flight_and_saves_it() {
    let house = interrupted(1_500, false).await;
    assert_eq!(house.diary().iter().filter(|line| line.contains("is asked")).count(), 2);
    let kinds: Vec<&str> = house.facts().iter().map(Fact::kind).collect();
    assert_eq!(kinds, ["opened", "asked", "replied", "asked", "replied", "interrupted"]);
}

#[tokio::test(start_paused = true)]
async fn now_stops_at_once_and_the_call_counts_as_maybe_billed() {
    let before = tokio::time::Instant::now();
    let house = interrupted(1_500, true).await;
    assert_eq!(before.elapsed().as_millis(), 1_500);
    let kinds: Vec<&str> = house.facts().iter().map(Fact::kind).collect();
    assert_eq!(kinds, ["opened", "asked", "replied", "asked"]);
}

#[tokio::test(start_paused = true)]
async fn a_back_off_is_left_at_once() {
    let house = House::new();
    let lines: [(&str, &[Does]); 1] = [("writer", &[Does::Fails(Failure::Transient, Some(50))])];
    let (cast, shape) = (cast(&house, &lines), shape(&["judge"], 1));
    let before = tokio::time::Instant::now();
    let (rest, ()) = tokio::join!(drive(&house, &cast, &shape), after(&house, 500, false));
    assert_eq!(reason(rest), "Interrupted");
    assert_eq!(before.elapsed().as_millis(), 500);
}
