//! The known traps of the contract, each by its name. The two that need a server (a client that goes away, one key sent
//! twice) are shown where there is one.

use super::{cast::*, scene::*};
use crate::house::{House, TestClock, opened, policy};
use redraft_engine::*;
use redraft_loop::*;
use redraft_workflows::solve::{self, Bounds, Solve, candidates, critiques};
use serde_json::{Value, json};
use std::sync::Arc;

#[test]
fn revision_on_blockers_only() {
    for (severity, revised) in [("blocker", true), ("major", true), ("minor", false)] {
        let came = Scene::of(Says::finding(&[(severity, "it may be 43")])).play();
        assert_eq!(came.steps().contains(&"revise"), revised, "{severity}");
    }
    let mut says = Says::finding(&[]);
    says.critique["constraint_violations"] = json!(["Name a number: it is none"]);
    assert!(Scene::of(says).play().steps().contains(&"revise"), "a violation alone");
}

#[test]
fn blockers_missing_from_known_issues() {
    let found = [("minor", "it is dry"), ("blocker", "it is wrong"), ("major", "it is 43")];
    let stays = Says { recritique: critique(&found), ..Says::finding(&found) };
    let told = ["blocker (risk): it is wrong", "major (risk): it is 43", "minor (risk): it is dry"];
    let revised = Scene::of(stays.clone()).play();
    assert_eq!(revised.response.known_issues, told);
    assert_eq!(revised.reason(), solve::ISSUES_REMAIN);
    // A revision that fails, and one that no cap has room for, leave all of them open.
    let unrevised = Scene::of(stays.clone()).with("revise", Goes::Refused, FOR_GOOD).play();
    assert_eq!(unrevised.response.known_issues[..3], told);
    let capped = Scene { calls: 3, ..Scene::of(stays) }.play();
    assert_eq!(capped.response.known_issues[..3], told);
    assert_eq!(capped.end(), solve::End::CutShort);
}

#[test]
fn repair_calls_not_counted() {
    let says = || Says::finding(&[("major", "it may be 43")]);
    let repaired = Scene::of(says()).with("critique", Goes::Garbage, 1).play();
    assert_eq!(
        repaired.steps(),
        ["plan", "generate", "critique", "critique", "revise", "recritique"]
    );
    assert_eq!((repaired.run.calls(), repaired.record.calls.len()), (6, 6));
    // Under a cap of six the repair takes the place of another call: the second critique's.
    let capped = Scene { calls: 6, ..Scene::of(says()) };
    let capped = capped.with("plan", Goes::Garbage, 1).play();
    assert_eq!(capped.steps(), ["plan", "plan", "generate", "critique", "revise", "recritique"]);
    let capped = Scene { calls: 5, ..Scene::of(says()) }.with("plan", Goes::Garbage, 1).play();
    assert_eq!(capped.steps(), ["plan", "plan", "generate", "critique", "revise"]);
    assert!(capped.known().contains("5 of 5 calls"), "{}", capped.known());
}

#[test]
fn a_parse_failure_that_aborts() {
    for step in STEPS {
        for goes in [Goes::Garbage, Goes::Truncated, Goes::WrongType] {
            let says = Says::finding(&[("major", "it may be 43")]);
            let came = Scene::of(says).with(step, goes, FOR_GOOD).play();
            let asked = came.steps().iter().filter(|asked| **asked == step).count();
            assert_eq!(asked, 2, "{step} {goes:?}: one repair");
            assert!(came.steps().contains(&"recritique"), "{step} {goes:?}: it goes on");
            assert!(came.known().contains(goes.told()), "{step} {goes:?}: {}", came.known());
        }
    }
}

#[test]
fn a_timed_out_critic_and_an_uncritiqued_answer() {
    let scene = Scene::of(Says::finding(&[])).constrained(&["Do not mention \"answer\""]);
    let came = Scene { calls: 6, ..scene }.with("critique", Goes::TimesOut, FOR_GOOD).play();
    assert!(!critiques(&came.run).is_empty());
    assert!(came.known().contains("critique: no complete answer within 60 s"), "{}", came.known());
    assert!(came.known().contains("degraded mode"), "{}", came.known());
    assert!(came.known().contains("it contains \"answer\""), "the rules looked at it");
    let without = Scene::of(Says::finding(&[])).with("critique", Goes::TimesOut, FOR_GOOD).play();
    assert_eq!(without.end(), solve::End::Answered);
    assert!(without.known().contains("nobody looked from these of the 6 views"));
}

