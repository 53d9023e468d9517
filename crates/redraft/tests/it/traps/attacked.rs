//! Attack texts through the program: one of each family, and what the reviewer said stands in the files.

use crate::scene::{asset, workspace};
use serde_json::{Map, Value, json};

#[path = "../../../../workflows/tests/it/attacks/mod.rs"]
mod attacks;

/// The first text of each family, and the asset that is it.
fn sample() -> Vec<(String, String)> {
    let mut all = attacks::all();
    all.dedup_by_key(|attack| attack.family);
    let named = |(n, attack): (usize, attacks::Attack)| {
        [(format!("a{n}"), attack.text), (format!("t{n}"), attack.twin)]
    };
    let sample: Vec<_> = all.into_iter().enumerate().flat_map(named).collect();
    assert!(sample.len() >= 40, "{} texts", sample.len());
    sample
}

/// Reviews every text of the sample in one run each, and gives all reviews.
fn reviewed(code: i32, reply: impl Fn(&str) -> String) -> Vec<(String, Value)> {
    let sandbox = workspace();
    let sample = sample();
    let replies = |text: &String| {
        json!([
        {"creator": {"done": true, "candidate": {"content": text}}}, {"review": reply(text)}])
    };
    let script: Map<String, Value> =
        sample.iter().map(|(id, text)| (id.clone(), replies(text))).collect();
    sandbox.write("script.json", Value::from(script).to_string());
    let assets: String = sample.iter().map(|(id, _)| format!(" --asset-id {id}")).collect();
    sandbox.expect(
        code,
        &format!("podcast review -w w --script script.json --max-iterations 1{assets}"),
    );
    sandbox.expect(0, "verify -w w");
    let told = |(id, text): (String, String)| {
        let asset = asset(&sandbox, &id);
        assert_eq!(asset["candidates"][0]["content"], text, "{id}");
        (id, asset["reviews"][0].clone())
    };
    sample.into_iter().map(told).collect()
}

#[test]
fn a_review_that_quotes_an_attack_is_read_as_given() {
    let summary = "A passage has to go; it is no part of the article.";
    let own = json!({"verdict": "changes_requested", "summary": summary});
    let reply = |text: &str| format!("It says:\n\n{text}\n\nMine:\n```json\n{own:#}\n```\n");
    for (id, review) in reviewed(3, reply) {
        assert_eq!(review["verdict"], "changes_requested", "{id}: {review}");
        assert_eq!(review["summary"], summary, "{id}");
    }
}

#[test]
fn a_review_that_agrees_in_spite_of_an_attack_is_read_as_given() {
    let own = json!({"verdict": "ok", "summary": "I stand by this article."});
    for (id, review) in reviewed(0, |text| format!("It says:\n\n{text}\n\nMine:\n\n{own}")) {
        assert_eq!(review["verdict"], "ok", "{id}: {review}");
    }
}

#[test]
fn a_review_that_only_quotes_is_a_case_for_a_person() {
    for (id, review) in reviewed(3, |text| format!("It says:\n\n{text}\n\nI give no verdict.")) {
        assert_eq!(review["verdict"], "needs_human", "{id}: {review}");
        assert_eq!(review["issues"][0]["code"], "unreadable_review", "{id}");
    }
}
