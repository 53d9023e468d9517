//! What programs read: one document on one line, whatever the verb and however it ends.

use super::stage::{ABOUT_INVOICES, FAIL, FILES, PASS, PLAN, Stage, one_line};
use crate::sandbox::Sandbox;
use serde_json::{Value, json};

fn told(sandbox: &Sandbox, words: &str) -> (i32, Value) {
    let (code, document) = one_line(&sandbox.redraft(words));
    assert_eq!(document["schema_version"], 1, "{words}: {document}");
    (code, document)
}

/// A verb that succeeds, or waits, tells a program what a person reads.
fn check(stage: &Stage, words: &str, code: i32, expected: &Value) -> Value {
    let (ended, document) = told(&stage.sandbox, &format!("gated {words} --json"));
    assert_eq!(ended, code, "{words}: {document}");
    let verb = words.split_whitespace().next().unwrap();
    assert_eq!(document["command"], format!("gated {verb}"));
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(document[field], *value, "{words}: {field} of {document}");
    }
    document
}

#[test]
fn a_whole_session_is_played_by_a_program() {
    let stage = Stage::new();
    let id = &stage.id;
    let init = check(&stage, &format!("init {ABOUT_INVOICES}"), 0, &json!({}));
    assert_eq!(init["session"]["phase"], "INITIALIZED");
    assert!(init["session_id"].as_str().unwrap().len() > 30, "{init}");
    let step = format!("step {id}");
    let moved = json!({"session_id": id, "phase": "PLANNING", "status": "in_progress", "iteration": 1, "moved": true, "noop_awaiting_artifact": false, "waits": null});
    check(&stage, &step, 0, &moved);
    let prompt = stage.place("iteration-1/planning-prompt.md");
    let response = stage.place("iteration-1/planning-response.md");
    let waits = json!({"for": "response", "prompt": prompt, "response": response});
    let still = json!({"phase": "PLANNING", "moved": false, "noop_awaiting_artifact": true, "waits": waits});
    check(&stage, &step, 3, &still);
    check(&stage, &format!("run {id}"), 3, &still);
    stage.respond("planning", 1, PLAN);
    check(&stage, &step, 0, &json!({"phase": "PLANNED", "moved": true}));
    let waits = json!({"for": "approval", "files": [response], "hold": null});
    let still = json!({"phase": "PLANNED", "moved": false, "noop_awaiting_artifact": false, "waits": waits});
    check(&stage, &step, 3, &still);
    let approved = check(&stage, &format!("approve {id}"), 0, &json!({"phase": "PLANNED"}));
    let approval = &approved["approval"];
    assert_eq!((&approval["phase"], &approval["by"]), (&json!("PLANNED"), &json!("anna")));
    assert_eq!(approval["files"], stage.session_json()["approvals"][0]["files"]);
    stage.step(0);
    stage.respond("generation", 1, FILES);
    stage.step(0);
    check(&stage, &format!("reject {id} --feedback no"), 0, &json!({"phase": "GENERATING"}));
    let status = check(&stage, &format!("status {id}"), 0, &json!({"phase": "GENERATING"}));
    assert_eq!(status["session"], stage.session_json());
    check(
        &stage,
        &format!("cancel {id}"),
        0,
        &json!({"phase": "CANCELLED", "status": "cancelled"}),
    );
}

#[test]
fn a_program_reads_the_review_when_it_comes_and_when_it_is_acted_on() {
    let stage = Stage::reviewing();
    stage.respond("review", 1, FAIL);
    let review = json!({"verdict": "FAIL", "issues_total": 2, "issues_critical": 1, "missing_inputs": 0, "line": "REVIEW: FAIL | issues=2 (critical=1) | missing_inputs=0"});
    let step = format!("step {}", stage.id);
    check(&stage, &step, 0, &json!({"phase": "REVIEWED", "review": review}));
    stage.approve(0);
    check(&stage, &step, 0, &json!({"phase": "REVISING", "iteration": 2, "review": review}));
    check(&stage, &step, 3, &json!({"phase": "REVISING", "review": null}));
}

#[test]
fn the_other_verbs_tell_one_line_too() {
    let stage = Stage::new();
    for words in ["list", "profiles", "profiles jpa-mt", "providers", "providers manual", "graph"] {
        check(&stage, words, 0, &json!({"exit_code": 0}));
    }
}

#[test]
fn a_verb_that_fails_tells_why_on_one_line() {
    let stage = Stage::planning();
    let id = &stage.id;
    for words in [
        "step nope".to_owned(),
        "run nope".to_owned(),
        "approve nope".to_owned(),
        "reject nope --feedback no".to_owned(),
        "cancel nope".to_owned(),
        "status nope".to_owned(),
        "profiles nope".to_owned(),
        "providers nope".to_owned(),
        "init --profile nope".to_owned(),
        "init --profile jpa-mt".to_owned(),
        // Words that nobody can make sense of.
        "step".to_owned(),
        "init".to_owned(),
        "nope".to_owned(),
        "list --limit many".to_owned(),
        "list --status busy".to_owned(),
        format!("reject {id}"),
        format!("step {id} --max-iterations 0"),
        format!("approve {id}"),
    ] {
        let (code, document) = told(&stage.sandbox, &format!("gated {words} --json"));
        assert_eq!(code, 2, "{words}: {document}");
        let message = document["error"]["message"].as_str().unwrap();
        assert!(!message.is_empty(), "{words}: {document}");
        assert!(document["command"].as_str().unwrap().starts_with("gated"), "{document}");
    }
}

