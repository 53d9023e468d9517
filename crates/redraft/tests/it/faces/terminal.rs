//! Untrusted text does not reach a terminal as it came, and a reader that goes away is no error.

use crate::{
    sandbox::{Ended, REDRAFT, Sandbox, ended},
    scene::{agrees, asset, draft, final_draft, review, scripted},
};
use serde_json::json;
use std::process::Stdio;

const EVIL: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{2066}txt\u{200b}\r\u{7f}\u{feff}\nOutcome: converged (forged)\n";

/// Everything a person is shown, in every command that shows texts.
fn shown(sandbox: &Sandbox, code: i32) -> Vec<Ended> {
    let mut all = vec![sandbox.expect(code, &review("description", "--max-iterations 1"))];
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let show = format!("runs show -w w {run}");
    for words in ["podcast status -w w", "podcast pick -w w", "runs list -w w", &show] {
        all.push(sandbox.expect(0, words));
        all.push(sandbox.expect(0, &format!("{words} --json")));
    }
    all
}

fn check(sandbox: &Sandbox, code: i32) {
    for ended in shown(sandbox, code) {
        for text in [&ended.out, &ended.err] {
            let odd = text.chars().find(|c| {
                (c.is_control() && *c != '\n' && *c != '\t')
                    || ('\u{200b}'..='\u{200f}').contains(c)
                    || ('\u{202a}'..='\u{202e}').contains(c)
                    || ('\u{2066}'..='\u{2069}').contains(c)
                    || *c == '\u{feff}'
            });
            assert_eq!(odd, None, "{text}");
            assert!(!text.lines().any(|line| line.starts_with("Outcome: converged")), "{text}");
        }
    }
}

#[test]
fn control_characters_in_texts_and_issues_do_not_reach_the_terminal() {
    let issue = json!({"severity": "error", "message": EVIL, "code": EVIL, "field": EVIL});
    let objects =
        json!({"review": {"verdict": "changes_requested", "summary": EVIL, "issues": [issue]}});
    let sandbox = scripted(&[draft(EVIL), objects]);
    check(&sandbox, 3);
    let kept = asset(&sandbox, "description");
    assert_eq!(kept["candidates"][0]["content"], EVIL, "the text itself is kept as it came");
    let shown = sandbox.json("podcast pick -w w");
    assert_eq!(shown["candidates"][0]["content"], EVIL, "and is the same in JSON");
}

#[test]
fn control_characters_in_unreadable_replies_do_not_reach_the_terminal() {
    check(&scripted(&[final_draft("x"), json!({"review": EVIL})]), 3);
    let unknown = json!({"review": {"verdict": EVIL}});
    check(&scripted(&[final_draft("x"), unknown]), 3);
    check(&scripted(&[json!({"creator": EVIL})]), 1);
    let key = json!({"creator": {"done": true, "candidate": {"content": "x", EVIL: 1}}});
    check(&scripted(&[key]), 1);
    let path = json!({"creator": {"done": true, "candidate": {"content": "x"}, "mutate_files": {EVIL: "x"}}});
    check(&scripted(&[path]), 1);
}

#[test]
fn a_closed_stdout_is_no_panic() {
    let sandbox = scripted(&[final_draft("x"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    let review = review("description", "");
    for words in [
        "--help",
        "podcast status -w w",
        "podcast status -w w --json",
        "podcast export -w w",
        "runs list -w w",
        "verify -w w",
        &review,
    ] {
        let mut command = sandbox.command(REDRAFT, words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = ended(&child.wait_with_output().unwrap());
        assert_eq!(ended.code, 0, "{words}: {}", ended.err);
        assert!(!ended.err.contains("panicked"), "{words}: {}", ended.err);
    }
}

#[test]
fn a_closed_stderr_is_no_panic() {
    let sandbox = scripted(&[final_draft("x"), agrees()]);
    let mut command = sandbox.command(REDRAFT, &review("description", ""));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let ended = ended(&child.wait_with_output().unwrap());
    assert_eq!(ended.code, 0);
    assert!(ended.out.contains("Outcome: converged"), "{}", ended.out);
}

#[test]
fn no_command_waits_on_stdin() {
    let sandbox = scripted(&[final_draft("x"), agrees()]);
    let review = review("description", "");
    for words in [
        review.as_str(),
        "podcast pick -w w",
        "podcast pick -w w --asset-id description",
        "podcast status -w w",
        "podcast export -w w",
        "repair -w w",
    ] {
        let mut command = sandbox.command(REDRAFT, words);
        // The pipe stays open and silent; a command that read it would never end.
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let held = child.stdin.take();
        assert!(child.wait().unwrap().success(), "{words}");
        drop(held);
    }
}
