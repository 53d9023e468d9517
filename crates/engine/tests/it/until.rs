//! Driving as far as asked and no further; the gated workflow's shape, driven so.

use crate::house::*;
use redraft_engine::*;
use redraft_loop::*;
use redraft_workflows::gated::{self, Bounds, profile};
use std::sync::Arc;

/// The house with its players, between two drivers of one run.
struct Scene {
    house: Arc<House>,
    cast: Cast,
    shape: Shape,
}

impl Scene {
    fn new(shape: Shape, lines: &[(&str, &[Does])]) -> Self {
        let house = House::new();
        let cast = cast(&house, lines);
        Self { house, cast, shape }
    }

    /// What a driver of its own does: these inputs first, then until it is far enough.
    async fn drive_until(
        &self,
        inputs: Vec<Input>,
        is_far_enough: impl Fn(&Run) -> bool,
    ) -> Option<Rest> {
        let (clock, words) = (TestClock::new(), Words(""));
        let stage = Stage {
            workflow: &words,
            cast: &self.cast,
            journal: &*self.house,
            files: &*self.house,
            clock: &clock,
            policy: policy(),
            events: self.house.events.as_ref().unwrap(),
            cancel: &self.house.cancel,
        };
        let facts = self.house.facts();
        let mut driver = match facts.is_empty() {
            true => Driver::open(stage, opened(self.shape.clone())).unwrap(),
            false => Driver::resume(stage, Run::replay(facts).unwrap()).unwrap(),
        };
        for input in inputs {
            driver.give(input).unwrap();
        }
        let rest = driver.drive_until(is_far_enough).await.unwrap();
        assert_eq!(*driver.run(), self.run(), "all that came about is durable");
        rest
    }

    /// Approves what waits by this seal, and drives on to the next gate or the end.
    async fn approve(&self, seal: &str) -> String {
        reason(Ok(self.drive_until(vec![approve(seal)], |_| false).await.unwrap()))
    }

    fn run(&self) -> Run {
        Run::replay(self.house.facts()).unwrap()
    }

    fn kinds(&self) -> Vec<&'static str> {
        self.house.facts().iter().map(Fact::kind).collect()
    }

    fn asked(&self) -> usize {
        self.house.diary().iter().filter(|line| line.contains("is asked")).count()
    }

    fn stands_at(&self, seal: &str) {
        *self.house.seal.lock().unwrap() = seal.into();
    }
}

fn approve(seal: &str) -> Input {
    let (by, at) = ("ada".into(), Time(1));
    Input::Approve(Approved { by, at, seal: Hash::new(seal), edited: None })
}

fn talk(lines: &[(&str, &[Does])]) -> Scene {
    Scene::new(shape(&["judge"], 2), lines)
}

