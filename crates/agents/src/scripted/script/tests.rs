//! What scripts say, and how they fail.

use super::Script;
use redraft_engine::Call;
use redraft_loop::{CallId, RunId};

fn call(subject: &str, role: &str, round: u32, ordinal: u32) -> Call {
    Call {
        run: RunId::new("run"),
        call: CallId(1),
        subject: subject.into(),
        round,
        step: "step".into(),
        role: role.into(),
        attempt: 1,
        ordinal,
        prompt: redraft_workflows::Prompt::default(),
    }
}

fn reply(script: &str, call: &Call) -> String {
    let said = Script::parse(script).map_err(|error| error.to_string());
    said.and_then(|script| script.reply(call)).unwrap_or_else(|error| error)
}

fn check(script: &str, role: &str, ordinal: u32, said: &str) {
    let text = reply(script, &call("description", role, 1, ordinal));
    assert!(text.contains(said), "{text}");
}

#[test]
fn the_first_two_candidates_have_the_contracts_ids() {
    let script = r#"[{"done": false, "candidate": {"content": "a"}}, {"done": true, "candidate": {"content": "b"}}]"#;
    for (round, id) in
        [(1, "2641202b-6fa0-53f9-b209-b71f722f6270"), (2, "5a2089a4-d67d-5a7a-aad8-2d687a4f3cf2")]
    {
        let text = reply(script, &call("description", "creator", round, round - 1));
        assert!(text.contains(id) && text.contains("2000-01-01T00:00:00Z"), "{text}");
    }
}

#[test]
fn an_issue_gets_the_contracts_id() {
    let script = r#"[{"verdict": "changes_requested", "issues": [{"severity": "error", "message": "add more detail"}]}]"#;
    check(script, "reviewer", 0, "f1a42a58-81d3-583d-b9cd-aa19c824b35a");
}

#[test]
fn replies_may_be_wrapped_and_may_be_text() {
    let script = r#"["{\"creator\": {\"done\": true, \"candidate\": {\"content\": \"a\"}}}", {"review": "{\"verdict\": \"ok\"}"}]"#;
    check(script, "creator", 0, r#""content":"a""#);
    check(script, "reviewer", 0, r#""verdict":"ok""#);
}

#[test]
fn words_in_a_wrapper_are_said_as_they_are() {
    check(r#"[{"review": "I like it."}]"#, "reviewer", 0, "I like it.");
}

#[test]
fn what_a_script_says_is_not_overruled() {
    let id = "11111111-1111-4111-8111-111111111111";
    let script = format!(
        r#"[{{"done": true, "candidate": {{"content": "a", "candidate_id": "{id}", "format": "plain"}}}}]"#
    );
    check(&script, "creator", 0, id);
    check(&script, "creator", 0, r#""format":"plain""#);
}

#[test]
fn each_subject_has_a_script_of_its_own() {
    let script = r#"{"slug": [{"verdict": "ok"}]}"#;
    assert!(reply(script, &call("slug", "reviewer", 1, 0)).contains("ok"));
    check(script, "reviewer", 0, "no replies for description");
}

#[test]
fn a_panels_further_members_may_have_words_of_their_own() {
    let script = r#"[{"review": {"verdict": "ok"}, "reviewer_2": {"verdict": "needs_human"}}]"#;
    check(script, "reviewer", 0, "ok");
    check(script, "reviewer_2", 0, "needs_human");
    check(script, "reviewer_3", 0, "ok");
}

#[test]
fn a_script_that_runs_dry_names_role_call_and_length() {
    let script = r#"[{"verdict": "ok"}]"#;
    check(
        script,
        "reviewer",
        1,
        "reviewer is asked for reply 2 about description, and the script has 1",
    );
    check(
        script,
        "creator",
        0,
        "creator is asked for reply 1 about description, and the script has 0",
    );
}

#[test]
fn what_is_no_script_is_told_with_its_place() {
    check("{", "creator", 0, "the script is no JSON");
    check("7", "creator", 0, "expected a list of replies");
    check(r#"{"slug": 1}"#, "creator", 0, "slug: expected a list");
    check("[1]", "creator", 0, "[0]: expected a reply");
    check(r#"["{"]"#, "creator", 0, "[0]: the reply is no JSON");
    check(
        r#"[{"verdict": "ok"}, {"fine": true}]"#,
        "creator",
        0,
        "[1]: expected a creator's reply",
    );
    check(
        r#"[{"candidate": {"content": "a"}}]"#,
        "creator",
        0,
        "[0]: a creator's reply needs done",
    );
    check(r#"[{"done": true, "candidate": {}}]"#, "creator", 0, "candidate.content");
    check(r#"[{"review": {"issues": []}}]"#, "reviewer", 0, "needs verdict");
}

#[test]
fn the_built_in_script_revises_once() {
    let script = Script::builtin(["description"], "Hello.").unwrap();
    let first = script.reply(&call("description", "creator", 1, 0)).unwrap();
    let second = script.reply(&call("description", "creator", 2, 1)).unwrap();
    assert!(!first.contains("Revision 2") && second.contains("\\nRevision 2\\n"), "{second}");
}