#[test]
fn a_timed_out_critic_whose_time_takes_all_that_there_is() {
    let says = Says::finding(&[("blocker", "it is wrong")]);
    let came = Scene { seconds: 100, ..Scene::of(says) };
    let came = came.with("critique", Goes::TimesOut, FOR_GOOD).play();
    assert_eq!(came.run.elapsed(), 100_000_000, "and no longer");
    assert_eq!(came.steps(), ["plan", "generate", "critique", "critique"]);
    assert!(came.response.final_answer.starts_with(DRAFT));
    assert!(came.known().contains("the 100 s that may be spent on this run are over"));
    assert!(came.known().contains("degraded mode"), "{}", came.known());
    assert_eq!(came.end(), solve::End::CutShort);
}

#[tokio::test(start_paused = true)]
async fn a_record_overwritten_by_one_of_the_same_second() {
    let came = tokio::task::spawn_blocking(|| Scene::of(Says::finding(&[])).play()).await.unwrap();
    let house = House::new();
    house.journal.lock().unwrap().clone_from(&came.facts);
    let clock = TestClock::new();
    let stage = Stage {
        workflow: &Solve,
        cast: &std::collections::BTreeMap::default(),
        journal: &*house,
        files: &*house,
        clock: &clock,
        policy: policy(),
        events: house.events.as_ref().unwrap(),
        cancel: &house.cancel,
    };
    // The same run, opened once more at the very same time.
    let limits = came.run.limits().clone();
    let again = opened(solve::shape(&Bounds { critics: 1, limits, repairs: 1 }));
    assert_eq!((&again.run, again.at), (&came.run.opened().run, came.run.opened().at));
    let agent: Arc<dyn Agent> = Arc::new(Cast {
        says: Says::finding(&[]),
        failing: Faults::new(),
        seen: Default::default(),
    });
    let cast = ["planner", "generator", "critic"].map(|role| (Role::new(role), Arc::clone(&agent)));
    let cast = cast.into();
    let mut driver = Driver::open(Stage { cast: &cast, ..stage }, again).unwrap();
    let refused = driver.drive().await.unwrap_err();
    assert!(matches!(refused, DriveError::Journal(JournalError::Moved { .. })), "{refused}");
    assert_eq!(house.facts(), came.facts);
}

#[test]
fn no_known_issues_while_there_are_some() {
    let none = "Known issues:\n- none known\n";
    let clean = Scene::of(Says::finding(&[])).play().response;
    assert!(clean.known_issues.is_empty() && clean.final_answer.contains(none), "{clean:?}");
    for position in positions(1) {
        for goes in Goes::ALL {
            let says = Says::finding(&[("major", "it may be 43")]);
            let failing = Faults::from([(position.clone(), (goes, FOR_GOOD))]);
            let response = Scene { failing, ..Scene::of(says) }.play().response;
            let answer = &response.final_answer;
            assert!(!answer.contains(none), "{position:?} {goes:?}: {answer}");
            // What was taken as text and is whole JSON bears no footer.
            let bare = serde_json::from_str::<Value>(answer).is_ok();
            assert!(!bare || position.0 == "revise" && goes == Goes::WrongType, "{answer}");
            for issue in response.known_issues.iter().filter(|_| !bare) {
                assert!(answer.contains(&format!("- {issue}\n")), "{issue:?}: {answer}");
            }
        }
    }
}

#[test]
fn a_footer_inside_json_output() {
    let answer = r#"{"answer": [42], "why": "six times seven"}"#;
    let says = || Says { recritique: critique(&[("minor", "it is dry")]), ..Says::answer(answer) };
    for (prompt, constraint, format) in [
        ("Six times seven?", "be kind", "json"),
        ("Six times seven?", "Return valid JSON with the key \"answer\"", ""),
        ("Six times seven? Output JSON: {\"answer\": [number], \"why\": text}", "be kind", ""),
        ("Six times seven?", "return only a JSON object that my program can take in", ""),
        ("Six times seven?", "be kind", "Output JSON: {\"answer\": [number], \"why\": text}"),
        ("Six times seven?", "be kind", "the object of the API"),
    ] {
        let scene = Scene::of(says()).asking(prompt).constrained(&[constraint]).in_format(format);
        // A critic that fails leaves more to tell than there would be otherwise.
        let came = scene.with("critique", Goes::Refused, FOR_GOOD).play();
        assert_eq!(came.response.final_answer, answer, "{prompt:?} {constraint:?} {format:?}");
        serde_json::from_str::<Value>(&came.response.final_answer).unwrap();
        assert!(came.known().contains("degraded mode"), "it is told beside the answer");
        assert_eq!(candidates(&came.run)[0].answer_draft, answer);
    }
}
