//! Drafts of several assets, of which one stops: the others are not paid for again.

use super::{expect, studio};
use crate::{
    provider::{Does, Provider, candidate},
    sandbox::Sandbox,
    scene::asset,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::SeqCst},
};

const DRAFT: &str = "podcast draft -w w --asset-id press --asset-id talk";

/// A writer who cannot write this asset until that is mended.
fn writer(asset: &'static str) -> (Provider, Arc<AtomicBool>) {
    let mended = Arc::new(AtomicBool::new(false));
    let works = Arc::clone(&mended);
    let provider = Provider::new(move |seen| {
        let fails = !works.load(SeqCst) && is_about(&seen.text(), asset);
        match fails {
            true => Does::Fails(400, vec![], "{}".to_owned()),
            false => Does::Says(candidate(&format!("Text number {}.", seen.nth + 1), true)),
        }
    });
    (provider, mended)
}

fn is_about(text: &str, asset: &str) -> bool {
    text.contains(&format!("Write the text `{asset}`"))
}

fn asked_about(provider: &Provider, asset: &str) -> usize {
    provider.seen().iter().filter(|seen| is_about(&seen.text(), asset)).count()
}

fn texts(sandbox: &Sandbox, id: &str) -> usize {
    asset(sandbox, id)["candidates"].as_array().unwrap().len()
}

#[test]
fn assets_that_were_done_before_a_stop_are_left_out() {
    let (provider, mended) = writer("talk");
    let sandbox = studio(&provider, "");
    let stopped = expect(&sandbox, 1, DRAFT);
    assert!(stopped.err.contains("stopped: talk: "), "{}", stopped.err);
    assert!(stopped.out.contains("press: 1 new candidate\n"), "{}", stopped.out);
    let told = expect(&sandbox, 0, &format!("{DRAFT} --dry-run"));
    assert!(!told.out.contains("press: up to") && told.out.contains("talk: up to"), "{}", told.out);
    mended.store(true, SeqCst);
    let resumed = expect(&sandbox, 0, DRAFT);
    assert!(resumed.err.contains("left out, as drafted before the stop: press"), "{}", resumed.err);
    assert!(!resumed.out.contains("press"), "{}", resumed.out);
    assert_eq!((asked_about(&provider, "press"), texts(&sandbox, "press")), (1, 1));
    assert_eq!(texts(&sandbox, "talk"), 1);
    expect(&sandbox, 0, DRAFT);
    assert_eq!(asked_about(&provider, "press"), 2, "nothing was stopped: both are drafted anew");
    sandbox.expect(0, "verify -w w");
}

#[test]
fn all_assets_but_one_are_done_and_json_names_them() {
    let (provider, mended) = writer("slug");
    let sandbox = studio(&provider, "");
    expect(&sandbox, 1, "podcast draft -w w --all");
    let before = provider.asked() - asked_about(&provider, "slug");
    assert_eq!(before, 12);
    mended.store(true, SeqCst);
    let told = expect(&sandbox, 0, "podcast draft -w w --all --json").out;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let left_out = told["left_out"].as_array().unwrap();
    assert_eq!(left_out.len(), 12, "{told}");
    assert!(!left_out.contains(&"slug".into()), "{told}");
    assert_eq!(provider.asked() - asked_about(&provider, "slug"), before);
}

#[test]
fn an_asset_that_was_done_before_the_stopped_command_began_is_drafted_too() {
    let (provider, mended) = writer("talk");
    let sandbox = studio(&provider, "");
    expect(&sandbox, 0, "podcast draft -w w --asset-id press");
    expect(&sandbox, 1, "podcast draft -w w --asset-id talk");
    mended.store(true, SeqCst);
    expect(&sandbox, 0, DRAFT);
    assert_eq!((texts(&sandbox, "press"), texts(&sandbox, "talk")), (2, 1));
}

#[test]
fn an_asset_that_has_fewer_candidates_than_are_wanted_now_is_drafted_too() {
    let (provider, mended) = writer("talk");
    let sandbox = studio(&provider, "");
    expect(&sandbox, 1, DRAFT);
    mended.store(true, SeqCst);
    let told = expect(&sandbox, 0, &format!("{DRAFT} --candidates 2"));
    assert!(!told.err.contains("left out"), "{}", told.err);
    assert_eq!(texts(&sandbox, "press"), 3);
}
