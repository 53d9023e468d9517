//! What the plays share: a workspace, a script, and who says what.

use crate::sandbox::{Ended, REDRAFT, Sandbox, ended};
use serde_json::{Value, json};
use std::process::Command;

/// A workspace `w` of its own, without a transcript.
pub(crate) fn workspace() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "podcast init --episode-id e1 --workspace w");
    sandbox
}

/// A workspace `w` whose script says this.
pub(crate) fn scripted(replies: &[Value]) -> Sandbox {
    let sandbox = workspace();
    script(&sandbox, replies);
    sandbox
}

/// Sets the script.
pub(crate) fn script(sandbox: &Sandbox, replies: &[Value]) {
    sandbox.write("script.json", Value::from(replies.to_vec()).to_string());
}

/// The review of an asset of `w` by the script, with these further words.
pub(crate) fn review(asset: &str, more: &str) -> String {
    format!("podcast review -w w --script script.json --asset-id {asset} {more}")
}

/// The creator writes and wants to go on.
pub(crate) fn draft(text: &str) -> Value {
    json!({"creator": {"done": false, "candidate": {"content": text}}})
}

/// The creator writes and is done.
pub(crate) fn final_draft(text: &str) -> Value {
    json!({"creator": {"done": true, "candidate": {"content": text}}})
}

/// The creator writes in a format and is done.
pub(crate) fn formatted(text: &str, format: &str) -> Value {
    json!({"creator": {"done": true, "candidate": {"content": text, "format": format}}})
}

/// The reviewer agrees.
pub(crate) fn agrees() -> Value {
    json!({"review": {"verdict": "ok", "reviewer": "reviewer_a"}})
}

/// The reviewer wants this changed.
pub(crate) fn objects(message: &str) -> Value {
    let issue = json!({"severity": "error", "message": message});
    json!({"review": {"verdict": "changes_requested", "reviewer": "reviewer_a", "issues": [issue]}})
}

/// `state.json` of a workspace.
pub(crate) fn state(sandbox: &Sandbox, workspace: &str) -> Value {
    document(sandbox, &format!("{workspace}/state.json"))
}

/// An asset in `state.json` of `w`.
pub(crate) fn asset(sandbox: &Sandbox, id: &str) -> Value {
    let state = state(sandbox, "w");
    let mut assets = state["assets"].as_array().unwrap().iter();
    assets.find(|asset| asset["asset_id"] == id).unwrap_or_else(|| panic!("{id}: {state}")).clone()
}

/// A JSON file.
pub(crate) fn document(sandbox: &Sandbox, path: &str) -> Value {
    let text = sandbox.read(path);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}\n{text}"))
}

/// The program with the agent's log in `agent.log`.
pub(crate) fn logged(sandbox: &Sandbox, words: &str) -> Command {
    let mut command = sandbox.command(REDRAFT, words);
    command.env("REDRAFT_SCRIPT_LOG", sandbox.join("agent.log"));
    command
}

/// Runs the program with the agent's log, and expects this exit code.
pub(crate) fn expect_logged(sandbox: &Sandbox, code: i32, words: &str) -> Ended {
    let ended = ended(&logged(sandbox, words).output().unwrap());
    assert_eq!(ended.code, code, "redraft {words}\n{}\n{}", ended.out, ended.err);
    ended
}

/// The agent's log, one line a call.
pub(crate) fn asked(sandbox: &Sandbox) -> Vec<String> {
    let log = std::fs::read_to_string(sandbox.join("agent.log")).unwrap_or_default();
    log.lines().map(str::to_owned).collect()
}

/// Runs the program, expects this code, these words in what it prints, and no change of any file.
pub(crate) fn refused(sandbox: &Sandbox, code: i32, words: &str, told: &[&str]) {
    let before = sandbox.files(".");
    let ended = sandbox.expect(code, words);
    for told in told {
        let talk = format!("{}{}", ended.out, ended.err);
        assert!(talk.contains(told), "redraft {words}: {told:?} is not told:\n{talk}");
    }
    assert!(sandbox.files(".") == before, "redraft {words}: files have changed");
}

/// Checks that no file of `w` is called changed, and that `repair` finds none that somebody has changed: nobody has,
/// whatever a killed command has left.
pub(crate) fn check_untouched(sandbox: &Sandbox, place: &str) {
    let status = sandbox.json("podcast status -w w");
    let items = status["checklist"].as_array().unwrap_or_else(|| panic!("{place}: {status}"));
    let changed: Vec<&Value> = items.iter().filter(|item| item["state"] == "changed").collect();
    assert!(changed.is_empty(), "{place}: {changed:?}");
    let copy = Sandbox::new();
    sandbox.copy(".", copy.path());
    let repair = copy.redraft("repair -w w");
    let told = format!("{}{}", repair.out, repair.err);
    assert!(!told.contains("Kept:"), "{place}: {told}");
    assert!(repair.code == 0 || told.contains("nothing to repair from"), "{place}: {told}");
}

/// How many calls of the newest run are claimed.
pub(crate) fn calls(sandbox: &Sandbox) -> u64 {
    sandbox.json("runs list -w w")["runs"][0]["calls"].as_u64().unwrap_or(0)
}
