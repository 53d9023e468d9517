//! A person as planner, generator or critic of a solve: one short page, a plain answer, exit 3 while it is awaited.

use super::{desk, draft, honest, plan, solve, solved, step};
use crate::{
    provider::{Does, Provider},
    sandbox::ended,
};
use std::fs;

const WHY: &str = "What is six times seven?";

#[test]
fn a_person_criticises_what_a_model_wrote_and_the_same_command_goes_on() {
    let provider = Provider::new(|seen| match (step(seen).as_str(), seen.nth) {
        ("plan", _) => plan(),
        ("candidate", 1) => draft("Forty-one."),
        ("candidate", _) => draft("Forty-two."),
        _ => Does::Fails(500, Vec::new(), String::new()),
    });
    let sandbox = desk(&provider);
    let words = [WHY, "-c", "Be brief", "--critic", "human"];
    let waits = ended(&super::command(&sandbox, "solve").args(words).output().unwrap());
    assert_eq!(waits.code, 3, "{}", waits.err);
    assert!(waits.err.contains("stopped: critic waits for an answer in "), "{}", waits.err);
    assert!(
        waits.err.contains("the same command goes on, and so does redraft solve --resume "),
        "{}",
        waits.err
    );
    assert!(waits.out.starts_with("Forty-one."), "what there is is printed: {}", waits.out);
    let (asked, place) = sandbox.page_that_waits();
    assert!(asked.contains("Forty-one.") && asked.contains("- Be brief"), "{asked}");
    assert!(asked.lines().count() < 60 && !asked.contains("JSON"), "{asked}");
    assert!(!asked.contains("## Workspace"), "{asked}");
    fs::write(&place, "I do not like it.\n").unwrap();
    let (waits, body) = solved(&sandbox, &words);
    assert_eq!(waits.code, 3, "{}", waits.err);
    assert!(body["stopped"].as_str().unwrap().contains("line 1 has to be `ok`"), "{body}");
    fs::write(&place, "major (risk): it is one more\n").unwrap();
    assert_eq!(solved(&sandbox, &words).0.code, 3);
    let (asked, place) = sandbox.page_that_waits();
    assert!(
        asked.contains("Forty-two.") && asked.contains("major (risk): it is one more"),
        "{asked}"
    );
    fs::write(&place, "ok\n").unwrap();
    let (done, body) = solved(&sandbox, &words);
    assert_eq!((done.code, provider.asked()), (0, 3), "{}", done.err);
    assert!(body["final_answer"].as_str().unwrap().starts_with("Forty-two."), "{body}");
    assert_eq!(body["decision"]["reason"], "accepted_after_revision");
    assert_eq!(sandbox.json("runs list")["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn a_person_plans_and_writes_in_plain_words() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let words = [WHY, "--planner", "human", "--generator", "human"];
    assert_eq!(solved(&sandbox, &words).0.code, 3);
    let (asked, place) = sandbox.page_that_waits();
    assert!(asked.contains("one step on each line"), "{asked}");
    fs::write(&place, "1. Multiply\n2. Say it\n").unwrap();
    let (_, body) = solved(&sandbox, &words);
    let run = body["run_id"].as_str().unwrap().to_owned();
    let (asked, place) = sandbox.page_that_waits();
    assert!(asked.contains("- Multiply\n- Say it\n"), "{asked}");
    fs::write(&place, "Forty-two.\n\nassumption: in base ten\n").unwrap();
    let done = ended(&solve(&sandbox, &["--resume", &run]).output().unwrap());
    assert_eq!((done.code, provider.asked()), (0, 1), "{}", done.err);
    let record = &sandbox.json(&format!("runs record {run}"))["record"];
    assert_eq!(record["solve"]["plan"]["steps"], serde_json::json!(["Multiply", "Say it"]));
    assert_eq!(record["solve"]["candidates"][0]["answer_draft"], "Forty-two.");
    assert_eq!(record["solve"]["candidates"][0]["assumptions"], serde_json::json!(["in base ten"]));
}
