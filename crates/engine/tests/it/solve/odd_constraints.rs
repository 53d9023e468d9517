//! Constraints that are blank, doubled or at odds with each other: kept word for word, in order, never lost.

use super::{cast::*, scene::*};
use redraft_workflows::solve;

const ODD: [&str; 9] = [
    "",
    " \n\t",
    "at most 3 words",
    "at least 90 words",
    "at most 3 words",
    " at most 3 words ",
    "must include \"42\"",
    "Do not mention \"42\"",
    "short",
];

#[test]
fn every_call_and_the_record_have_them_as_they_came() {
    let scene = Scene::of(Says::finding(&[("major", "it may be 43")])).constrained(&ODD);
    let came = scene.play();
    assert_eq!(came.steps(), STEPS);
    for seen in &came.seen {
        let part = seen.prompt.part("constraints").unwrap();
        assert_eq!(serde_json::from_str::<Vec<String>>(part).unwrap(), ODD, "{}", seen.step);
        let request: serde_json::Value = serde_json::from_str(&seen.prompt.request).unwrap();
        assert_eq!(request["problem"]["constraints"], serde_json::json!(ODD), "{}", seen.step);
    }
    let record = solve::record(&came.run).unwrap();
    assert_eq!(record.request.constraints, ODD);
    assert_eq!(record.normalized_problem.constraints, ODD);
}

#[test]
fn what_is_odd_is_an_assumption_or_a_known_issue_and_each_breach_is_told_once() {
    let came = Scene::of(Says::finding(&[])).constrained(&ODD).play();
    let assumed = came.response.assumptions.join("\n");
    for told in [
        "constraint 1 is blank",
        "constraint 5 (\"at most 3 words\") repeats constraint 3",
        "constraint 6 (\" at most 3 words \") repeats constraint 3",
        "constraint 9 (\"short\") names no length",
    ] {
        assert!(assumed.contains(told), "{told:?}: {assumed}");
    }
    let known = came.known();
    for told in [
        "request: constraint 3 (\"at most 3 words\") contradicts constraint 4 (\"at least 90 words\")",
        "request: constraint 7 (\"must include \"42\"\") contradicts constraint 8",
        "blocker (requirements): at most 3 words: it has 7 words",
        "blocker (requirements): at least 90 words: it has 7 words",
        "blocker (requirements): must include \"42\": it does not contain",
    ] {
        assert_eq!(known.matches(told).count(), 1, "{told:?}: {known}");
    }
}

#[test]
fn a_request_of_blank_constraints_alone_is_answered() {
    let came = Scene::of(Says::finding(&[])).constrained(&["", " ", ""]).play();
    assert!(came.response.final_answer.starts_with(DRAFT));
    assert_eq!(came.response.known_issues, [""; 0]);
}
