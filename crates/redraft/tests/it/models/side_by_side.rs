//! Assets of one command whose open runs have different agents: each goes on with its own.

use super::{configure, expect, studio};
use crate::{
    provider::{Does, Provider, candidate, honest},
    sandbox::Sandbox,
};
use std::collections::BTreeMap;

const BOTH: &str = "--asset-id lecture --asset-id sermon";
const THREE: &str = "--asset-id lecture --asset-id sermon --asset-id speech";

/// Who reviewed which asset, by the runs' own records.
fn reviewers(sandbox: &Sandbox) -> BTreeMap<String, Vec<String>> {
    let status = sandbox.json("podcast status -w w");
    let assets = status["assets"].as_array().unwrap().iter();
    let seats = |asset: &serde_json::Value| {
        let cast = asset["cast"].as_array().unwrap().iter();
        let reviewers = cast.filter(|member| member[0] != "creator");
        reviewers.map(|member| member[1].as_str().unwrap().to_owned()).collect()
    };
    assets.map(|asset| (asset["asset_id"].as_str().unwrap().to_owned(), seats(asset))).collect()
}

fn check(sandbox: &Sandbox, expected: &[(&str, &[&str])]) {
    let expected = expected.iter().map(|(asset, names)| {
        ((*asset).to_owned(), names.iter().map(|name| (*name).to_owned()).collect())
    });
    assert_eq!(reviewers(sandbox), expected.collect::<BTreeMap<String, Vec<String>>>());
}

#[test]
fn new_assets_beside_an_open_run_are_reviewed_by_the_configured_panel() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let open = "podcast review -w w --asset-id lecture --reviewer critic2 --max-calls 1";
    expect(&sandbox, 5, open);
    let words = format!("podcast review -w w {THREE} --max-calls 9");
    let told = expect(&sandbox, 0, &format!("{words} --dry-run")).out;
    let (mine, others) = (
        "with writer, reviewed by critic2\nlecture: ",
        "with writer, reviewed by critic\nsermon: ",
    );
    assert!(told.contains(mine) && told.contains(others), "{told}");
    expect(&sandbox, 0, &words);
    check(&sandbox, &[("lecture", &["critic2"]), ("sermon", &["critic"]), ("speech", &["critic"])]);
}

#[test]
fn open_runs_of_different_agents_go_on_side_by_side_as_status_says() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    for (asset, critic) in [("lecture", "critic"), ("sermon", "critic2")] {
        let words = format!("podcast review -w w --asset-id {asset} --reviewer {critic}");
        expect(&sandbox, 5, &format!("{words} --max-calls 1"));
    }
    expect(&sandbox, 0, &format!("podcast review -w w {BOTH} --max-calls 9"));
    check(&sandbox, &[("lecture", &["critic"]), ("sermon", &["critic2"])]);
    sandbox.expect(0, "verify -w w");
}

#[test]
fn a_flag_against_an_open_run_is_refused_for_that_asset_alone() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 5, "podcast review -w w --asset-id lecture --max-calls 1");
    let ended = expect(
        &sandbox,
        2,
        &format!("podcast review -w w {BOTH} --reviewer critic2 --max-calls 9"),
    );
    assert!(ended.err.contains("lecture: the run was opened with "), "{}", ended.err);
    check(&sandbox, &[("lecture", &["critic"]), ("sermon", &["critic2"])]);
    assert_eq!(sandbox.json("podcast status -w w")["assets"][1]["outcome"], "converged");
}

#[test]
fn an_open_draft_goes_on_with_its_writer_beside_new_ones() {
    let provider = Provider::new(|seen| match seen.model() {
        "critic" => Does::Says(candidate(&format!("By the critic, {}.", seen.nth), true)),
        _ => Does::Says(honest(seen)),
    });
    let sandbox = studio(&provider, "");
    let open = "podcast draft -w w --asset-id lecture --creator critic --candidates 2";
    expect(&sandbox, 5, &format!("{open} --max-calls 1"));
    configure(&sandbox, &provider, "");
    expect(&sandbox, 0, &format!("podcast draft -w w {BOTH} --candidates 2 --max-calls 9"));
    let of = |model: &str| provider.seen().iter().filter(|seen| seen.model() == model).count();
    assert_eq!((of("critic"), of("writer")), (2, 2));
    let runs = sandbox.json("runs list -w w");
    let told = runs["runs"].as_array().unwrap().iter().map(|run| run["subject"].clone());
    assert_eq!(told.count(), 2, "one run an asset: {runs}");
}
