//! Drafts that a killed command has paid for and not kept: the next command keeps them, and does what it is told.

use super::{
    expect,
    killing::{facts, killed_at},
    studio,
};
use crate::{
    durability::trace,
    provider::{Does, Provider, candidate},
    sandbox::Sandbox,
    scene::asset,
};
use serde_json::{Value, json};

const DRAFT: &str = "podcast draft -w w --asset-id talk";

/// A workspace with a run that is decided, and of which nothing is kept.
fn left_behind() -> (Sandbox, Provider) {
    let makes = || {
        let provider = Provider::new(|seen| {
            Does::Says(candidate(&format!("Text {} of {}.", seen.nth + 1, seen.model()), true))
        });
        (studio(&provider, ""), provider)
    };
    for k in 1.. {
        let (sandbox, provider) = makes();
        assert!(killed_at(&sandbox, DRAFT, "fdatasync", k), "no kill came in between");
        let listed = sandbox.redraft("runs list -w w --json").out;
        let listed: Value = serde_json::from_str(&listed).unwrap_or_default();
        if !listed["runs"][0]["decision"].is_null() && facts(&sandbox, "drafted") == 0 {
            return (sandbox, provider);
        }
    }
    unreachable!("the kills end before")
}

fn texts(sandbox: &Sandbox) -> Vec<String> {
    let asset = asset(sandbox, "talk");
    let candidates = asset["candidates"].as_array().unwrap().iter();
    candidates.map(|c| c["content"].as_str().unwrap().to_owned()).collect()
}

fn drafted(sandbox: &Sandbox, words: &str) -> Value {
    let told = expect(sandbox, 0, &format!("{DRAFT} {words} --json")).out;
    serde_json::from_str(&told).unwrap()
}

#[test]
fn another_writer_and_more_candidates_are_asked_for_beside_what_was_left_behind() {
    if !trace::works() {
        return;
    }
    let (sandbox, provider) = left_behind();
    let told = drafted(&sandbox, "--candidates 2 --creator critic");
    assert_eq!(texts(&sandbox), ["Text 1 of writer.", "Text 1 of critic.", "Text 2 of critic."]);
    let by: Vec<&Value> = told["candidates"].as_array().unwrap().iter().map(|c| &c["by"]).collect();
    assert_eq!(by, ["writer", "critic", "critic"], "{told}");
    assert_eq!((&told["by"], provider.asked()), (&json!("critic"), 3));
    sandbox.expect(0, "verify -w w");
}

#[test]
fn more_candidates_of_the_same_writer_are_asked_for_too() {
    if !trace::works() {
        return;
    }
    let (sandbox, provider) = left_behind();
    drafted(&sandbox, "--candidates 2");
    assert_eq!((texts(&sandbox).len(), provider.asked()), (3, 3));
}

#[test]
fn what_was_left_behind_is_told_as_its_writers_where_nobody_is_asked() {
    if !trace::works() {
        return;
    }
    let (sandbox, provider) = left_behind();
    let config = sandbox.read("config/redraft/config.toml");
    let others = config.replace("creator = \"writer\"", "creator = \"critic\"");
    sandbox.write("config/redraft/config.toml", others);
    let told = drafted(&sandbox, "");
    assert_eq!((&told["by"], texts(&sandbox).len()), (&json!("writer"), 1), "{told}");
    assert_eq!(provider.asked(), 1);
}
