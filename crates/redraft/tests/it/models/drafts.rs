//! Drafts by models: reserved, settled, journalled, resumed, and never paid for twice.

use super::{command, configure, expect, killing::killed_at, studio};
use crate::{
    provider::{Does, Provider, candidate},
    sandbox::{Sandbox, ended},
    scene::asset,
};
use std::process::Stdio;

const DRAFT: &str = "podcast draft -w w --asset-id talk";

/// A writer whose every text is another.
fn writer() -> Provider {
    Provider::new(|seen| Does::Says(candidate(&format!("Text number {}.", seen.nth + 1), true)))
}

fn texts(sandbox: &Sandbox) -> Vec<String> {
    let asset = asset(sandbox, "talk");
    let candidates = asset["candidates"].as_array().unwrap().iter();
    candidates.map(|c| c["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_configured_writer_drafts_and_a_review_starts_from_the_newest() {
    let provider = writer();
    let sandbox = studio(&provider, "");
    let told = expect(&sandbox, 0, &format!("{DRAFT} --candidates 2"));
    assert!(told.out.contains("talk: 2 new candidates"), "{}", told.out);
    assert_eq!(texts(&sandbox), ["Text number 1.", "Text number 2."]);
    let seen = provider.seen();
    assert!(seen.iter().all(|seen| seen.model() == "writer"), "nobody reviews a draft");
    assert!(!seen[1].text().contains("Text number 1."), "each is asked for afresh");
    let run = &sandbox.json("runs list -w w")["runs"][0];
    assert_eq!((&run["workflow"], &run["calls"]), (&"draft".into(), &2.into()), "{run}");
    assert_eq!(run["decision"]["reason"], "drafted");
    let agreeing = Provider::agreeing();
    configure(&sandbox, &agreeing, "");
    expect(&sandbox, 0, "podcast review -w w --asset-id talk");
    let first = agreeing.seen()[0].text();
    assert!(first.contains("Text number 2.") && !first.contains("Text number 1."), "{first}");
    sandbox.expect(0, "verify -w w");
    sandbox.expect(0, "repair -w w");
}

#[test]
fn a_cap_stops_between_two_drafts_and_a_higher_one_goes_on() {
    let provider = writer();
    let sandbox = studio(&provider, "");
    let words = format!("{DRAFT} --candidates 3");
    let stopped = expect(&sandbox, 5, &format!("{words} --max-calls 2"));
    assert!(stopped.out.contains("talk: 2 new candidates"), "what is paid for is kept");
    assert!(stopped.err.contains("stopped: "), "{}", stopped.err);
    expect(&sandbox, 5, &words);
    assert_eq!(provider.asked(), 2);
    let more = expect(&sandbox, 0, &format!("{words} --max-calls 3"));
    assert!(more.out.contains("talk: 1 new candidate\n"), "{}", more.out);
    assert_eq!((provider.asked(), texts(&sandbox).len()), (3, 3));
}

#[test]
fn the_caps_of_the_home_hold_for_drafts() {
    let provider = writer();
    let sandbox = studio(&provider, "[budget.home]\ncalls = 1\n");
    let ended = expect(&sandbox, 5, &format!("{DRAFT} --candidates 2"));
    assert!(ended.err.contains("calls of home: 1 of 1 used"), "{}", ended.err);
    assert_eq!((provider.asked(), texts(&sandbox).len()), (1, 1));
}

#[test]
fn a_dry_run_asks_nobody_and_writes_nothing() {
    let provider = writer();
    let sandbox = studio(&provider, "[prices.writer]\ninput = 10.0\noutput = 100.0\n");
    let before = sandbox.files(".");
    let told = expect(&sandbox, 0, &format!("{DRAFT} --candidates 2 --dry-run")).out;
    assert!(told.contains("talk: up to 2 calls, ") && told.contains("and $"), "{told}");
    assert!(told.contains("  creator, writer: a prompt of "), "{told}");
    assert!(sandbox.files(".") == before && provider.asked() == 0);
}

#[test]
fn equal_texts_are_kept_once() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let told = expect(&sandbox, 0, &format!("{DRAFT} --candidates 3")).out;
    assert!(told.contains("talk: 1 new candidate\n"), "{told}");
    assert_eq!((provider.asked(), texts(&sandbox).len()), (3, 1));
}

#[test]
fn a_person_who_drafts_is_waited_for() {
    let provider = writer();
    let sandbox = studio(&provider, "");
    let waits = expect(&sandbox, 3, &format!("{DRAFT} --creator human"));
    assert!(waits.err.contains("talk-1-create-creator.response.md"), "{}", waits.err);
    let unknown = expect(&sandbox, 2, "podcast draft -w w --asset-id slug --creator scripted");
    assert!(unknown.err.contains("a script drafts nothing"), "{}", unknown.err);
    assert_eq!(provider.asked(), 0);
}

#[test]
fn a_draft_that_was_answered_is_not_asked_for_again_after_a_kill() {
    let provider = Provider::new(|seen| match seen.nth {
        1 => Does::Hangs,
        n => Does::Says(candidate(&format!("Text number {}.", n + 1), true)),
    });
    let sandbox = studio(&provider, "");
    let mut killed = command(&sandbox, &format!("{DRAFT} --candidates 2"));
    let mut killed = killed.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while provider.asked() < 2 {
        std::thread::yield_now();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    expect(&sandbox, 0, DRAFT);
    assert_eq!(provider.asked(), 3, "the call in flight, once more");
    assert_eq!(texts(&sandbox), ["Text number 1.", "Text number 3."]);
}

#[test]
fn another_writer_who_is_named_finishes_an_open_draft() {
    let provider = writer();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 5, &format!("{DRAFT} --candidates 3 --max-calls 2"));
    let other = format!("{DRAFT} --candidates 1 --creator critic");
    let rehearsed = expect(&sandbox, 0, &format!("{other} --dry-run"));
    assert!(rehearsed.out.contains("talk: up to 1 call, "), "{}", rehearsed.out);
    let told = expect(&sandbox, 0, &other);
    assert!(told.err.contains("creator=writer (writer) is left as it stands"), "{}", told.err);
    assert_eq!(provider.seen().last().unwrap().model(), "critic");
    assert_eq!(provider.asked(), 3);
    let runs = sandbox.json("runs list -w w")["runs"].clone();
    let calls: Vec<_> = runs.as_array().unwrap().iter().map(|run| run["calls"].clone()).collect();
    assert_eq!(calls, [1, 2], "what the first used stays in its record");
    assert_eq!(texts(&sandbox).len(), 2, "its third text is like its first");
    expect(&sandbox, 0, DRAFT);
    assert_eq!(provider.seen().last().unwrap().model(), "writer", "the first is over");
    sandbox.expect(0, "verify -w w");
}

/// Killed at the k-th call of this name, and resumed; whether the kill came in time.
fn kill_and_resume(name: &str, k: usize) -> bool {
    let provider = writer();
    let sandbox = studio(&provider, "");
    if !killed_at(&sandbox, DRAFT, name, k) {
        return false;
    }
    let (place, stage) = (format!("{name} number {k}"), stage(&sandbox));
    let resumed = ended(&command(&sandbox, DRAFT).output().unwrap());
    assert_eq!(resumed.code, 0, "{place}: {}", resumed.err);
    let asked = provider.asked();
    match stage {
        Stage::Asked => assert!(asked <= 2, "{place}: asked {asked} times"),
        Stage::Answered => assert_eq!(asked, 1, "{place}: it was asked again after its answer"),
        // All was done but for saying so: the command may draft anew.
        Stage::Written => assert!(asked <= 2, "{place}: asked {asked} times"),
    }
    assert!(texts(&sandbox).len() == 1 || stage == Stage::Written, "{place}");
    sandbox.expect(0, "verify -w w");
    sandbox.expect(0, "repair -w w");
    true
}

/// How far a killed command came.
#[derive(PartialEq)]
enum Stage {
    Asked,
    Answered,
    Written,
}

fn stage(sandbox: &Sandbox) -> Stage {
    let ended = sandbox.redraft("runs list -w w --json");
    let listed: serde_json::Value = serde_json::from_str(&ended.out).unwrap_or_default();
    if listed["runs"][0]["decision"].is_null() {
        return Stage::Asked;
    }
    match sandbox.read("w/state.json").contains("Text number 1.") {
        true => Stage::Written,
        false => Stage::Answered,
    }
}

#[test]
fn a_kill_at_any_sync_of_a_draft_costs_one_call_more_at_most() {
    if !crate::durability::trace::works() {
        return;
    }
    for name in ["fsync", "fdatasync"] {
        let kills = (1..).take_while(|k| kill_and_resume(name, *k)).count();
        assert!(kills > 0, "{name} is never called");
    }
}
