//! Solves that a driver left, and that another finds after some time.

use super::{cast::*, scene::*};
use redraft_loop::Run;
use redraft_workflows::solve::{candidates, critiques};

/// A solve with a revision, within 300 seconds.
fn scene() -> Scene {
    Scene { calls: 6, seconds: 300, ..Scene::of(Says::finding(&[("major", "it may be 43")])) }
}

/// The same, found with the first of these facts after so many seconds.
fn found(whole: &Came, facts: usize, seconds: u64) -> Came {
    Scene { found: Some((whole.facts[..facts].to_vec(), seconds)), ..scene() }.play()
}

#[test]
fn one_that_was_left_for_longer_than_its_time_ends_with_what_there_is_wherever_it_was_left() {
    let whole = scene().play();
    for left in 1..whole.facts.len() {
        let came = found(&whole, left, 400);
        let place = format!("left after fact {left}, {}", whole.facts[left - 1].kind());
        assert!(came.steps().is_empty(), "{place}: {:?}", came.steps());
        let before = Run::replay(whole.facts[..left].to_vec()).unwrap();
        let nearly_done = whole.run.turns().len() <= before.turns().len() + 1;
        let over = "300 s that may be spent on this run are over: it was interrupted";
        assert!(nearly_done || came.known().contains(over), "{place}: {}", came.known());
        if let Some(draft) = candidates(&came.run).last() {
            assert!(came.response.final_answer.contains(&draft.answer_draft), "{place}");
            assert!(!critiques(&came.run).is_empty(), "{place}: every answer is criticised");
        }
    }
}

#[test]
fn one_that_is_picked_up_in_time_goes_on_as_if_nothing_had_happened() {
    let whole = scene().play();
    for left in 1..whole.facts.len() {
        let came = found(&whole, left, 200);
        let place = format!("left after fact {left}, {}", whole.facts[left - 1].kind());
        assert_eq!(came.response.final_answer, whole.response.final_answer, "{place}");
        let before = Run::replay(whole.facts[..left].to_vec()).unwrap();
        let answered = before.calls() as usize - before.unanswered().len();
        assert_eq!(came.steps(), STEPS[answered..], "{place}: none that was answered");
    }
}
