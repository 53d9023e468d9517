//! What stands around an answer: nothing where a program reads it, a footer where people do.

use super::{cast::*, scene::*};
use proptest::prelude::*;
use redraft_workflows::solve::candidates;
use serde_json::{Value, json};

const FOOTER: &str = "\n\n---\nAssumptions / Known issues\n";

#[test]
fn an_answer_for_people_ends_with_its_footer_and_without_one_where_it_is_turned_off() {
    let response = Scene::of(Says::answer("Forty-two.")).play().response;
    let below = "\nAssumptions:\n- a1\n\nKnown issues:\n- none known\n";
    assert_eq!(response.final_answer, format!("Forty-two.{FOOTER}{below}"));
    let bare = Scene { footer: false, ..Scene::of(Says::answer("Forty-two.")) }.play().response;
    assert_eq!(bare.final_answer, "Forty-two.");
    assert_eq!(bare.assumptions, response.assumptions);
}

#[test]
fn json_in_a_fence_is_given_without_it_and_keeps_to_its_format() {
    let scene = Scene::of(Says::answer("```json\n{\"answer\": 42}\n```\n")).in_format("json");
    let came = scene.constrained(&["JSON with the key \"answer\""]).play();
    assert_eq!(came.response.final_answer, "{\"answer\": 42}");
    assert_eq!(candidates(&came.run)[0].answer_draft, came.response.final_answer);
    assert_eq!(came.steps(), &STEPS[..3], "nothing is left to revise");
    assert_eq!(came.response.known_issues, [""; 0]);
    let critic = came.seen.last().unwrap().prompt.part("candidate").unwrap().to_owned();
    assert!(!critic.contains("```"), "the critic sees what the reader gets: {critic}");
}

#[test]
fn a_fence_is_taken_off_a_revision_and_off_a_reply_that_is_taken_as_text() {
    let mut says = Says::finding(&[("major", "it may be 43")]);
    says.revised = draft("```\n{\"answer\": 43}\n```", "a2");
    let revised = Scene::of(says.clone()).in_format("json").play();
    assert_eq!(revised.response.final_answer, "{\"answer\": 43}");
    // The generator answers in the form that was asked of the answer, not in its own.
    let as_text = Says { draft: json!({"answer": 42}), ..Says::finding(&[]) };
    let as_text = Scene::of(as_text).in_format("json").play();
    assert_eq!(as_text.response.final_answer, "{\"answer\":42}");
    assert!(as_text.known().contains("generate: "), "{}", as_text.known());
}

#[test]
fn broken_json_in_a_fence_is_still_a_broken_constraint() {
    let mut says = Says::answer("```json\n{\"answer\": }\n```");
    says.revised = says.draft.clone();
    let came = Scene::of(says).in_format("json").play();
    assert_eq!(came.response.final_answer, "{\"answer\": }");
    assert!(came.known().starts_with("blocker (requirements): json: it is not valid JSON"));
}

#[test]
fn a_constraint_that_the_answer_keeps_and_its_footer_would_not_is_told_to_be_about_the_answer() {
    let answer = "Forty-two it is.";
    for constraint in [
        "end with \"it is.\"",
        "at most 3 words",
        "no bullet points",
        "do not mention \"none known\"",
    ] {
        let scene = || Scene::of(Says::answer(answer)).constrained(&[constraint]);
        let response = scene().play().response;
        assert_eq!(response.known_issues, [""; 0], "the constraint is kept: {constraint}");
        let told = format!("\"{constraint}\" is taken to be about the answer without this footer");
        assert_eq!(response.assumptions, ["a1", &told], "{constraint}");
        assert!(response.final_answer.starts_with(&format!("{answer}{FOOTER}")));
        assert!(response.final_answer.contains(&format!("- {told}\n")));
        let bare = Scene { footer: false, ..scene() }.play().response;
        assert_eq!((bare.final_answer.as_str(), bare.assumptions.len()), (answer, 1));
    }
}

#[test]
fn a_constraint_that_the_answer_breaks_is_an_issue_and_no_assumption() {
    let says = Says { revised: draft("Forty-two, as ever.", "a2"), ..Says::answer("Forty-two.") };
    let response = Scene::of(says).constrained(&["end with \"it is.\""]).play().response;
    assert_eq!(response.assumptions, ["a2"]);
    assert!(response.known_issues[0].contains("it does not end with \"it is.\""));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "(?s).{0,12}|```|\\PC{0,12}".prop_map(Value::from),
    ];
    let inner = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z`]{0,4}", inner, 0..4)
                .prop_map(|fields| json!(fields)),
        ]
    });
    (prop::collection::btree_map("[a-z]{1,4}", inner, 0..4)).prop_map(|fields| json!(fields))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn json_stays_valid_json_whatever_was_asked_and_whatever_failed(
        value in any_json(),
        pretty in any::<bool>(),
        fenced in any::<bool>(),
        format in prop::sample::select(&["json", "Output JSON: {}", "JSON only, no markdown", "an object"][..]),
        step in prop::sample::select(STEPS.to_vec()),
        goes in prop::sample::select(Goes::ALL.to_vec()),
    ) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let fenced = fenced && format != "an object";
        let answer = if fenced { format!("```json\n{text}\n```") } else { text.clone() };
        let mut says = Says::answer(&answer);
        says.revised = says.draft.clone();
        prop_assume!(!(step == "generate" && goes != Goes::TimesOut));
        let came = Scene::of(says).in_format(format).with(step, goes, usize::from(step == "generate")).play();
        prop_assert_eq!(&came.response.final_answer, &text);
    }
}
