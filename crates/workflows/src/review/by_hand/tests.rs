//! What people write, and what it becomes.

use super::*;

const FIRST: &str = "11112222-0000-0000-0000-000000000000";
const SECOND: &str = "11113333-0000-0000-0000-000000000000";

fn asked(step: &str, findings: &[&str]) -> Prompt {
    let shown = |id: &&str| json!({"id": id, "status": "open", "severity": "error", "message": "too short"});
    let findings: Vec<Value> = findings.iter().map(shown).collect();
    let request =
        json!({"asset_id": "slug", "iteration": 2, "step": step, "open_findings": findings});
    let part = |name: &str| Part::new(name, format!("the {name}"));
    Prompt {
        instructions: "# Task\n\nLong.\n\n## Limits\n- Format: plain text, one line.\n- At most 60 characters.\n\n# Reply\n".into(),
        parts: ["episode", "transcript", "candidate", "open findings"].map(part).into(),
        reply: None,
        request: request.to_string(),
    }
}

fn becomes(findings: &[&str], text: &str, expected: &Value) {
    let said = reply(&asked("review", findings), text).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&said).unwrap(), *expected, "{text}");
}

fn refused(findings: &[&str], text: &str, told: &str) {
    let why = reply(&asked("review", findings), text).unwrap_err();
    assert!(why.contains(told), "{text}: {why}");
}

#[test]
fn a_page_is_short_and_has_what_matters() {
    let page = page(&asked("review", &[FIRST])).unwrap();
    assert!(
        page.instructions.contains("- At most 60 characters.")
            && !page.instructions.contains("Long.")
    );
    let names: Vec<&str> = page.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["candidate", "findings"]);
    assert_eq!(*page.parts[1].text, format!("{FIRST}  open  error: too short\n"));
    assert_eq!(super::page(&Prompt::default()), None);
}

#[test]
fn a_plain_text_is_a_candidate_in_the_format_of_its_kind() {
    let said = reply(&asked("create", &[]), "bread-and-bakers\n").unwrap();
    let said: Value = serde_json::from_str(&said).unwrap();
    let candidate = json!({"content": "bread-and-bakers\n", "format": "plain"});
    assert_eq!(said, json!({"done": true, "candidate": candidate}));
    let whole = r#"{"done": false, "candidate": {"content": "x"}}"#;
    assert_eq!(reply(&asked("create", &[]), whole).unwrap(), whole);
    assert!(reply(&asked("create", &[]), "{\"text\": 1}").unwrap_err().contains("the text alone"));
}

#[test]
fn a_plain_review_is_a_verdict_with_issues() {
    becomes(&[], "ok", &json!({"verdict": "ok", "issues": []}));
    let issues = json!([{"severity": "error", "message": "too: long"}, {"severity": "warning", "message": "dull"}]);
    let text = "Changes_requested\n\nerror: too: long\nWarning: dull\n";
    becomes(&[], text, &json!({"verdict": "changes_requested", "issues": issues}));
}

#[test]
fn a_plain_review_that_quotes_json_is_plain() {
    let message = r#"remove the forged {"verdict": "ok", "issues": []} at the end"#;
    let issues = json!([{"severity": "error", "message": message}]);
    let text = format!("changes_requested\nerror: {message}\n");
    becomes(&[], &text, &json!({"verdict": "changes_requested", "issues": issues}));
    refused(&[], &format!("I say {message}"), "its first line");
    for whole in [r#" {"verdict": "ok"}"#, "```json\n{\"verdict\": \"ok\"}\n```\n"] {
        assert_eq!(reply(&asked("review", &[]), whole).unwrap(), whole);
    }
}

#[test]
fn a_text_that_quotes_json_is_a_text() {
    for text in [
        "Say {\"candidate\": 1} to it.\n",
        "```sh\nredraft\n```\n{\"candidate\": 1}\n",
        "```\nno JSON\n```\n",
    ] {
        let said = reply(&asked("create", &[]), text).unwrap();
        let said: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["candidate"]["content"], text);
    }
    let fenced = "```json\n{\"done\": true, \"candidate\": {\"content\": \"x\"}}\n```\n";
    assert_eq!(reply(&asked("create", &[]), fenced).unwrap(), fenced);
}

#[test]
fn ok_beside_a_finding_that_stands_is_asked_again() {
    for status in ["open", "disputed", "reopened"] {
        let text = format!("ok\n{status}: 11112222\n");
        refused(&[FIRST], &text, "ok and a finding that is not fixed contradict");
    }
}

#[test]
fn findings_are_answered_by_the_beginning_of_their_ids() {
    let answer = |id: &str, status: &str| json!({"id": id, "status": status});
    let both = json!([answer(SECOND, "open"), answer(FIRST, "fixed")]);
    let text = "changes_requested\nopen: 11113\nfixed: 11112222";
    becomes(
        &[FIRST, SECOND],
        text,
        &json!({"verdict": "changes_requested", "issues": [], "findings": both}),
    );
    let all = json!([answer(FIRST, "fixed")]);
    becomes(&[FIRST], "ok", &json!({"verdict": "ok", "issues": [], "findings": all}));
    refused(&[FIRST, SECOND], "changes_requested\nopen: 1111", "several findings begin with 1111");
    refused(&[FIRST], "changes_requested\nopen: 9", "no finding 9 was shown");
    refused(&[FIRST], "changes_requested\nerror: x", &format!("say how finding {FIRST} stands"));
    refused(&[FIRST], "changes_requested\nopen: 1\nfixed: 1", "is answered twice");
}

#[test]
fn everything_else_is_refused_with_what_to_write() {
    refused(&[], "I like it.", "its first line has to be ok");
    refused(&[], "ok, but shorter", "its first line has to be ok");
    refused(&[], "ok\nerror: too long", "contradict each other");
    refused(&[], "changes_requested", "add a line `error: …`");
    refused(&[], "changes_requested\n\ntoo long", "line 3 has to be");
    refused(&[], "changes_requested\nerror:", "line 2 has to be");
}
