//! What cannot be asked is refused with 2, before a home is made or anybody is called.

use super::{desk, honest, solve, solved};
use crate::{
    provider::Provider,
    sandbox::{REDRAFT, Sandbox, ended},
};
use serde_json::json;
use std::{
    io::Write,
    process::{Command, Stdio},
};

/// Runs it with this on stdin.
fn fed(mut command: Command, stdin: &[u8]) -> crate::sandbox::Ended {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A child that has refused already does not read.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    ended(&child.wait_with_output().unwrap())
}

#[test]
fn bad_input_is_refused_and_names_its_file() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    sandbox.write("torn.txt", [0xff, 0xfe, b'a']);
    sandbox.write("empty.txt", " \n");
    sandbox.write("huge.txt", vec![b'a'; (16 << 20) + 1]);
    let before = sandbox.files(".");
    for (words, told) in [
        (vec![""], "the prompt is empty"),
        (vec![" \n\t"], "the prompt is empty"),
        (vec!["@empty.txt"], "the prompt is empty"),
        (vec!["@missing.txt"], "missing.txt: "),
        (vec!["Why?", "--context", "@missing.txt"], "missing.txt: "),
        (vec!["Why?", "--context", "@."], ".: "),
        (vec!["Why?", "--context", "@torn.txt"], "torn.txt: "),
        (vec!["Why?", "--context", "@huge.txt"], "huge.txt: longer than 16777216 bytes"),
        (vec!["Why?", "--max-calls", "0"], "give --max-calls 3 or more"),
        (vec!["Why?", "--max-calls", "1"], "give --max-calls 3 or more"),
        (vec!["Why?", "--max-calls", "2"], "give --max-calls 3 or more"),
        (
            vec!["Why?", "--critic", "critic", "--critic", "critic2", "--max-calls", "3"],
            "give --max-calls 4 or more",
        ),
    ] {
        let (ended, _) = solved(&sandbox, &words);
        let talk = format!("{}{}", ended.out, ended.err);
        assert_eq!(ended.code, 2, "{words:?}: {talk}");
        assert!(talk.contains(told), "{words:?}: {told:?} is not told: {talk}");
    }
    assert_eq!(provider.asked(), 0);
    assert!(sandbox.files(".") == before, "files have changed");
}

#[test]
fn no_home_is_made_for_what_is_refused() {
    let sandbox = Sandbox::new();
    for words in ["solve Why? --max-calls 2", "solve --resume 0199", "solve Why? --critic nobody"] {
        let mut command = sandbox.command(REDRAFT, words);
        command.env_remove("HOME").env("XDG_DATA_HOME", sandbox.join("data"));
        assert_eq!(ended(&command.output().unwrap()).code, 2, "{words}");
        assert!(!sandbox.join("data").exists(), "{words}");
    }
}

#[test]
fn a_question_comes_as_words_from_a_file_or_from_stdin() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let long = format!("Why?\n{}\n", "And why that? ".repeat(10_000));
    sandbox.write("question.txt", &long);
    for command in [solve(&sandbox, &["@question.txt"]), solve(&sandbox, &["-"])] {
        let ended = fed(command, long.as_bytes());
        assert_eq!(ended.code, 0, "{}", ended.err);
        let record = &sandbox.json("runs list")["runs"][0]["run_id"];
        let record = &sandbox.json(&format!("runs record {}", record.as_str().unwrap()))["record"];
        assert_eq!(record["solve"]["request"]["prompt"], json!(long));
    }
    for (stdin, told) in [(&b" "[..], "the prompt is empty"), (&[0xff, 0xfe], "stdin: ")] {
        let refused = fed(solve(&sandbox, &["-"]), stdin);
        let talk = format!("{}{}", refused.out, refused.err);
        assert!(refused.code == 2 && talk.contains(told), "{talk}");
    }
}

#[test]
fn a_context_of_megabytes_is_taken_whole() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let context = "A sentence of the context. ".repeat(80_000);
    sandbox.write("context.txt", &context);
    let (ended, body) = solved(&sandbox, &["Why?", "--context", "@context.txt"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(provider.seen()[0].text().contains(context.trim()), "it is told whole");
    let run = body["run_id"].as_str().unwrap();
    let record = &sandbox.json(&format!("runs record {run}"))["record"];
    assert_eq!(record["solve"]["request"]["context"], json!(context));
}
