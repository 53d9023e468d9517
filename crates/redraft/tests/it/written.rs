//! Data that stdout does not take: told and counted as a failure, unless the reader has gone away.
#![cfg(target_os = "linux")]

use crate::sandbox::{REDRAFT, Sandbox, ended};
use std::{
    fs::OpenOptions,
    process::{Command, Stdio},
};

/// A folder with a home and an answered question in it; its run.
fn answered() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    let run =
        sandbox.json("solve What? --context What-is-blue.")["run_id"].as_str().unwrap().to_owned();
    (sandbox, run)
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

fn words(run: &str) -> [String; 12] {
    [
        "solve What? --context What-is-blue.".to_owned(),
        "solve What? --context What-is-blue. --json".to_owned(),
        "solve What? --context What-is-blue. --dry-run".to_owned(),
        "runs list".to_owned(),
        format!("runs record {run}"),
        format!("runs export {run} --html -o -"),
        format!("runs show {run}"),
        "budget show".to_owned(),
        "config show".to_owned(),
        "prompts list".to_owned(),
        "doctor".to_owned(),
        "--help".to_owned(),
    ]
}

#[test]
fn what_a_full_disk_swallows_is_a_failure_and_told() {
    let (sandbox, run) = answered();
    for words in words(&run) {
        let ended = ended(&sandbox.command(REDRAFT, &words).stdout(full()).output().unwrap());
        assert_eq!(ended.code, 1, "{words}: {}", ended.err);
        assert!(ended.err.contains("error: stdout cannot be written"), "{words}: {}", ended.err);
        assert!(ended.err.contains("because: No space left"), "{words}: {}", ended.err);
    }
}

#[test]
fn a_usage_error_keeps_its_code_where_stdout_is_full() {
    let sandbox = Sandbox::new();
    let mut command: Command = sandbox.command(REDRAFT, "solve --json");
    let ended = ended(&command.stdout(full()).output().unwrap());
    assert_eq!(ended.code, 2, "{}", ended.err);
    assert!(ended.err.contains("stdout cannot be written"), "{}", ended.err);
}

#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let (sandbox, run) = answered();
    for words in words(&run).iter().filter(|words| *words != "doctor") {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = ended(&sandbox.command(REDRAFT, words).stdout(writer).output().unwrap());
        assert_eq!(ended.code, 0, "{words}: {}", ended.err);
        assert!(!ended.err.contains("stdout"), "{words}: {}", ended.err);
    }
}

#[test]
fn a_document_of_a_usage_error_names_its_command() {
    let sandbox = Sandbox::new();
    for (words, command) in [
        ("solve --nope", "solve"),
        ("--json solve", "solve"),
        ("runs list --limit x", "runs list"),
        ("podcast review --nope", "podcast review"),
        ("nope", "redraft"),
    ] {
        let ended = sandbox.redraft(&format!("{words} --json"));
        let document: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
        assert_eq!((ended.code, document["command"].as_str()), (2, Some(command)), "{words}");
    }
}
