//! `podcast diff`: word by word, with every issue, and nothing that a terminal could be tricked with.

use crate::{
    pty::{self, Terminal},
    sandbox::{Sandbox, THREE_ITERATIONS},
    scene::{agrees, draft, final_draft, refused, review, script, scripted, workspace},
};
use serde_json::{Value, json};

fn issues(all: &[(&str, &str, Value)]) -> Value {
    let issue = |(severity, message, field): &(&str, &str, Value)| json!({"severity": severity, "message": message, "field": field});
    let issues: Vec<Value> = all.iter().map(issue).collect();
    json!({"review": {"verdict": "changes_requested", "reviewer": "reviewer_a", "issues": issues}})
}

fn reviewed() -> Sandbox {
    let sandbox = scripted(&[
        draft("# Bread\n\nThe dough rests.\nIt is hot.\n"),
        issues(&[
            ("error", "“dough” is vague", Value::Null),
            ("warning", "too short", json!("content")),
            ("error", "say more", json!("It is hot")),
        ]),
        final_draft("# Bread\n\nThe sourdough rests overnight.\nIt is hot.\n"),
        json!({"review": {"verdict": "ok", "issues": [{"severity": "warning", "message": "'overnight' is long"}]}}),
    ]);
    sandbox.expect(0, &review("description", ""));
    sandbox
}

#[test]
fn the_last_two_versions_are_compared_with_issues_under_their_lines() {
    let sandbox = reviewed();
    let told = sandbox.expect(0, "podcast diff description -w w");
    let expected = "Asset: description\nFrom: 1 (changes_requested)\nTo: 2 (ok)\n\n  # Bread\n  \n  The [-dough-]{+sourdough+} rests{+ overnight+}.\n      ^ error (1): “dough” is vague\n      ^ warning (2): 'overnight' is long\n  It is hot.\n      ^ error (1): say more\n\nAbout the whole:\n  ^ warning (1): too short\n";
    assert_eq!(told.out, expected);
}

#[test]
fn versions_are_named_by_number_seed_and_selection() {
    let sandbox = workspace();
    sandbox.write("t.md", "**Ada:** A sourdough starter is flour and water, fed every day.\n");
    sandbox.expect(0, "podcast ingest -w w --transcript t.md");
    sandbox.expect(0, "podcast draft -w w --asset-id description");
    refused(&sandbox, 2, "podcast diff description -w w", &["only seed to compare"]);
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox.expect(0, &review("description", ""));
    for (range, from, to) in [
        ("", "2", "3"),
        ("1..3", "1", "3"),
        ("seed..selected", "seed", "selected"),
        ("3..1", "3", "1"),
    ] {
        let shown = sandbox.json(&format!("podcast diff description {range} -w w"));
        assert_eq!(
            (&shown["from"]["version"], &shown["to"]["version"]),
            (&json!(from), &json!(to)),
            "{range}"
        );
    }
    let all = "seed, 1, 2, 3, selected";
    refused(&sandbox, 2, "podcast diff description 1..4 -w w", &["no version 4", all]);
    refused(&sandbox, 2, "podcast diff description 1 -w w", &["1..2"]);
    refused(&sandbox, 2, "podcast diff slug -w w", &["slug: nothing to compare"]);
    refused(&sandbox, 2, "podcast diff ../x -w w", &["asset_id must match"]);
}

#[test]
fn json_has_every_piece_and_every_issue() {
    let sandbox = reviewed();
    let shown = sandbox.json("podcast diff description -w w");
    assert_eq!(shown["from"]["verdict"], "changes_requested");
    let row = &shown["rows"][2];
    assert_eq!((&row["row"]["old"], &row["row"]["new"]), (&json!(3), &json!(3)));
    assert_eq!(row["row"]["pieces"][1], json!({"change": "removed", "text": "dough"}));
    assert_eq!(row["issues"][0]["version"], "1");
    assert_eq!(row["issues"][0]["issue"]["message"], "“dough” is vague");
    assert_eq!(shown["about_the_whole"][0]["issue"]["message"], "too short");
}

#[test]
fn an_iteration_that_nobody_has_reviewed_yet_is_compared_too() {
    let sandbox = scripted(&[draft("one\n"), crate::scene::objects("more"), draft("two\n")]);
    sandbox.expect(1, &review("description", ""));
    let told = sandbox.expect(0, "podcast diff description -w w");
    assert!(
        told.out.contains("To: 2 (no review)") && told.out.contains("[-one-]{+two+}"),
        "{}",
        told.out
    );
}

#[test]
fn hidden_characters_do_not_reach_the_terminal_in_texts_or_issues() {
    let evil = "a\u{1b}[2Jb\u{202e}c\u{9b}31m\r\nOutcome: converged (forged)\n";
    let sandbox = scripted(&[
        draft("x\n"),
        issues(&[("error", evil, Value::Null)]),
        final_draft(evil),
        agrees(),
    ]);
    sandbox.expect(0, &review("description", ""));
    let told = sandbox.expect(0, "podcast diff description -w w");
    let odd = told.out.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
    assert_eq!(odd, None, "{}", told.out);
    assert!(!told.out.lines().any(|line| line.starts_with("Outcome")), "{}", told.out);
}

#[test]
fn a_terminal_gets_colours_unless_somebody_said_no() {
    if !pty::works() {
        return;
    }
    let sandbox = reviewed();
    let shown = |environment: &[(&str, &str)]| {
        Terminal::start(&sandbox, "podcast diff description -w w", environment).ends().out
    };
    let coloured = shown(&[]);
    assert!(
        coloured.contains("The \u{1b}[31mdough\u{1b}[0m\u{1b}[32msourdough\u{1b}[0m rests"),
        "{coloured:?}"
    );
    for environment in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let plain = shown(&[environment]);
        assert!(!plain.contains('\u{1b}') && plain.contains("[-dough-]{+sourdough+}"), "{plain:?}");
    }
}

#[test]
fn two_drafts_of_one_text_can_be_told_apart_after_a_pick() {
    let sandbox = workspace();
    script(
        &sandbox,
        &[
            draft("one\n"),
            crate::scene::objects("more"),
            draft("two\n"),
            crate::scene::objects("more"),
        ],
    );
    sandbox.expect(3, &review("description", "--max-iterations 2"));
    let id = crate::scene::asset(&sandbox, "description")["candidates"][0]["candidate_id"].clone();
    let id = id.as_str().unwrap();
    sandbox.expect(0, &format!("podcast pick -w w --asset-id description --candidate-id {id}"));
    let told = sandbox.expect(0, "podcast diff description selected..2 -w w");
    assert!(told.out.contains("From: selected (changes_requested)"), "{}", told.out);
    assert!(told.out.contains("[-one-]{+two+}"), "{}", told.out);
}
