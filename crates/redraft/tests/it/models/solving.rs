//! Questions answered by models: the built binary against a provider on loopback.

mod asking;
mod by_hand;
mod costs;
mod going_on;
mod roles;

use super::{command, configure};
use crate::{
    provider::{Does, Provider, Seen},
    sandbox::{Ended, Sandbox, ended},
};
use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// What a call is for, as its reply's form tells.
pub(super) fn step(seen: &Seen) -> String {
    let form = &seen.body["response_format"]["json_schema"]["name"];
    form.as_str().unwrap_or_default().to_owned()
}

fn plan() -> Does {
    Does::Says(json!({"steps": ["look", "say"]}).to_string())
}

fn draft(text: &str) -> Does {
    let draft =
        json!({"answer_draft": text, "assumptions": ["it is 2026"], "uncertainty_flags": []});
    Does::Says(draft.to_string())
}

fn critique(issues: &[(&str, &str)]) -> Does {
    let issue = |(severity, description): &(&str, &str)| json!({"role": "risk", "severity": severity, "description": description, "suggested_fix": null});
    let issues: Vec<Value> = issues.iter().map(issue).collect();
    let critique = json!({"issues": issues, "constraint_violations": [], "missing_roles": [], "suggested_fixes": []});
    Does::Says(critique.to_string())
}

/// Plans, answers and agrees.
pub(super) fn honest(seen: &Seen) -> Does {
    match step(seen).as_str() {
        "plan" => plan(),
        "candidate" => draft("Forty-two."),
        _ => critique(&[]),
    }
}

/// A folder with a home and this provider's models.
fn desk(provider: &Provider) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    configure(&sandbox, provider, "");
    sandbox
}

fn solve(sandbox: &Sandbox, words: &[&str]) -> Command {
    let mut command = command(sandbox, "solve --json");
    command.args(words);
    command
}

fn solved(sandbox: &Sandbox, words: &[&str]) -> (Ended, Value) {
    let ended = ended(&solve(sandbox, words).output().unwrap());
    let body = serde_json::from_str(&ended.out).unwrap_or_default();
    (ended, body)
}

#[test]
fn a_question_is_planned_answered_and_criticised_and_the_record_has_all_of_it() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let (ended, body) = solved(&sandbox, &["What is six times seven?", "-c", "Be brief"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(body["final_answer"].as_str().unwrap().starts_with("Forty-two."), "{body}");
    assert_eq!(provider.asked(), 3);
    let run = body["run_id"].as_str().unwrap();
    let record = &sandbox.json(&format!("runs record {run}"))["record"];
    assert_eq!(record["solve"]["request"]["constraints"], json!(["Be brief"]));
    assert_eq!(record["solve"]["candidates"][0]["answer_draft"], "Forty-two.");
    assert_eq!(record["calls"].as_array().unwrap().len(), 3);
    assert_eq!(record["solve"]["final_response"]["final_answer"], body["final_answer"]);
}

#[test]
fn a_major_leads_to_one_revision_and_the_second_critique_has_the_last_word() {
    let provider = Provider::new(|seen| match (step(seen).as_str(), seen.nth) {
        ("plan", _) => plan(),
        ("candidate", 1) => draft("Forty-one."),
        ("candidate", _) => draft("Forty-two."),
        (_, 0) => critique(&[("major", "it is one more")]),
        (_, _) => critique(&[("minor", "say why")]),
    });
    let sandbox = desk(&provider);
    let (ended, body) = solved(&sandbox, &["What is six times seven?"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(body["final_answer"].as_str().unwrap().starts_with("Forty-two."), "{body}");
    assert_eq!(body["known_issues"], json!(["minor (risk): say why"]));
    assert_eq!(provider.asked(), 5);
}

#[test]
fn a_cap_that_cuts_it_short_ends_with_five_and_still_prints_the_answer() {
    let provider = Provider::new(|seen| match step(seen).as_str() {
        "plan" => plan(),
        "candidate" => draft("Forty-one."),
        _ => critique(&[("blocker", "it is one more")]),
    });
    let sandbox = desk(&provider);
    let (ended, body) = solved(&sandbox, &["What is six times seven?", "--max-calls", "3"]);
    assert_eq!((ended.code, provider.asked()), (5, 3), "{}", ended.err);
    assert!(body["final_answer"].as_str().unwrap().starts_with("Forty-one."), "{body}");
    let first = body["known_issues"][0].as_str().unwrap();
    assert_eq!(first, "blocker (risk): it is one more");
    let (again, same) = solved(&sandbox, &["--resume", body["run_id"].as_str().unwrap()]);
    assert_eq!((again.code, &same), (5, &body), "its response and its exit code are printed again");
    let too_low = sandbox_error(&sandbox, &["Why?", "--max-calls", "2"]);
    assert!(too_low.contains("give --max-calls 3 or more"), "{too_low}");
    assert_eq!(provider.asked(), 3, "it is refused before any call");
}

fn sandbox_error(sandbox: &Sandbox, words: &[&str]) -> String {
    let (ended, body) = solved(sandbox, words);
    assert_eq!(ended.code, 2, "{words:?}");
    format!("{}{body}", ended.err)
}

#[test]
fn a_machine_format_has_no_footer() {
    let provider = Provider::new(|seen| match step(seen).as_str() {
        "candidate" => draft(r#"{"answer": 42}"#),
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    let (_, body) = solved(&sandbox, &["What is six times seven?", "--output-format", "json"]);
    assert_eq!(body["final_answer"], r#"{"answer": 42}"#);
    assert_eq!(body["assumptions"], json!(["it is 2026"]), "they stand beside it");
}

#[test]
fn a_solve_that_was_killed_goes_on_and_asks_for_nothing_twice() {
    let provider = Provider::new(|seen| match (step(seen).as_str(), seen.model()) {
        ("critique", _) if seen.nth == 0 => Does::Hangs,
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    let mut killed = solve(&sandbox, &["What is six times seven?"]);
    let mut child = killed.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while provider.asked() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(5)); // real time: until the critic is asked
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = sandbox.json("runs list")["runs"].clone();
    assert_eq!(runs.as_array().unwrap().len(), 1, "{runs}");
    let run = runs[0]["run_id"].as_str().unwrap();
    let (ended, body) = solved(&sandbox, &["--resume", run]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(body["final_answer"].as_str().unwrap().starts_with("Forty-two."), "{body}");
    assert_eq!(provider.asked(), 4, "the critic alone is asked again");
    assert_eq!(sandbox.json("runs list")["runs"].as_array().unwrap().len(), 1);
    let again = solved(&sandbox, &["--resume", run]).1;
    assert_eq!(
        (again["final_answer"].clone(), provider.asked()),
        (body["final_answer"].clone(), 4)
    );
}
