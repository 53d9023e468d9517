//! Programs as reviewers: JSON among prose is found, one repair is asked for, and a missing program is told.

use super::{configure, expect, studio};
use crate::{provider::Provider, sandbox::Sandbox, scene::document};

const REVIEW: &str = "podcast review -w w --asset-id talk --reviewer tool";

/// A workspace whose reviewer is a program that does this.
fn with_program(script: &str) -> (Sandbox, Provider) {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    sandbox.write("tool.sh", script);
    let path = sandbox.join("tool.sh");
    let more = format!(
        "[agents.tool]\nkind = \"command\"\nprogram = \"/bin/sh\"\nargs = [\"{}\"]\n",
        path.display()
    );
    configure(&sandbox, &provider, &more);
    (sandbox, provider)
}

#[test]
fn json_among_prose_is_found() {
    let (sandbox, _provider) = with_program(
        "cat > /dev/null\nprintf 'I have read it.\\n\\n```json\\n{\"verdict\": \"ok\", \"issues\": []}\\n```\\n'\n",
    );
    let ended = expect(&sandbox, 0, REVIEW);
    assert!(ended.out.contains("Outcome: converged"), "{}", ended.out);
}

#[test]
fn a_reply_that_cannot_be_read_is_repaired_once_with_the_error_quoted() {
    let (sandbox, _provider) = with_program(
        "if grep -q 'begin what is wrong'; then printf '{\"verdict\": \"ok\"}'; else echo hm; fi\n",
    );
    expect(&sandbox, 0, REVIEW);
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    let record = sandbox.json(&format!("runs show -w w {run}"))["record"].clone();
    let states: Vec<String> =
        record["calls"].as_array().unwrap().iter().map(|c| c["state"].to_string()).collect();
    assert_eq!(states.len(), 3, "{states:?}");
    assert!(states[1].contains("unreadable"), "{states:?}");
}

#[test]
fn two_verdicts_are_none_and_wait_for_a_person() {
    let (sandbox, _provider) = with_program(
        "cat > /dev/null\nprintf '{\"verdict\": \"ok\"}\\n{\"verdict\": \"changes_requested\"}\\n'\n",
    );
    expect(&sandbox, 3, &format!("{REVIEW} --max-iterations 1"));
    let review = document(&sandbox, "w/copy/protocol/talk/iteration_01.json");
    assert_eq!(review["reviewer"]["verdict"], "needs_human");
}

#[test]
fn a_program_that_fails_is_told_with_its_last_words() {
    let (sandbox, _provider) =
        with_program("echo '{\"verdict\": \"ok\"}' >&2\necho 'no licence' >&2\nexit 9\n");
    let ended = expect(&sandbox, 1, REVIEW);
    assert!(ended.err.contains("no licence") && ended.err.contains('9'), "{}", ended.err);
}

#[test]
fn a_known_program_that_is_missing_is_told_with_how_to_install_it() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let mut command =
        super::command(&sandbox, "podcast review -w w --asset-id talk --reviewer claude");
    let output = command.env("PATH", "/nowhere").output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("npm install"), "{told}");
}

#[test]
fn a_program_that_cannot_be_started_is_told_before_anybody_is_paid() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    sandbox.write("plain.sh", "echo hm\n");
    for (name, told) in [("no-such.sh", "there is no such program"), ("plain.sh", "chmod +x")] {
        let path = sandbox.join(name).display().to_string();
        let more = format!("[agents.tool]\nkind = \"command\"\nprogram = \"{path}\"\n");
        configure(&sandbox, &provider, &more);
        let ended = expect(&sandbox, 1, REVIEW);
        assert!(ended.err.contains("agent tool: ") && ended.err.contains(told), "{}", ended.err);
    }
    assert_eq!(provider.asked(), 0);
    assert!(sandbox.redraft("runs list -w w").out.is_empty());
}

/// The newest run's record, after a review that fails.
fn failed(sandbox: &Sandbox, words: &str) -> serde_json::Value {
    expect(sandbox, 1, words);
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    sandbox.json(&format!("runs show -w w {run}"))["record"].clone()
}

#[test]
fn a_call_that_never_left_is_recorded_and_not_charged() {
    use std::os::unix::fs::PermissionsExt;
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "[budget.home]\ncalls = 9\n");
    let path = sandbox.join("tool.sh");
    sandbox.write("tool.sh", "#!/no/such/shell\n");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let tool = format!(
        "[agents.tool]\nkind = \"command\"\nprogram = \"{}\"\n[budget.home]\ncalls = 9\n",
        path.display()
    );
    configure(&sandbox, &provider, &tool);
    let record = failed(&sandbox, &format!("{REVIEW} --creator tool"));
    assert_eq!(
        (&record["calls_charged"], record["calls"].as_array().unwrap().len()),
        (&0.into(), 1)
    );
    let closed = "[agents.gone]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"gone\"\nbase_url = \"http://127.0.0.1:9/v1\"\n";
    configure(&sandbox, &provider, &format!("{tool}{closed}"));
    let words = "podcast review -w w --asset-id speech --creator gone --reviewer critic";
    let record = failed(&sandbox, words);
    assert_eq!(
        (&record["calls_charged"], record["calls"].as_array().unwrap().len()),
        (&0.into(), 3)
    );
    let budget = sandbox.json("budget show -w w");
    assert!(budget.to_string().contains("\"used\":0"), "{budget}");
    sandbox.expect(0, "verify -w w");
}

#[test]
fn a_cap_that_a_program_cannot_be_held_under_is_refused() {
    let (sandbox, provider) = with_program("cat > /dev/null\nprintf '{\"verdict\": \"ok\"}'\n");
    for (cap, told) in [("--max-tokens 100000", "cap on tokens"), ("--max-usd 9", "cap on money")] {
        let ended = expect(&sandbox, 2, &format!("{REVIEW} {cap}"));
        assert!(ended.err.contains(told), "{}", ended.err);
    }
    assert_eq!(provider.asked(), 0);
    expect(&sandbox, 0, &format!("{REVIEW} --max-calls 9"));
}

#[test]
fn a_run_that_nobody_has_answered_in_gives_way_to_other_agents() {
    let (sandbox, provider) = with_program("exit 9\n");
    expect(&sandbox, 1, "podcast review -w w --asset-id talk --creator tool");
    let ended = expect(&sandbox, 0, "podcast review -w w --asset-id talk --creator writer");
    assert!(ended.err.contains("a new one is opened"), "{}", ended.err);
    assert_eq!(provider.asked(), 2);
    assert_eq!(sandbox.json("runs list -w w")["runs"].as_array().unwrap().len(), 2);
    sandbox.expect(0, "verify -w w");
}

#[test]
fn a_run_in_which_somebody_has_answered_keeps_its_agents() {
    let (sandbox, _provider) = with_program("exit 9\n");
    expect(&sandbox, 1, REVIEW);
    let ended = expect(&sandbox, 2, "podcast review -w w --asset-id talk --reviewer critic");
    assert!(
        ended.err.contains("was opened with creator=writer (writer), reviewer=tool"),
        "{}",
        ended.err
    );
}
