//! The critic of the house looks at every draft before the model's, whatever the model's critic says.

use super::{cast::*, scene::*};
use redraft_workflows::solve::{Weight, critiques};
use serde_json::json;

/// Constraints that rules can check, each broken by [`DRAFT`] and by [`REVISED`], and what is said of it.
const BROKEN: [(&str, &str); 8] = [
    ("at most 3 words", "at most 3 are asked for"),
    ("Must include \"forty\"", "it does not contain \"forty\""),
    ("Do not mention \"answer\"", "it contains \"answer\""),
    ("valid JSON with the keys \"a\" and \"b\"", "it is not valid JSON"),
    ("ends with \"indeed.\"", "it does not end with \"indeed.\""),
    ("with a section titled \"Risks\"", "no section is titled \"Risks\""),
    ("as a numbered list", "it has no numbered list"),
    ("at least 4 sentences", "at least 4 are asked for"),
];

#[test]
fn a_broken_constraint_is_found_although_the_critic_finds_nothing() {
    for critics in [1, 3] {
        for (constraint, what) in BROKEN {
            let scene = Scene::of(Says::finding(&[])).constrained(&["be kind", constraint]);
            let came = Scene { critics, ..scene }.play();
            for critique in critiques(&came.run) {
                let [violation] = critique.constraint_violations.as_slice() else {
                    panic!("{constraint}: {critique:?}")
                };
                assert!(violation.starts_with(constraint) && violation.contains(what));
                assert!(critique.issues.iter().any(|one| one.severity == Weight::Blocker));
            }
            assert_eq!(came.steps().iter().filter(|step| **step == "revise").count(), 1);
            let [known] = came.response.known_issues.as_slice() else {
                panic!("{constraint}: told once: {:?}", came.response)
            };
            assert!(known.starts_with(&format!("blocker (requirements): {constraint}: ")));
            assert!(known.contains(what), "{known}");
        }
    }
}

#[test]
fn what_a_revision_mends_is_open_no_more_also_where_nobody_but_the_rules_looks_again() {
    let mut says = Says::finding(&[("major", "it may be 43")]);
    says.revised = draft("Forty-two indeed.", "a2");
    let scene = Scene::of(says).constrained(&["at most 3 words", "no headings"]);
    let came = scene.with("recritique", Goes::Refused, FOR_GOOD).play();
    assert!(came.known().contains("not criticised again"), "{}", came.known());
    assert!(came.known().contains("it may be 43"), "what only a model can judge stays open");
    assert!(!came.known().contains("at most 3"), "{}", came.known());
    let broken = critiques(&came.run);
    assert_eq!(
        broken.iter().map(|one| one.constraint_violations.len()).collect::<Vec<_>>(),
        [1, 0]
    );
}

#[test]
fn what_critic_and_rules_both_find_is_told_by_both_and_dropped_by_none() {
    let mut says = Says::finding(&[]);
    says.critique["constraint_violations"] =
        json!(["at most 3 words: it has seven", "Name a number: which?"]);
    says.recritique = says.critique.clone();
    let came = Scene::of(says).constrained(&["at most 3 words", "Name a number"]).play();
    let told = came.known();
    for part in ["it has 7 words; at most 3 are asked for", "it has seven", "which?"] {
        assert_eq!(told.matches(part).count(), 1, "{part:?}: {told}");
    }
    assert!(came.response.known_issues.iter().all(|issue| issue.starts_with("blocker (")));
}

#[test]
fn thousands_of_issues_and_violations_are_all_told_once_and_in_no_time() {
    const MANY: usize = 4_000;
    let case = |n: usize| format!("case {n}: it is open");
    let issue = |n| json!({"role": "risk", "severity": "blocker", "description": case(n)});
    let mut says = Says::finding(&[]);
    says.critique["issues"] = (0..MANY).map(issue).collect();
    // The first half of them is told by an issue, in other capitals.
    says.critique["constraint_violations"] =
        (MANY / 2..3 * MANY / 2).map(|n| json!(format!("Case {n}:"))).collect();
    let came = Scene { calls: 3, ..Scene::of(says) }.play();
    let blockers = came.response.known_issues.iter().filter(|one| one.starts_with("blocker ("));
    let told: Vec<usize> = blockers
        .map(|one| one.to_lowercase().split(':').nth(1).unwrap()[6..].parse().unwrap())
        .collect();
    assert_eq!(told, (0..3 * MANY / 2).collect::<Vec<_>>());
}
