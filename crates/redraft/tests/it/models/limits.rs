//! Limits that can be counted hold whoever writes and whoever reviews.

use super::{expect, studio};
use crate::{
    provider::{Does, Provider, candidate, honest, verdict},
    scene::document,
};
use serde_json::Value;

/// A writer that says this, and critics that agree to everything.
fn agreed_upon(text: &str) -> Provider {
    let text = text.to_owned();
    Provider::new(move |seen| match seen.model() {
        "writer" => Does::Says(candidate(&text, true)),
        _ => Does::Says(honest(seen)),
    })
}

fn issues(sandbox: &crate::sandbox::Sandbox, asset: &str, iteration: u32) -> Vec<(String, String)> {
    let path = format!("w/copy/protocol/{asset}/iteration_{iteration:02}.json");
    let review = document(sandbox, &path)["reviewer"].clone();
    let word = |issue: &Value, key: &str| issue[key].as_str().unwrap().to_owned();
    let issues = review["issues"].as_array().unwrap().iter();
    issues.map(|issue| (word(issue, "severity"), word(issue, "message"))).collect()
}

#[test]
fn models_that_agree_on_a_slug_of_eighty_characters_never_converge_on_it() {
    let provider = agreed_upon(&"a".repeat(80));
    let sandbox = studio(&provider, "");
    let words = "podcast review -w w --asset-id slug --reviewer critic --reviewer critic2";
    let ended = expect(&sandbox, 3, words);
    assert!(ended.out.contains("Outcome: needs_human (iteration_limit)"), "{}", ended.out);
    let told = ("error".to_owned(), "80 characters, at most 60: cut the text".to_owned());
    for iteration in 1..=3 {
        assert_eq!(
            issues(&sandbox, "slug", iteration),
            std::slice::from_ref(&told),
            "once, not once a reviewer"
        );
    }
    let prompts = provider.seen();
    let second = prompts.iter().filter(|seen| seen.model() == "writer").nth(1).unwrap().text();
    assert!(second.contains(&told.1), "the writer is told what to mend");
    assert!(!sandbox.join("w/copy/selected/slug.txt").exists());
}

#[test]
fn a_writer_that_mends_it_converges() {
    let provider = Provider::new(|seen| match (seen.model(), seen.nth) {
        ("writer", 0) => Does::Says(candidate(&"a".repeat(80), true)),
        ("writer", _) => Does::Says(candidate("bread-and-bakers", true)),
        _ => Does::Says(verdict("ok", &[])),
    });
    let sandbox = studio(&provider, "");
    expect(&sandbox, 0, "podcast review -w w --asset-id slug");
    assert_eq!(sandbox.read("w/copy/selected/slug.txt").trim(), "bread-and-bakers");
}

#[test]
fn a_project_sets_the_limits_of_its_own() {
    let provider = agreed_upon(&"a".repeat(80));
    let sandbox = studio(&provider, "");
    let own = "<!-- version: 3 -->\nThe slug.\n\n## Limits\n- At most 80 characters.\n";
    sandbox.write("w/prompts/review/kinds/slug.md", own);
    expect(&sandbox, 0, "podcast review -w w --asset-id slug");
    sandbox.write("w/prompts/review/kinds/talk.md", own.replace("80", "79"));
    expect(&sandbox, 3, "podcast review -w w --asset-id talk --max-iterations 1");
    assert_eq!(issues(&sandbox, "talk", 1)[0].1, "80 characters, at most 79: cut the text");
}

#[test]
fn the_offline_reviewer_says_it_once() {
    let provider = agreed_upon(&format!("{}.", "Bread ".repeat(20).trim()));
    let sandbox = studio(&provider, "");
    sandbox.write("t.txt", "Ada: Bread is a thing that bakers make from flour and water.\n");
    expect(&sandbox, 0, "podcast ingest -w w --transcript t.txt");
    expect(
        &sandbox,
        3,
        "podcast review -w w --asset-id title_seo --reviewer offline --max-iterations 1",
    );
    let issues = issues(&sandbox, "title_seo", 1);
    let long = issues.iter().filter(|(_, message)| message.contains("at most 60"));
    assert_eq!(long.count(), 1, "{issues:?}");
}
