//! `--json` on every command: one document, and the exit code of the process in it.

use crate::{
    sandbox::{PODCAST, REDRAFT, Sandbox, THREE_ITERATIONS, ended},
    scene::{draft, objects, review, script, workspace},
};
use serde_json::Value;

/// One document on stdout, of this command, with the process's own exit code.
fn check(sandbox: &Sandbox, code: i32, command: &str, words: &str) -> Value {
    let ended = ended(&sandbox.command(REDRAFT, &format!("{words} --json")).output().unwrap());
    assert_eq!(ended.code, code, "{words}\n{}\n{}", ended.out, ended.err);
    let document: Value = serde_json::from_str(&ended.out)
        .unwrap_or_else(|error| panic!("{words}: {error}\n{}", ended.out));
    assert_eq!(document["schema_version"], 1, "{words}");
    assert_eq!(document["command"], command, "{words}");
    assert_eq!(document["exit_code"], code, "{words}");
    if code == 2 {
        assert!(document["error"]["message"].is_string(), "{words}: {document}");
    }
    document
}

const TRANSCRIPT: &str = "**Ada:** A sourdough starter is flour and water, fed every day.\n\n**Bo:** Then the dough rises slowly overnight.\n";

#[test]
fn every_command_gives_one_document() {
    let sandbox = Sandbox::new();
    sandbox.write("t.md", TRANSCRIPT);
    sandbox.write("script.json", THREE_ITERATIONS);
    check(&sandbox, 0, "init", "init");
    check(&sandbox, 0, "podcast init", "podcast init --episode-id e1 --workspace w");
    check(&sandbox, 0, "podcast ingest", "podcast ingest -w w --transcript t.md");
    check(&sandbox, 0, "podcast summarize", "podcast summarize -w w");
    check(&sandbox, 0, "podcast draft", "podcast draft -w w --asset-id mastodon");
    check(&sandbox, 0, "podcast review", &review("description", "--dry-run"));
    let reviewed = check(&sandbox, 0, "podcast review", &review("description", ""));
    assert_eq!(reviewed["assets"][0]["outcome"], "converged");
    assert_eq!(reviewed["assets"][0]["selected"], "w/copy/selected/description.md");
    check(&sandbox, 0, "podcast review", &review("description", ""));
    let listed = check(&sandbox, 0, "podcast pick", "podcast pick -w w --asset-id mastodon");
    let id = listed["candidates"][0]["candidate_id"].as_str().unwrap();
    check(
        &sandbox,
        0,
        "podcast pick",
        &format!("podcast pick -w w --asset-id mastodon --candidate-id {id}"),
    );
    let status = check(&sandbox, 0, "podcast status", "podcast status -w w");
    assert_eq!(status["assets"][0]["asset_id"], "description");
    let compared = check(&sandbox, 0, "podcast diff", "podcast diff -w w description");
    assert_eq!(compared["to"]["version"], "3");
    let exported = check(&sandbox, 0, "podcast export", "podcast export -w w");
    assert_eq!(exported["files"][0]["path"], "w/auphonic/outputs/production.json");
    let runs = check(&sandbox, 0, "runs list", "runs list -w w");
    let run = runs["runs"][0]["run_id"].as_str().unwrap();
    let shown = check(&sandbox, 0, "runs show", &format!("runs show -w w {run}"));
    assert_eq!(shown["record"]["calls"].as_array().unwrap().len(), 6);
    check(&sandbox, 0, "budget show", "budget show -w w");
    check(&sandbox, 0, "budget set", "budget set --calls 900 -w w");
    check(&sandbox, 0, "verify", "verify -w w");
    check(&sandbox, 0, "repair", "repair -w w");
    sandbox.write("w/copy/selected/description.md", "mine\n");
    check(&sandbox, 6, "podcast review", &review("description", ""));
    check(&sandbox, 0, "adopt", "adopt -w w copy/selected/description.md");
    let made =
        check(&sandbox, 0, "podcast review", "podcast review --fake-runner --asset-id description");
    assert_eq!(made["workspace"], "demo_workspace");
}

#[test]
fn failures_are_documents_too() {
    let sandbox = Sandbox::new();
    for (command, words) in [
        ("podcast review", "podcast review -w none --asset-id description"),
        ("podcast review", "podcast review -w none --asset-id ../x"),
        ("podcast status", "podcast status -w none"),
        ("podcast ingest", "podcast ingest -w none --transcript t"),
        ("podcast summarize", "podcast summarize -w none"),
        ("podcast draft", "podcast draft -w none --all"),
        ("podcast pick", "podcast pick -w none"),
        ("podcast diff", "podcast diff description -w none"),
        ("podcast export", "podcast export -w none"),
        ("podcast init", "podcast init --episode-id .."),
        ("runs list", "runs list -w none"),
        ("runs show", "runs show 7"),
        ("verify", "verify"),
        ("repair", "repair -w none"),
        ("adopt", "adopt -w none x"),
        ("init", "init none"),
    ] {
        check(&sandbox, 2, command, words);
    }
    let sandbox = workspace();
    script(&sandbox, &[draft("a"), objects("b")]);
    check(&sandbox, 5, "podcast review", &review("description", "--max-calls 1"));
    let failed = check(&sandbox, 1, "podcast review", &review("description", "--max-calls 9"));
    assert!(failed["assets"][0]["stopped"].as_str().unwrap().contains("the script ran out"));
    check(&sandbox, 3, "podcast review", &review("shownotes", "--max-iterations 1"));
}

#[test]
fn flags_that_there_are_not_give_a_document_where_one_is_asked_for() {
    let sandbox = Sandbox::new();
    for (words, command) in [
        ("--nonsense", "redraft"),
        ("podcast review --nonsense", "podcast review"),
        ("podcast", "podcast"),
        ("nonsense", "redraft"),
        ("podcast review", "podcast review"),
    ] {
        let ended = sandbox.expect(2, words);
        assert_eq!(ended.out, "", "{words}: stdout is data");
        assert!(ended.err.contains("Usage: "), "{words}: {}", ended.err);
        let document = check(&sandbox, 2, command, words);
        assert!(!document["error"]["message"].as_str().unwrap().is_empty());
    }
}

#[test]
fn help_shows_the_exit_codes_and_version_the_version() {
    let sandbox = Sandbox::new();
    for program in [REDRAFT, PODCAST] {
        for words in ["--help", "-h"] {
            let help = ended(&sandbox.command(program, words).output().unwrap());
            assert_eq!((help.code, help.err.as_str()), (0, ""));
            for line in ["0  done, or converged", "3  waits for a person", "130  interrupted"] {
                assert!(help.out.contains(line), "{program} {words}: {line}\n{}", help.out);
            }
        }
        let version = ended(&sandbox.command(program, "--version").output().unwrap());
        assert_eq!(version.code, 0);
        assert!(version.out.contains(env!("CARGO_PKG_VERSION")), "{}", version.out);
    }
}

#[test]
fn stdout_is_data_and_stderr_is_talk() {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    let ended = sandbox.expect(0, &review("description", ""));
    let lines: Vec<&str> = ended.out.lines().collect();
    let expected = [
        "Workspace: w",
        "Outcome: converged (reviewer_ok_and_creator_done)",
        "Selected: w/copy/selected/description.md",
    ];
    assert_eq!(lines, expected);
    assert!(ended.err.contains("iteration 1: create: creator is asked"), "{}", ended.err);
}
