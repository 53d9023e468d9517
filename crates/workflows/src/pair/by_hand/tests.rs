//! A person's plain words, and the messages they stand for.

use super::*;
use crate::pair;
use serde_json::{Value, json};

const DIFF: &str = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n";

/// A finding of the architect's that stands so.
fn finding(id: &str, status: &str) -> Value {
    json!({"id": id, "by": "architect", "raised_in": 1, "severity": "error", "message": "no\ntest", "field": "src/x.rs",
        "status": status, "history": [{"round": 1, "by": "architect", "status": "open"}], "upheld": 0})
}

fn asked(step: &str, findings: &[Value]) -> Prompt {
    let request = json!({"workflow": "pair", "step": step, "turn": 2, "task": "t", "commit": "c0ffee", "findings": findings});
    Prompt { request: request.to_string(), ..Prompt::default() }
}

/// The reply, which every reader of messages accepts.
fn answered(prompt: &Prompt, text: &str) -> Message {
    let reply = reply(prompt, text).unwrap_or_else(|why| panic!("{text}: {why}"));
    pair::read(&reply, &[]).unwrap()
}

fn refused(step: &str, findings: &[Value], text: &str) -> String {
    reply(&asked(step, findings), text).unwrap_err()
}

#[test]
fn a_proposal_is_prose_whatever_stands_in_it() {
    let said = answered(&asked("propose", &[]), "\nTurn 1 into 2:\n\n- in x\n- error: none\n");
    assert_eq!((said.kind, said.turn), (Kind::Propose, 2));
    assert_eq!(said.content, "Turn 1 into 2:\n\n- in x\n- error: none");
}

#[test]
fn a_change_is_a_diff_in_a_fence_or_whole_with_words_above_it() {
    let prompt = asked("implement", &[]);
    let whole = answered(&prompt, DIFF);
    assert_eq!(
        (whole.diff.as_deref(), whole.content.as_str()),
        (Some(DIFF), "The change is the diff.")
    );
    let fenced = answered(&prompt, &format!("It is 2 now.\n\n```diff\n{DIFF}```\n"));
    assert_eq!((fenced.diff.as_deref(), fenced.content.as_str()), (Some(DIFF), "It is 2 now."));
    assert!(refused("implement", &[], "I would make it 2.").starts_with("it has no diff; "));
}

#[test]
fn a_builder_disputes_a_finding_by_its_id() {
    let open = [finding("t1-1", "open")];
    let text = format!("Made.\nDisputed: t1-1, there is one\nfixed: the rest\n\n{DIFF}");
    let said = answered(&asked("implement", &open), &text);
    assert_eq!(said.content, "Made.\nfixed: the rest");
    let [dispute] = &said.disputes[..] else { panic!("{said:?}") };
    assert_eq!((dispute.finding.as_str(), dispute.reason.as_str()), ("t1-1", "there is one"));
    let told = refused("implement", &open, &format!("disputed: t1-2 why\n{DIFF}"));
    assert!(told.contains("no finding of this id was shown; the ids are t1-1"), "{told}");
    let told = refused("implement", &open, &format!("disputed: t1-1\n{DIFF}"));
    assert_eq!(told, "say why t1-1 is wrong, after its id");
}

#[test]
fn points_are_the_items_of_a_list_and_all_else_is_prose() {
    let text = "Not bad.\n\n- no test: add one\n  for zero\n\n  and for one\n- Blocker (src/a(b.rs): it does not build\n\
        1. warning: a name\n* warnings are many\n\n```sh\n- not a point\n```\nThat is all: really.\n";
    let said = answered(&asked("critique", &[]), text);
    assert_eq!(said.content, "Not bad.\n\n\n\n```sh\n- not a point\n```\nThat is all: really.");
    let points: Vec<_> = said.issues.iter().flatten().collect();
    let told = |n: usize| {
        let pair::Point { severity, message, file } = points[n];
        (*severity, message.as_str(), file.as_deref())
    };
    assert_eq!(points.len(), 4, "{points:?}");
    assert_eq!(told(0), (Severity::Error, "no test: add one\nfor zero\nand for one", None));
    assert_eq!(told(1), (Severity::Blocker, "it does not build", Some("src/a(b.rs")));
    assert_eq!(told(2), (Severity::Warning, "a name", None));
    assert_eq!(told(3), (Severity::Error, "warnings are many", None));
    assert_eq!(said.findings, Some(Vec::new()));
}

#[test]
fn a_critique_of_points_alone_is_told_by_them() {
    let said = answered(&asked("critique", &[]), "- no test\n");
    assert_eq!((said.content.as_str(), said.issues.unwrap().len()), ("- no test", 1));
    let fine = answered(&asked("critique", &[]), "I have nothing to add.");
    assert_eq!(fine.issues, Some(Vec::new()));
}

