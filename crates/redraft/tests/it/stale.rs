//! Texts that were decided on another transcript are never published without a word.

use crate::{
    models::{expect, studio},
    provider::{Does, Provider, candidate, honest},
    sandbox::Sandbox,
};
use serde_json::json;

const TALK: &str =
    "  next: redraft podcast review --workspace w --asset-id talk --reopen --reason TEXT\n";
const SLUG: &str =
    "review --workspace w --asset-id slug --reopen --reason TEXT --release-selection";

/// A writer of one text that suits a talk and a slug, and critics that agree.
fn provider() -> Provider {
    Provider::new(|seen| match seen.model() {
        "writer" => Does::Says(candidate("bread-and-bakers", true)),
        _ => Does::Says(honest(seen)),
    })
}

/// A workspace with a talk and a slug that are decided on one transcript, while another stands.
fn replaced(provider: &Provider) -> Sandbox {
    let sandbox = studio(provider, "");
    sandbox.write("one.txt", "Ada: Bread is made of flour and water.\n");
    sandbox.write("two.txt", "Cleo: A bridge is older than its town.\n");
    expect(&sandbox, 0, "podcast ingest -w w --transcript one.txt");
    expect(&sandbox, 0, "podcast review -w w --asset-id talk --asset-id slug");
    let told = expect(&sandbox, 0, "podcast ingest -w w --transcript two.txt --replace").err;
    assert!(
        told.contains("another transcript than the one that stands now: slug, talk\n"),
        "{told}"
    );
    assert!(told.contains(TALK) && told.contains(SLUG), "{told}");
    sandbox
}

#[test]
fn whoever_reports_or_exports_them_says_so_with_the_way_out() {
    let provider = provider();
    let sandbox = replaced(&provider);
    let asked = provider.asked();
    for words in
        ["podcast review -w w --asset-id talk", "podcast review -w w --asset-id talk --json"]
    {
        let told = expect(&sandbox, 0, words);
        match words.ends_with("--json") {
            true => assert!(told.out.contains("\"stale\": [\n    \"talk\"\n  ]"), "{}", told.out),
            false => assert!(told.err.contains(TALK) && !told.err.contains(SLUG), "{}", told.err),
        }
    }
    let export = expect(&sandbox, 3, "podcast export -w w --format auphonic");
    assert!(
        export.err.contains("stands now: slug\n") && export.err.contains(SLUG),
        "{}",
        export.err
    );
    assert_eq!(sandbox.json("podcast export -w w")["stale"], json!(["slug"]));
    assert_eq!(provider.asked(), asked, "telling costs nothing");
}

#[test]
fn status_has_the_way_out_before_the_export_and_it_leads_out() {
    let provider = provider();
    let sandbox = replaced(&provider);
    expect(&sandbox, 0, "podcast summarize -w w --creator offline");
    let page = sandbox.expect(0, "podcast status -w w").out;
    let next: Vec<&str> = page.lines().filter(|line| line.starts_with("Next: ")).collect();
    assert_eq!(next.len(), 2, "{page}");
    assert!(page.contains(SLUG) && !page.contains("podcast export"), "{page}");
    for line in next {
        let words = line.trim_start_matches("Next: redraft ").replace("TEXT", "bridges");
        expect(&sandbox, 0, &words);
    }
    let page = sandbox.expect(0, "podcast status -w w").out;
    assert!(page.contains("Next: redraft podcast export") && !page.contains("Stale"), "{page}");
    let told = expect(&sandbox, 0, "podcast review -w w --asset-id talk");
    assert!(!told.err.contains("transcript"), "{}", told.err);
}
