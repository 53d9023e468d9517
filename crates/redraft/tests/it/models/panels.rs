//! Panels, deadlines and Retry-After, with the real clock and a local server.

use super::{expect, studio};
use crate::{
    provider::{Does, Provider, candidate, honest, verdict},
    scene::document,
};
use std::time::{Duration, Instant};

const REVIEW: &str = "podcast review -w w --asset-id talk";

#[test]
fn a_panel_reviews_side_by_side_and_keeps_every_finding() {
    let slow = Duration::from_millis(700);
    let provider = Provider::new(move |seen| match (seen.model(), seen.nth) {
        ("writer", _) => Does::Says(candidate("One line.", true)),
        ("critic", 0) => {
            Does::SaysAfter(slow, verdict("changes_requested", &["too short", "no name in it"]))
        }
        ("critic2", 0) => Does::SaysAfter(slow, verdict("changes_requested", &["too short"])),
        _ => Does::Says(verdict("ok", &[])),
    });
    let sandbox = studio(&provider, "[lenses]\ncritic = \"facts\"\ncritic2 = \"style\"\n");
    let words = format!("{REVIEW} --reviewer critic --reviewer critic2 --max-iterations 1");
    expect(&sandbox, 3, &words);
    let seen = provider.seen();
    let at = |model: &str| seen.iter().find(|seen| seen.model() == model).unwrap().at;
    let apart = at("critic").max(at("critic2")) - at("critic").min(at("critic2"));
    assert!(apart < slow, "the second was asked {apart:?} after the first");
    let review = document(&sandbox, "w/copy/protocol/talk/iteration_01.json");
    let issues = review["reviewer"]["issues"].as_array().unwrap();
    let told: Vec<&str> = issues.iter().map(|issue| issue["message"].as_str().unwrap()).collect();
    assert_eq!(told, ["too short", "no name in it", "too short"]);
    assert_eq!(review["reviewer"]["verdict"], "changes_requested");
    let ours = document(&sandbox, "w/copy/protocol/talk/redraft.json");
    assert_eq!(ours["findings"].as_array().unwrap().len(), 3);
    let prompts: Vec<String> = seen.iter().skip(1).map(|seen| seen.text()).collect();
    assert_ne!(prompts[0], prompts[1], "each looks through its own lens");
}

#[test]
fn a_call_past_its_deadline_fails_and_is_tried_again() {
    let provider = Provider::new(|seen| match (seen.model(), seen.nth) {
        ("writer", 0) => Does::Hangs,
        _ => Does::Says(honest(seen)),
    });
    let sandbox = studio(&provider, "");
    let before = Instant::now();
    expect(&sandbox, 0, &format!("{REVIEW} --call-seconds 1"));
    assert!(before.elapsed() >= Duration::from_secs(2), "the deadline and a delay");
    assert!(before.elapsed() < Duration::from_secs(10), "{:?}", before.elapsed());
    assert_eq!(provider.asked(), 3);
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let shown = sandbox.json(&format!("runs show -w w {run}"));
    assert_eq!(shown["record"]["calls"][0]["state"]["failed"]["failure"], "timeout", "{shown}");
}

#[test]
fn retry_after_is_obeyed() {
    let provider = Provider::new(|seen| match (seen.model(), seen.nth) {
        ("writer", 0) => Does::Fails(
            429,
            vec![("retry-after", "3".to_owned()), ("content-type", "application/json".to_owned())],
            r#"{"error":{"message":"slow down","type":"rate_limit"}}"#.to_owned(),
        ),
        _ => Does::Says(honest(seen)),
    });
    let sandbox = studio(&provider, "");
    expect(&sandbox, 0, REVIEW);
    let seen = provider.seen();
    let apart = seen[1].at - seen[0].at;
    assert!(apart >= Duration::from_secs(3) && apart < Duration::from_secs(6), "{apart:?}");
}

#[test]
fn who_asks_for_an_hour_is_not_waited_for() {
    let provider = Provider::new(|_| {
        Does::Fails(429, vec![("retry-after", "3600".to_owned())], "{}".to_owned())
    });
    let sandbox = studio(&provider, "");
    let before = Instant::now();
    let ended = expect(&sandbox, 1, REVIEW);
    assert!(ended.err.contains("asks to wait 3600 s"), "{}", ended.err);
    assert!(before.elapsed() < Duration::from_secs(10), "{:?}", before.elapsed());
    assert_eq!(provider.asked(), 1);
    let again = expect(&sandbox, 1, REVIEW).err;
    assert!(again.contains("nothing is sent before 2"), "until when is told: {again}");
    assert_eq!(provider.asked(), 1, "the hour is not over for the next command");
}

#[test]
fn an_absurd_wait_holds_for_a_day_and_no_longer() {
    let provider = Provider::new(|_| {
        Does::Fails(429, vec![("retry-after", "1000000000000".to_owned())], "{}".to_owned())
    });
    let sandbox = studio(&provider, "");
    for command in ["the first", "the next"] {
        let ended = expect(&sandbox, 1, REVIEW);
        let (_, until) = ended.err.split_once("help: run it again after ").unwrap();
        let until = until.split_once(';').unwrap().0;
        assert!(ended.err.contains(&format!("nothing is sent before {until}")), "{}", ended.err);
        let until: jiff::Timestamp = until.parse().unwrap();
        let hours = (until - jiff::Timestamp::now()).total(jiff::Unit::Hour).unwrap();
        assert!(hours > 23.5 && hours <= 24.0, "{command}: {hours}");
    }
    assert_eq!(provider.asked(), 1);
}

#[test]
fn the_next_command_waits_for_what_is_left() {
    let provider = Provider::new(|seen| match (seen.model(), seen.nth) {
        ("writer", 0) => Does::Fails(429, vec![("retry-after", "3".to_owned())], "{}".to_owned()),
        _ => Does::Says(honest(seen)),
    });
    let sandbox = studio(&provider, "");
    expect(&sandbox, 1, &format!("{REVIEW} --call-seconds 1"));
    expect(&sandbox, 0, REVIEW);
    let seen = provider.seen();
    let apart = seen[1].at - seen[0].at;
    assert!(apart >= Duration::from_secs(3) && apart < Duration::from_secs(8), "{apart:?}");
}

#[test]
fn creator_and_reviewer_of_one_family_are_warned_about() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let text = sandbox.read("config/redraft/config.toml");
    let text = text.replace("max_output_tokens", "family = \"same\"\nmax_output_tokens");
    sandbox.write("config/redraft/config.toml", text);
    let ended = expect(&sandbox, 0, REVIEW);
    let told = "creator and reviewer are of one model family (same)";
    assert!(ended.err.contains(told), "{}", ended.err);
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let shown = sandbox.json(&format!("runs show -w w {run}"));
    assert!(shown["record"]["warnings"][0].as_str().unwrap().contains(told), "{shown}");
}
