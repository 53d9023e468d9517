//! The failure matrix: every position of a solve, every way in which its calls can fail.

use super::{cast::*, scene::*};
use redraft_workflows::solve::{self, candidates, critiques};

/// One cell: this position fails so for good, and nothing else does.
fn cell(critics: u32, position: &Position, goes: Goes) -> Came {
    let says = Says::finding(&[("major", "it may be 43")]);
    let failing = Faults::from([(position.clone(), (goes, FOR_GOOD))]);
    Scene { critics, failing, ..Scene::of(says) }.play()
}

fn check(critics: u32) {
    for position in positions(critics) {
        for goes in Goes::ALL {
            let place = format!("{position:?} of {critics} critics {goes:?}");
            let came = cell(critics, &position, goes);
            has_four_fields(&came, &place);
            names_the_call(&came, &position, goes, &place);
            answers_with_what_there_is(&came, &place);
            assert_eq!(came.seen.len(), came.record.calls.len(), "{place}");
            assert_eq!(came.run.calls() as usize, came.seen.len(), "{place}");
        }
    }
}

fn has_four_fields(came: &Came, place: &str) {
    let body = serde_json::to_value(&came.response).unwrap();
    let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["assumptions", "final_answer", "known_issues", "run_id"], "{place}");
    assert_eq!(body["run_id"], came.record.run_id.as_str(), "{place}");
}

fn names_the_call(came: &Came, position: &Position, goes: Goes, place: &str) {
    let begins = name(position, came.scene.critics);
    let told = came.response.known_issues.iter().filter(|issue| issue.starts_with(&begins));
    let told: Vec<&String> = told.collect();
    assert_eq!(told.len(), 1, "{place}: {:#?}", came.response);
    assert!(told[0].contains(goes.told()), "{place}: {told:?}");
    let incidents = solve::incidents(&came.run);
    assert!(incidents.iter().any(|one| one.what.starts_with(&begins)), "{place}: {incidents:?}");
    let degraded = told[0].contains("degraded mode") || told[0].contains("not criticised again");
    let is_critic = position.1.starts_with("critic");
    assert_eq!(degraded, is_critic, "{place}: {told:?}");
}

fn answers_with_what_there_is(came: &Came, place: &str) {
    let Some(draft) = candidates(&came.run).pop() else {
        assert_eq!(came.reason(), solve::NOTHING_GENERATED, "{place}");
        assert_eq!(came.end(), solve::End::Nothing, "{place}");
        return;
    };
    assert!(came.response.final_answer.starts_with(&draft.answer_draft), "{place}");
    assert_eq!(came.end(), solve::End::Answered, "{place}");
    assert!(!critiques(&came.run).is_empty(), "{place}");
}

#[test]
fn every_failure_in_every_position_gives_a_response_that_names_it() {
    check(1);
}

#[test]
fn every_failure_of_every_member_of_a_panel_gives_a_response_that_names_it() {
    check(3);
}

#[test]
fn a_failure_that_passes_is_no_incident_and_its_calls_are_counted() {
    for position in positions(1) {
        for goes in Goes::ALL.into_iter().filter(|goes| *goes != Goes::Refused) {
            let place = format!("{position:?} {goes:?}");
            let says = Says::finding(&[("major", "it may be 43")]);
            let failing = Faults::from([(position.clone(), (goes, 1))]);
            let came = Scene { failing, ..Scene::of(says) }.play();
            assert_eq!(came.steps().len(), 6, "{place}: one call more than without");
            assert_eq!(came.record.calls_charged, 6, "{place}");
            assert_eq!(came.response.known_issues, [""; 0], "{place}");
            assert_eq!(came.reason(), solve::ACCEPTED_REVISED, "{place}");
        }
    }
}

#[test]
fn without_a_failure_the_answer_is_revised_once_and_criticised_twice() {
    let came = Scene { calls: 6, ..Scene::of(Says::finding(&[("major", "it may be 43")])) }.play();
    assert_eq!(came.steps(), STEPS);
    assert_eq!(came.reason(), solve::ACCEPTED_REVISED);
    assert!(came.response.final_answer.starts_with(REVISED));
    assert_eq!(came.response.assumptions, ["a2"]);
    assert_eq!(came.response.known_issues, [""; 0]);
    let accepted = Scene { calls: 6, ..Scene::of(Says::finding(&[])) }.play();
    assert_eq!(accepted.steps(), &STEPS[..3]);
    assert!(accepted.response.final_answer.starts_with(DRAFT));
}
