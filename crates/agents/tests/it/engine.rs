//! Runs of a writer of ours and a judge under test, on the engine's house in memory and the real clock.

use crate::house::{Cast, House, TestClock, Words, cast, opened, policy, says, shape};
use redraft_engine::{Agent, Driver, Policy, Rest, Stage};
use redraft_loop::{Role, Run};
use std::{sync::Arc, time::Duration};

/// Drives the run of this house until it rests, with this judge.
pub(crate) async fn drive(house: &Arc<House>, judge: Arc<dyn Agent>) -> Rest {
    drive_within(house, judge, policy().call_timeout).await
}

/// The same with another deadline per call.
pub(crate) async fn drive_within(
    house: &Arc<House>,
    judge: Arc<dyn Agent>,
    call_timeout: Duration,
) -> Rest {
    let mut cast: Cast = cast(house, &[("writer", &[says("a")])]);
    cast.insert(Role::new("judge"), judge);
    let clock = TestClock::new();
    let stage = Stage {
        workflow: &Words(""),
        cast: &cast,
        journal: house.as_ref(),
        files: house.as_ref(),
        clock: &clock,
        policy: Policy { call_timeout, first_delay: Duration::from_millis(1), ..policy() },
        events: house.events.as_ref().unwrap(),
        cancel: &house.cancel,
    };
    let facts = house.facts();
    let mut driver = match facts.is_empty() {
        true => Driver::open(stage, opened(shape(&["judge"], 1))).unwrap(),
        false => Driver::resume(stage, Run::replay(facts).unwrap()).unwrap(),
    };
    driver.drive().await.unwrap()
}