#[tokio::test(start_paused = true)]
async fn what_has_come_far_enough_is_durable_and_nothing_is_sent() {
    let scene = talk(&[("writer", &[says("a"), says("b")]), ("judge", &[says("ok")])]);
    assert_eq!(scene.drive_until(vec![], |_| true).await, None);
    assert_eq!((scene.kinds(), scene.asked()), (vec!["opened"], 0));

    assert_eq!(scene.drive_until(vec![], |run| run.turns().len() == 1).await, None);
    assert_eq!(scene.kinds(), ["opened", "driven", "asked", "replied"]);
    assert_eq!(scene.asked(), 1, "the judge is asked for, but not asked");
    assert!(matches!(scene.run().next(), Action::Ask(_)));

    let rest = scene.drive_until(vec![], |_| false).await;
    assert_eq!(reason(Ok(rest.unwrap())), "agreed");
    assert_eq!(scene.asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn inputs_are_kept_though_nothing_is_left_to_do() {
    let scene = talk(&[("writer", &[])]);
    assert_eq!(scene.drive_until(vec![], |_| true).await, None);
    let bounded = Bounded { limits: scene.shape.limits.clone(), at: Time(2) };
    assert_eq!(scene.drive_until(vec![Input::Bound(bounded)], |_| true).await, None);
    assert_eq!(scene.kinds(), ["opened", "driven", "bounded"]);
    assert_eq!(scene.asked(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_rests_earlier_says_where() {
    let failing = [Does::Fails(Failure::Permanent, None)];
    let scene = talk(&[("writer", &failing)]);
    let rest = scene.drive_until(vec![], |run| run.turns().len() == 1).await;
    assert!(matches!(rest, Some(Rest::Stopped(Stop::Failed { .. }))), "{rest:?}");
    assert_eq!(scene.kinds(), ["opened", "asked", "failed"]);
}

#[tokio::test(start_paused = true)]
async fn a_refused_append_is_no_progress() {
    let scene = talk(&[("writer", &[says("a")])]);
    *scene.house.fails_after.lock().unwrap() = Some(0);
    let (clock, words) = (TestClock::new(), Words(""));
    let stage = Stage {
        workflow: &words,
        cast: &scene.cast,
        journal: &*scene.house,
        files: &*scene.house,
        clock: &clock,
        policy: policy(),
        events: scene.house.events.as_ref().unwrap(),
        cancel: &scene.house.cancel,
    };
    let mut driver = Driver::open(stage, opened(scene.shape.clone())).unwrap();
    let error = driver.drive_until(|_| true).await.unwrap_err();
    assert!(matches!(error, DriveError::Journal(_)), "{error}");
    assert!(scene.house.facts().is_empty());
}

/// The real shape, its players agents; their words are those of the house.
fn session(iterations: u32, lines: &[(&str, &[Does])]) -> Scene {
    let limits = Limits { rounds: iterations, ..shape(&["judge"], 1).limits };
    let players = profile::Phase::ALL.into_iter().zip(gated::ROLES);
    let players = players.map(|(phase, role)| (phase, role, false)).collect();
    let scene = Scene::new(gated::shape(&Bounds { limits, players }), lines);
    scene.stands_at("as it was");
    scene
}

#[tokio::test(start_paused = true)]
async fn a_session_goes_from_gate_to_gate_until_an_approved_review_passes() {
    let scene = session(
        3,
        &[
            ("planner", &[says("plan")]),
            ("generator", &[says("code")]),
            ("reviewer", &[says("change"), says("ok")]),
            ("reviser", &[says("better")]),
        ],
    );
    let rest = scene.drive_until(vec![], |_| false).await.unwrap();
    assert_eq!(reason(Ok(rest)), "waits at planning");
    for gate in ["generation", "review", "revision", "review"] {
        assert_eq!(scene.approve("as it was").await, format!("waits at {gate}"));
    }
    assert_eq!(scene.approve("as it was").await, "approved");
    assert_eq!(scene.asked(), 5);
    assert_eq!(scene.run().round(), 2);
    assert_eq!(scene.kinds().iter().filter(|kind| **kind == "passed").count(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_step_passes_one_gate_and_does_not_ask_beyond_it() {
    let scene = session(3, &[("planner", &[says("plan")]), ("generator", &[])]);
    scene.drive_until(vec![], |_| false).await;
    let from = scene.run().step_at_hand().cloned();
    let moved = |run: &Run| run.step_at_hand() != from.as_ref();
    assert_eq!(scene.drive_until(vec![approve("as it was")], moved).await, None);
    let kinds = ["opened", "asked", "replied", "driven", "approved", "passed"];
    assert_eq!(scene.kinds(), kinds);
    assert_eq!(scene.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_approval_of_a_session_is_void_once_its_files_have_changed_and_can_be_given_again() {
    let scene = session(3, &[("planner", &[says("plan")]), ("generator", &[says("code")])]);
    scene.drive_until(vec![], |_| false).await;
    // Approved now, used by a later driver.
    let approved = |run: &Run| run.approval().is_some();
    assert_eq!(scene.drive_until(vec![approve("as it was")], approved).await, None);
    scene.stands_at("edited since");
    let rest = scene.drive_until(vec![], |_| false).await.unwrap();
    assert_eq!(reason(Ok(rest)), "waits at planning");
    assert_eq!(scene.kinds().last(), Some(&"voided"));
    assert_eq!(scene.asked(), 1, "nobody is asked again for what a person edited");
    assert_eq!(scene.approve("edited since").await, "waits at generation");
}

#[tokio::test(start_paused = true)]
async fn a_session_out_of_iterations_and_one_given_up_end_by_their_rules() {
    let lines: [(&str, &[Does]); 3] = [
        ("planner", &[says("plan")]),
        ("generator", &[says("code")]),
        ("reviewer", &[says("change")]),
    ];
    let scene = session(1, &lines);
    scene.drive_until(vec![], |_| false).await;
    scene.approve("as it was").await;
    scene.approve("as it was").await;
    assert_eq!(scene.approve("as it was").await, "max_iterations");

    let scene = session(1, &lines);
    scene.drive_until(vec![], |_| false).await;
    let cancelled = Input::Cancel(Cancelled { by: "ada".into(), at: Time(3) });
    let rest = scene.drive_until(vec![cancelled], |_| false).await.unwrap();
    assert_eq!(reason(Ok(rest)), "cancelled");
    assert_eq!(scene.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_review_that_nobody_can_read_waits_at_its_gate() {
    let scene = session(
        2,
        &[
            ("planner", &[says("plan")]),
            ("generator", &[says("code")]),
            ("reviewer", &[says("???"), says("???")]),
        ],
    );
    scene.drive_until(vec![], |_| false).await;
    scene.approve("as it was").await;
    assert_eq!(scene.approve("as it was").await, "waits at review");
    let verdict = scene.run().gated().unwrap().verdict();
    assert_eq!(verdict, Some(Verdict::NeedsHuman), "the house played it");
    assert_eq!(scene.asked(), 4, "it was asked to repair it once");
}