/// The sessions that `list` shows with these flags.
fn listed(stage: &Stage, flags: &str) -> Vec<String> {
    let (_, document) = told(&stage.sandbox, &format!("gated list --json {flags}"));
    let rows = document["sessions"].as_array().unwrap().iter();
    rows.map(|row| row["session_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn list_shows_where_each_session_stands() {
    let stage = Stage::reviewed(PASS);
    stage.pass();
    let words = "gated init --profile sqlx-rust --scope domain --entity Invoice --table invoice \
                 --bounded-context billing --schema-file schema.sql";
    let other = stage.sandbox.expect(0, words).out.trim().to_owned();
    assert_eq!(listed(&stage, ""), [&*other, &stage.id]);
    assert_eq!(listed(&stage, "--profile jpa-mt"), [&*stage.id]);
    assert_eq!(listed(&stage, "--profile sqlx-rust"), [&*other]);
    assert_eq!(listed(&stage, "--status success"), [&*stage.id]);
    assert_eq!(listed(&stage, "--status in_progress"), [&*other]);
    assert_eq!(listed(&stage, "--status error"), [""; 0]);
    assert_eq!(listed(&stage, "--limit 0"), [""; 0]);
    let told = stage.sandbox.expect(0, "gated list --status success").out;
    let line: Vec<&str> = told.split_whitespace().collect();
    assert_eq!(line[..4], [&*stage.id, "COMPLETE", "success", "1"]);
    assert!(told.ends_with("jpa-mt domain Invoice\n"), "{told}");
}

#[test]
fn an_id_may_be_shortened_as_long_as_it_means_one_session() {
    let stage = Stage::new();
    let short = &stage.id[..8];
    stage.sandbox.expect(0, &format!("gated status {short}"));
    stage.sandbox.expect(0, &format!("gated init {ABOUT_INVOICES}"));
    let told = stage.sandbox.expect(2, &format!("gated step {}", &stage.id[..2]));
    assert!(told.err.contains("several sessions begin with \"01\""), "{}", told.err);
    let told = stage.sandbox.expect(2, "gated step zzz");
    assert!(told.err.contains("there is no session zzz"), "{}", told.err);
    assert_eq!(stage.phase(), "INITIALIZED");
}

#[test]
fn a_session_is_found_from_a_folder_below() {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.sandbox.join("src/main")).unwrap();
    stage.expect(0, "step", "-w src/main");
    assert!(!stage.sandbox.join("src/main/.redraft").exists());
    assert_eq!(stage.phase(), "PLANNING");
}

#[test]
fn a_session_is_given_up_wherever_it_stands() {
    for stage in [
        Stage::new(),
        Stage::planning(),
        Stage::planned(),
        Stage::generating(),
        Stage::generated(),
        Stage::reviewing(),
        Stage::reviewed(FAIL),
        Stage::reviewed("Looks good.\n"),
        Stage::revising(),
        Stage::reviewing_again(),
    ] {
        let (phase, iteration) = (stage.phase(), stage.session_json()["current_iteration"].clone());
        let told = stage.expect(0, "cancel", "");
        let line = format!("phase=CANCELLED status=cancelled iteration={iteration}\n");
        assert_eq!(told.out, line, "{phase}");
        check_ended(&stage, "CANCELLED", 4);
    }
}

#[test]
fn a_session_that_was_approved_may_still_be_given_up() {
    let stage = Stage::reviewed(PASS);
    stage.approve(0);
    stage.expect(0, "cancel", "");
    check_ended(&stage, "CANCELLED", 4);
}

#[test]
fn a_session_that_is_complete_stays_so() {
    let stage = Stage::reviewed(PASS);
    stage.pass();
    check_ended(&stage, "COMPLETE", 0);
}

/// Nothing moves a session that has ended, or asks for anything.
fn check_ended(stage: &Stage, phase: &str, code: i32) {
    assert_eq!(stage.phase(), phase);
    let (facts, bytes) = (stage.facts(), stage.bytes());
    for verb in ["step", "run"] {
        let told = stage.expect(code, verb, "");
        assert!(told.out.starts_with(&format!("phase={phase} status=")), "{}", told.out);
        assert!(!told.out.contains("noop"), "{}", told.out);
        assert!(!told.err.contains("next:"), "{}", told.err);
    }
    stage.expect(2, "approve", "");
    stage.expect(2, "cancel", "");
    stage.reject(2, "no");
    stage.expect(0, "status", "");
    assert_eq!(stage.facts(), facts);
    assert_eq!(stage.bytes(), bytes);
}
