//! A person's plain words, and the replies they stand for.

use super::*;
use serde_json::{Value, json};

fn asked(step: &str, more: &Value) -> Prompt {
    let problem = Problem {
        problem_statement: "Why?".into(),
        constraints: vec!["Be\nbrief".into()],
        context: "It rained.".into(),
        ..Problem::default()
    };
    let mut request = json!({"workflow": "solve", "step": step, "problem": problem});
    for (key, value) in more.as_object().into_iter().flatten() {
        request[key] = value.clone();
    }
    Prompt { request: request.to_string(), ..Prompt::default() }
}

fn answer(step: &str, text: &str) -> Result<Value, String> {
    reply(&asked(step, &json!({})), text).map(|reply| serde_json::from_str(&reply).unwrap())
}

#[test]
fn a_plan_is_one_step_a_line() {
    let steps = answer(PLAN, "1. Look at 2. first\n\n- Say it\n* 12 times\n12 more\n").unwrap();
    assert_eq!(steps, json!({"steps": ["Look at 2. first", "Say it", "12 times", "12 more"]}));
}

#[test]
fn an_answer_is_the_text_itself_with_what_it_rests_on_below() {
    let text =
        "Because:\n\n- rain\n\nassumption: it is 2026\nunsure: the year\nassumption: a leap year\n";
    let draft = answer(GENERATE, text).unwrap();
    assert_eq!(draft["answer_draft"], "Because:\n\n- rain");
    assert_eq!(draft["assumptions"], json!(["it is 2026", "a leap year"]));
    assert_eq!(draft["uncertainty_flags"], json!(["the year"]));
    let quoted = answer(REVISE, "assumption: none\n\nBecause.").unwrap();
    assert_eq!(quoted["answer_draft"], "assumption: none\n\nBecause.");
    assert_eq!(quoted["assumptions"], json!([]));
    assert!(answer(GENERATE, "assumption: it is 2026").unwrap_err().contains("no answer"));
}

#[test]
fn an_answer_that_is_json_itself_is_an_answer() {
    let draft = answer(GENERATE, "{\"answer\": 42}").unwrap();
    assert_eq!(draft["answer_draft"], "{\"answer\": 42}");
    let whole = "{\"answer_draft\": \"42\"}";
    assert_eq!(reply(&asked(GENERATE, &json!({})), whole).unwrap(), whole);
}

#[test]
fn a_critique_is_a_line_for_each_issue() {
    let text = "Major (risk): it fails: twice\nminor: say why\nviolation: Be brief: it is not\nskipped: compliance\n";
    let critique = answer("critique", text).unwrap();
    let issue = |n: usize| {
        let issue = &critique["issues"][n];
        [&issue["severity"], &issue["role"], &issue["description"]].map(|v| v.as_str().unwrap())
    };
    assert_eq!(issue(0), ["major", "risk", "it fails: twice"]);
    assert_eq!(issue(1), ["minor", "requirements", "say why"]);
    assert_eq!(critique["constraint_violations"], json!(["Be brief: it is not"]));
    assert_eq!(critique["missing_roles"], json!(["compliance"]));
    let fine = answer("recritique", "ok\nminor (evaluation): could be shorter\n").unwrap();
    assert_eq!(fine["issues"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_no_critique_is_refused_with_what_to_write() {
    for (text, told) in [
        ("It is fine.", "line 1 has to be `ok`"),
        ("ok\n\nmajor:", "line 3 has to be `ok`"),
        (
            "major (taste): it is bland",
            "line 1: there is no view \"taste\"; views are: requirements",
        ),
        ("skipped: everything", "line 1: there is no view"),
        ("ok\nmajor: it is wrong", "ok contradicts"),
        ("ok\nviolation: Be brief", "ok contradicts"),
    ] {
        assert!(answer("critique", text).unwrap_err().contains(told), "{text}");
    }
}

#[test]
fn a_page_is_short_and_shows_what_the_step_is_about() {
    let draft = json!({"candidate": {"answer_draft": "Rain.", "assumptions": ["it is wet"]}});
    let shown = page(&asked("critique", &draft)).unwrap();
    assert!(shown.reply.is_none() && !shown.instructions.contains("JSON"));
    assert!(shown.instructions.contains("redraft prompts show solve/critic\n"));
    let part = |name: &str| {
        shown.parts.iter().find(|part| part.name == name).map(|part| part.text.as_ref().to_owned())
    };
    assert_eq!(part("constraints").unwrap(), "- Be brief\n");
    assert_eq!(part("candidate").unwrap(), "Rain.\n\nassumption: it is wet");
    assert_eq!(part("plan"), None);
    let critique = json!({"issues": [{"role": "risk", "severity": "major", "description": "wet"}],
        "constraint_violations": ["Be brief"]});
    let revise = page(&asked(REVISE, &json!({"critique": critique}))).unwrap();
    let last = revise.parts.last().unwrap();
    assert_eq!(&*last.text, "major (risk): wet\nviolation: Be brief\n");
}

#[test]
fn a_review_is_none_of_its_business() {
    let review = Prompt {
        request: json!({"asset_id": "slug", "iteration": 1, "step": "review"}).to_string(),
        ..Prompt::default()
    };
    assert!(page(&review).is_none() && !is_of_solve(&review));
    assert_eq!(reply(&review, "ok").unwrap(), "ok");
}