#[test]
fn findings_are_answered_by_their_ids_and_none_is_passed_over() {
    let known = [finding("t1-1", "open"), finding("t1-2", "fixed"), finding("t1-3", "open")];
    let text = "Better.\nfixed: t1-1\n- open: t1-3 still\n  no test\nreopened: t1-2\n";
    let said = answered(&asked("critique", &known), text);
    let answers: Vec<_> = said.findings.iter().flatten().collect();
    let told =
        |n: usize| (answers[n].id.as_str(), answers[n].status.name(), answers[n].note.as_deref());
    assert_eq!(told(0), ("t1-1", "fixed", None));
    assert_eq!(told(1), ("t1-3", "open", Some("still\nno test")));
    assert_eq!(told(2), ("t1-2", "reopened", None));
    assert_eq!((said.content.as_str(), said.issues), ("Better.", Some(Vec::new())));
    for (text, told) in [
        ("Better.\nfixed: t1-1", "t1-3: the finding is not answered"),
        ("fixed: t1-1\nopen: t1-1\nopen: t1-3", "t1-1: the finding is answered twice"),
        ("fixed: t1-1\nreopened: t1-3", "t1-3: the finding was not fixed before"),
        ("fixed: t9\nopen: t1-1\nopen: t1-3", "t9: no finding of this id was shown"),
        ("fine\n- error:\n", "line 2: say what is wrong"),
    ] {
        let why = refused("critique", &known, text);
        assert!(why.contains(told), "{text}: {why}");
    }
}

#[test]
fn a_verdict_is_the_first_line_alone() {
    let prompt = asked("verify", &[]);
    let said = answered(&prompt, "\nVerified.\n\nIt builds.\n");
    assert_eq!((said.verdict, said.content.as_str()), (Some(Judgement::Verified), "It builds."));
    let said = answered(&prompt, "rejected");
    assert_eq!((said.verdict, said.content.as_str()), (Some(Judgement::Rejected), "Rejected."));
    for text in ["Verified: all but one", "It is\nverified", "Verified-but-wrong", "ok"] {
        let why = refused("verify", &[], text);
        assert_eq!(why, "its first line has to be verified or rejected, alone", "{text}");
    }
}

#[test]
fn an_answer_in_json_is_left_to_the_reader() {
    let message = r#"{"role": "architect", "type": "verify", "content": "no", "turn": 2}"#;
    for text in [message.to_owned(), format!("```json\n{message}\n```")] {
        assert_eq!(reply(&asked("verify", &[]), &text).unwrap(), text);
    }
}

#[test]
fn a_page_is_short_and_holds_no_json() {
    let disputed = json!([{"round": 1, "by": "architect", "status": "open"},
        {"round": 2, "by": "builder", "status": "disputed", "note": "there is one"}]);
    let mut known = finding("t1-1", "disputed");
    known["history"] = disputed;
    let parts = ["task", "paths", "file src/x.rs", "diff", "checks", "findings"];
    let parts = parts.map(|name| Part::new(name, format!("the {name}"))).into();
    let shown = page(&Prompt { parts, ..asked("critique", &[known]) }).unwrap();
    let names: Vec<&str> = shown.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["task", "diff", "checks", "findings"]);
    assert_eq!(
        shown.part("findings").unwrap(),
        "t1-1  disputed  error (src/x.rs): no test\n    disputed: there is one\n"
    );
    assert!(shown.instructions.ends_with("redraft prompts show pair/critique\n"), "{shown:?}");
    for step in ["propose", "implement", "critique", "verify"] {
        let shown = page(&asked(step, &[])).unwrap();
        assert!(shown.reply.is_none() && !shown.instructions.contains("JSON"), "{step}");
        assert_eq!(shown.instructions.contains("git diff c0ffee"), step == "implement", "{step}");
    }
}

#[test]
fn a_reply_that_has_to_be_repaired_is_shown_as_it_would_be_written_by_hand() {
    let known = [finding("t1-1", "open")];
    for (step, text) in [
        ("implement", format!("It is 2.\n\ndisputed: t1-1 there is one\n{DIFF}")),
        ("critique", "Not bad.\n\n- warning (x): a name\nopen: t1-1 still\n".to_owned()),
        ("verify", "rejected\n\nIt does not build.".to_owned()),
        ("propose", "Do it.".to_owned()),
    ] {
        let mut prompt = asked(step, &known);
        let message = reply(&prompt, &text).unwrap();
        prompt.parts.push(Part::new("your reply", message));
        assert_eq!(page(&prompt).unwrap().part("your reply"), Some(text.as_str()));
    }
    let mut prompt = asked("verify", &known);
    prompt.parts.push(Part::new("your reply", "no message"));
    assert_eq!(page(&prompt).unwrap().part("your reply"), Some("no message"));
}

#[test]
fn a_solve_is_none_of_its_business() {
    let solve = Prompt {
        request: json!({"workflow": "solve", "step": "plan", "turn": 1}).to_string(),
        ..Prompt::default()
    };
    assert!(page(&solve).is_none() && !is_of_pair(&solve));
    assert_eq!(reply(&solve, "ok").unwrap(), "ok");
}
