//! An episode from its transcript to its texts, offline.

use crate::{
    sandbox::Sandbox,
    scene::{document, state, workspace},
};
use serde_json::Value;

/// Who says what, and when.
const TALK: [(u32, &str, &str); 6] = [
    (0, "Ada Moss", "Welcome to the kitchen show. Today we bake bread with a sourdough starter."),
    (
        12,
        "Bo Lind",
        "A sourdough starter is flour and water, fed every day until it is full of wild yeast.",
    ),
    (30, "Ada Moss", "How long does the dough have to rest before it goes into the oven?"),
    (
        45,
        "Bo Lind",
        "The dough rests overnight in the fridge, because slow fermentation gives the bread its flavour.",
    ),
    (70, "Ada Moss", "And the oven has to be very hot, with a little steam for the crust."),
    (90, "Bo Lind", "Exactly, the steam keeps the crust soft while the bread rises in the oven."),
];

fn clock(seconds: u32, fraction: &str) -> String {
    format!("{:02}:{:02}:{:02}{fraction}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn markdown() -> String {
    TALK.map(|(at, who, text)| format!("[{}] **{who}:** {text}\n\n", clock(at, ".000"))).concat()
}

fn webvtt() -> String {
    let cue = |(at, who, text): (u32, &str, &str)| {
        format!("{} --> {}\n<v {who}>{text}\n\n", clock(at, ".000"), clock(at + 9, ".500"))
    };
    format!("WEBVTT\n\n{}", TALK.map(cue).concat())
}

fn srt() -> String {
    let cues = (1..).zip(TALK).map(|(n, (at, who, text))| {
        format!("{n}\n{} --> {}\n{who}: {text}\n\n", clock(at, ",000"), clock(at + 9, ",500"))
    });
    cues.collect()
}

fn ingested(name: &str, text: &str) -> (Sandbox, Value) {
    let sandbox = workspace();
    sandbox.write(name, text);
    let taken = sandbox.json(&format!("podcast ingest -w w --transcript {name}"));
    assert_eq!(taken["exit_code"], 0, "{taken}");
    (sandbox, taken)
}

#[test]
fn the_same_talk_is_taken_in_from_markdown_webvtt_and_srt() {
    for (name, text) in [("t.md", markdown()), ("t.vtt", webvtt()), ("t.srt", srt())] {
        let (sandbox, taken) = ingested(name, &text);
        assert_eq!(taken["turns"], 6, "{name}");
        assert_eq!(taken["speakers"], serde_json::json!(["Ada Moss", "Bo Lind"]), "{name}");
        let written = sandbox.read("w/transcript/transcript.txt");
        for (at, who, said) in TALK {
            let line = format!("[{}] {who}: {said}", clock(at, ""));
            assert!(written.contains(&line), "{name}: {line}\n{written}");
        }
        assert_eq!(state(&sandbox, "w")["tracks"][0]["track_id"], "transcript");
        let chunk = document(&sandbox, "w/transcript/chunks/chunk_0001.json");
        assert_eq!(chunk["version"], 1);
        assert!(sandbox.join(&format!("w/{}", chunk["text_relpath"].as_str().unwrap())).exists());
    }
}

#[test]
fn chapters_come_as_lines_or_as_podcasting_json() {
    let lines = "00:00:00 Welcome\n00:00:30 The dough\n00:01:10 The oven\n";
    let json = r#"{"version": "1.2.0", "chapters": [
        {"startTime": 0, "title": "Welcome"}, {"startTime": 30, "title": "The dough"}, {"startTime": 70, "title": "The oven"}]}"#;
    for (name, text) in [("c.txt", lines), ("c.json", json)] {
        let sandbox = workspace();
        sandbox.write("t.md", markdown());
        sandbox.write(name, text);
        sandbox.expect(0, &format!("podcast ingest -w w --transcript t.md --chapters {name}"));
        let chapters = state(&sandbox, "w")["chapters"].as_array().unwrap().clone();
        let titles: Vec<&str> = chapters.iter().map(|c| c["title"].as_str().unwrap()).collect();
        assert_eq!(titles, ["Welcome", "The dough", "The oven"], "{name}");
        assert_eq!(chapters[1]["start_sec"], 30.0);
        assert_eq!(sandbox.read("w/transcript/chapters.txt"), lines);
    }
}

