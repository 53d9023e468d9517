//! Messages that break their schema, and diffs that do not apply or are written in a model's own way: one repair, then the
//! end.

use super::{
    cast::{Reads, asked, builds, calls, cast, cast_reading, criticises, proposes, verifies},
    last_line,
    projects::PYTHON,
    repositories::Repository,
};
use crate::sandbox::Ended;
use serde_json::{Value, json};

const FAILED: &str = "MESSAGE_SCHEMA_VALIDATION_FAILED";

/// An architect that is content with the first turn.
fn content() -> [Value; 3] {
    [proposes(), criticises(1, &[]), verifies(1)]
}

/// A pair whose builder says this, on a repository of its own.
fn said(builder: &[Value], words: &[&str]) -> (Repository, Ended) {
    let repository = Repository::of(&PYTHON);
    cast_reading(&repository, Reads::Text, &content(), builder);
    let ended = repository.pair_checked(&[], words);
    repository.assert_tidy();
    (repository, ended)
}

/// A builder's message with the architect's role, and more that is wrong.
fn wrong_in_three_places() -> Value {
    json!({"role": "architect", "type": "implement", "turn": 0, "content": "", "diff": ""})
}

#[test]
fn a_message_with_the_other_sides_role_fails_after_one_repair_with_all_that_is_wrong() {
    let wrong = wrong_in_three_places();
    let (repository, ended) = said(&[wrong.clone(), wrong.clone(), wrong], &[]);
    assert_eq!((ended.code, ended.out.as_str()), (1, &*format!("{FAILED}\n")), "{}", ended.err);
    let asked = asked(&repository, "builder");
    assert_eq!((asked.len(), calls(&repository)), (2, 3));
    let stopped = ended.err.lines().find(|line| line.starts_with("stopped: ")).unwrap();
    for wrong in [
        "\"/role\": must be \"builder\"",
        "\"/turn\": it is less than the minimum of 1",
        "\"/content\": it is shorter than 1 character",
    ] {
        assert!(stopped.contains(wrong), "{wrong}: {stopped}");
        assert!(!asked[0].contains(wrong) && asked[1].contains(wrong), "{}", asked[1]);
    }
}

#[test]
fn a_builder_cannot_verify() {
    let (_, ended) = said(&[verifies(1), verifies(1)], &["--json"]);
    let document: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((ended.code, &document["status"]), (1, &json!(FAILED)), "{document}");
    assert!(document["stopped"].as_str().unwrap().contains("\"/type\": "), "{document}");
    assert_eq!((&document["diff"], &document["turns"]), (&Value::Null, &json!([])));
}

#[test]
fn an_architect_cannot_implement_nor_speak_of_another_turn() {
    let repository = Repository::of(&PYTHON);
    let built = builds(1, &PYTHON.diff(PYTHON.right));
    for (pointer, wrong) in [("/type", built.clone()), ("/turn", criticises(2, &[]))] {
        let architect = [proposes(), wrong.clone(), wrong];
        cast(&repository, &architect, std::slice::from_ref(&built));
        let ended = repository.pair_checked(&[], &["--again"]);
        assert_eq!((ended.code, last_line(&ended)), (1, FAILED), "{}", ended.err);
        assert!(ended.err.contains(&format!("\"{pointer}\": must be ")), "{}", ended.err);
        // What was built by then is handed over.
        assert!(ended.out.contains(&format!("+{}\n", PYTHON.right)), "{}", ended.out);
    }
}

#[test]
fn a_repaired_message_counts_as_if_it_had_come_first() {
    let right = builds(1, &PYTHON.diff(PYTHON.right));
    let (repository, ended) = said(&[wrong_in_three_places(), right], &[]);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{}", ended.err);
    assert_eq!(calls(&repository), 5);
}

#[test]
fn a_diff_that_does_not_apply_is_asked_for_once_more_in_gits_own_words() {
    let stale = PYTHON.diff(PYTHON.right).replace(PYTHON.fault, "    return None");
    let right = builds(1, &PYTHON.diff(PYTHON.right));
    let (repository, ended) = said(&[builds(1, &stale), right], &[]);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{}", ended.err);
    let asked = asked(&repository, "builder");
    let words = "prices.py: patch does not apply";
    assert!(!asked[0].contains(words) && asked[1].contains(words), "{}", asked[1]);
    assert!(asked[1].contains("return None"), "{}", asked[1]);
    let (_, twice) = said(&[builds(1, &stale), builds(1, &stale)], &[]);
    assert_eq!((twice.code, twice.out.as_str()), (1, "FAILED\n"), "{}", twice.err);
    assert!(twice.err.contains(words), "{}", twice.err);
}

#[test]
fn a_diff_counts_in_whatever_way_a_model_writes_it() {
    let plain = PYTHON.diff(PYTHON.right);
    let (_, wanted) = said(&[builds(1, &plain)], &[]);
    assert_eq!(last_line(&wanted), "CONVERGED", "{}", wanted.err);
    let indented: String = plain.lines().map(|line| format!("    {line}\n")).collect();
    for (way, diff) in [
        ("fenced", format!("```diff\n{plain}```\n")),
        ("with words around it", format!("Here it is:\n\n```\n{plain}```\n\nThat is all.")),
        (
            "without a/ and b/",
            format!("--- prices.py\n+++ prices.py\n{}", PYTHON.hunk(PYTHON.right)),
        ),
        ("with git's own line", format!("diff --git a/prices.py b/prices.py\n{plain}")),
        ("indented", indented),
        ("with wrong counts", plain.replace("@@ -1,5 +1,5 @@", "@@ -1,9 +1,2 @@")),
    ] {
        let (_, ended) = said(&[builds(1, &diff)], &[]);
        assert_eq!((ended.code, &ended.out), (0, &wanted.out), "{way}: {}", ended.err);
    }
}
