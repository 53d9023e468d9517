//! `podcast status` says why an asset stands still, and what to run next.

use super::{configure, expect, studio};
use crate::{
    provider::{Does, Provider, candidate, honest, verdict},
    sandbox::Sandbox,
};
use std::fs;

const STATUS: &str = "podcast status -w w";

fn status(sandbox: &Sandbox, told: &[&str]) {
    let page = sandbox.expect(0, STATUS).out;
    for words in told {
        assert!(page.contains(words), "{words:?} is not told:\n{page}");
    }
}

#[test]
fn a_cap_is_named_with_how_to_raise_it() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 5, "podcast review -w w --asset-id talk --max-calls 1");
    status(&sandbox, &["Waits: 1 of 1 calls of this run", "--max-calls N gives this run another"]);
    status(
        &sandbox,
        &["Next: redraft podcast review --workspace w --asset-id talk --max-calls N\n"],
    );
    let waits = sandbox.json(STATUS)["assets"][0]["waits"].clone();
    assert_eq!(waits["for"], "cap", "{waits}");
    expect(&sandbox, 0, "podcast review -w w --asset-id talk --max-calls 2");
    assert_eq!(sandbox.json(STATUS)["assets"][0]["waits"], serde_json::Value::Null);
}

#[test]
fn the_cap_of_the_home_is_told_as_such() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "[budget.home]\ncalls = 1\n");
    expect(&sandbox, 5, "podcast review -w w --asset-id talk");
    let next = "Next: redraft budget set --workspace w --calls N\nNext: redraft podcast review --workspace w --asset-id talk\n";
    status(&sandbox, &["Waits: calls of home: 1 of 1 used", next]);
}

#[test]
fn a_person_is_named_with_the_file_that_is_waited_for() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 3, "podcast review -w w --asset-id talk --reviewer human");
    let next = "Next: redraft podcast review --workspace w --asset-id talk";
    status(&sandbox, &["Waits: reviewer waits for an answer in ", ".response.md", next]);
}

#[test]
fn a_missing_key_is_named() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let config = sandbox.read("config/redraft/config.toml").replace("TEST_KEY", "NO_SUCH_KEY");
    sandbox.write("config/redraft/config.toml", config);
    expect(&sandbox, 1, "podcast review -w w --asset-id talk");
    status(&sandbox, &["Waits: creator failed: ", "NO_SUCH_KEY"]);
}

#[test]
fn what_both_sides_cannot_settle_can_be_picked_or_reopened() {
    let provider = Provider::new(|seen| match seen.model() {
        "critic" => Does::Says(verdict("changes_requested", &["too short"])),
        _ => Does::Says(honest(seen)),
    });
    let sandbox = studio(&provider, "");
    let ended = expect(&sandbox, 3, "podcast review -w w --asset-id talk --max-iterations 1");
    let reopen = "redraft podcast review --workspace w --asset-id talk --reopen --reason TEXT";
    assert!(ended.err.contains(&format!("or: {reopen}")), "{}", ended.err);
    status(
        &sandbox,
        &[
            "Next: redraft podcast pick --workspace w --asset-id talk --candidate-id ",
            &format!("Next: {reopen}"),
            "error by reviewer (critic): too short (open in 1)",
            "Best so far: iteration 1 with 1 error and 0 warnings",
        ],
    );
}

#[test]
fn many_assets_have_a_line_each_and_findings_only_where_they_are_open() {
    let provider = Provider::new(|seen| match (seen.model(), seen.text().contains("`sermon`")) {
        ("critic", true) => Does::Says(verdict("changes_requested", &["too short"])),
        ("critic", false) => Does::Says(honest(seen)),
        _ => Does::Says(candidate("A plain text about the talk.", true)),
    });
    let sandbox = studio(&provider, "");
    let words = "--asset-id lecture --asset-id sermon --asset-id speech --max-iterations 1";
    expect(&sandbox, 3, &format!("podcast review -w w {words}"));
    let page = sandbox.expect(0, STATUS).out;
    let lines: Vec<&str> = page.lines().collect();
    let of = |asset: &str| {
        lines.iter().position(|line| line.starts_with(&format!("Asset: {asset}"))).unwrap()
    };
    let (lecture, sermon, speech) = (of("lecture"), of("sermon"), of("speech"));
    assert_eq!((sermon, speech), (lecture + 1, sermon + 2), "{page}");
    assert_eq!(
        lines[lecture],
        "Asset: lecture  Iteration: 1/1  Verdict: ok  Outcome: converged (reviewer_ok_and_creator_done)  Blocking issues: 0"
    );
    assert!(lines[sermon + 1].contains("error by reviewer (critic): too short"), "{page}");
    let whole = sandbox.expect(0, &format!("{STATUS} --asset-id sermon")).out;
    assert!(whole.contains("Iteration: 1/1\nVerdict: changes_requested\n"), "{whole}");
    assert!(!whole.contains("lecture"), "{whole}");
    sandbox.expect(2, &format!("{STATUS} --asset-id homily"));
}

#[test]
fn a_home_that_was_moved_still_tells_the_file_a_person_is_waited_for() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 3, "podcast review -w w --asset-id talk --creator human");
    fs::rename(sandbox.join("w"), sandbox.join("v")).unwrap();
    configure(&sandbox, &provider, "");
    let page = sandbox.expect(0, "podcast status -w v").out;
    assert!(page.contains("talk-1-create-creator.response.md"), "{page}");
}