#[test]
fn an_episode_goes_from_transcript_to_texts() {
    let (sandbox, _) = ingested("t.md", &markdown());
    sandbox.expect(0, "podcast summarize -w w");
    for path in ["chunks/chunk_0001.summary.json", "episode/episode_summary.json"] {
        let summary = document(&sandbox, &format!("w/summaries/{path}"));
        assert_eq!(summary["version"], 1);
        assert!(!summary["summary_markdown"].as_str().unwrap().is_empty());
    }
    sandbox.expect(0, "podcast draft -w w --asset-id mastodon --candidates 2");
    let reviewed = sandbox.json("podcast review -w w --all");
    let assets = reviewed["assets"].as_array().unwrap();
    assert_eq!(assets.len(), 13);
    for asset in assets {
        assert!(
            ["converged", "needs_human"].contains(&asset["outcome"].as_str().unwrap()),
            "{asset}"
        );
    }
    assert!([0, 3].contains(&reviewed["exit_code"].as_i64().unwrap()));
    let before = sandbox.files("w");
    assert_eq!(sandbox.json("podcast review -w w --all")["assets"], reviewed["assets"]);
    assert!(sandbox.files("w") == before, "a second review of all has changed files");
    let status = sandbox.json("podcast status -w w");
    assert_eq!(status["assets"].as_array().unwrap().len(), 13);
    let odd: Vec<&Value> = status["checklist"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|i| i["state"] == "changed")
        .collect();
    assert_eq!(odd, Vec::<&Value>::new());
    sandbox.expect(0, "verify -w w");
    assert!(sandbox.expect(0, "repair -w w").out.contains("Every file is as the journal has it."));
}

#[test]
fn a_second_transcript_replaces_the_first_and_leaves_no_chunk_of_it() {
    let long = "**Ada:** The dough rests overnight in the fridge and rises slowly.\n\n**Bo:** The oven has to be hot.\n\n".repeat(200);
    let (sandbox, taken) = ingested("long.md", &long);
    assert!(taken["chunks"].as_u64().unwrap() > 1);
    sandbox.write("t.md", markdown());
    sandbox.expect(0, "podcast ingest -w w --transcript t.md");
    let chunks: Vec<String> = sandbox.files("w/transcript/chunks").into_keys().collect();
    assert_eq!(chunks, ["chunk_0001.json", "chunk_0001.txt"]);
    assert!(sandbox.expect(0, "repair -w w").out.contains("Every file is as the journal has it."));
}

#[test]
fn a_dry_run_writes_nothing() {
    let (sandbox, _) = ingested("t.md", &markdown());
    let facts = sandbox.json("verify -w w")["facts"].clone();
    crate::scene::refused(
        &sandbox,
        0,
        "podcast review -w w --all --dry-run",
        &["description: up to 6 calls"],
    );
    assert_eq!(sandbox.json("verify -w w")["facts"], facts);
}

#[test]
fn runs_are_listed_and_shown_by_the_beginning_of_their_id() {
    let (sandbox, _) = ingested("t.md", &markdown());
    sandbox.expect(0, "podcast review -w w --asset-id description --fake-runner");
    let listed = sandbox.json("runs list -w w");
    let run = listed["runs"][0]["run_id"].as_str().unwrap();
    assert_eq!(listed["runs"][0]["subject"], "description");
    let shown = sandbox.expect(0, &format!("runs show -w w {}", &run[..13]));
    for line in [
        "Cast: creator is played by scripted",
        "Calls: 4 charged",
        "Outcome: converged (reviewer_ok_and_creator_done)",
    ] {
        assert!(shown.out.contains(line), "{line}\n{}", shown.out);
    }
    crate::scene::refused(&sandbox, 2, "runs show -w w zzz", &["there is no run zzz"]);
}

#[test]
fn another_transcript_does_not_slip_under_texts_that_were_reviewed() {
    let (sandbox, _) = ingested("talk.md", &markdown());
    sandbox.redraft("podcast review -w w --asset-id slug");
    sandbox.write(
        "other.md",
        "**Cleo:** A bridge is older than its town.\n\n**Dan:** It is, by a year.\n",
    );
    let before = sandbox.files("w");
    let told = sandbox.expect(2, "podcast ingest -w w --transcript other.md");
    assert!(told.err.contains("talk.md") && told.err.contains("--replace"), "{}", told.err);
    assert_eq!(sandbox.files("w"), before);
    sandbox.expect(0, "podcast ingest -w w --transcript other.md --replace");
    let status = sandbox.json("podcast status -w w");
    assert_eq!(status["assets"][0]["stale"], true, "{status}");
    assert!(sandbox.expect(0, "repair -w w").out.contains("Every file is as the journal has it."));
}
