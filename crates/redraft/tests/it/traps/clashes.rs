//! `mutate_files` that lead round the rules: through folder links, and against one another.

use super::mutate::check;
use crate::scene::{asked, expect_logged, final_draft, review, script, scripted};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;

const PANEL: &str = "--reviewer scripted --reviewer scripted";

#[test]
fn a_folder_link_does_not_lead_to_files_that_the_journal_owns() {
    for there in [true, false] {
        let sandbox = scripted(&[]);
        if there {
            std::fs::create_dir_all(sandbox.join("w/copy/selected")).unwrap();
        }
        symlink("copy", sandbox.join("w/link")).unwrap();
        let files = json!({"first.txt": "x", "link/selected/slug.txt": "evil\n"});
        check(&sandbox, &files, "link/selected/slug.txt");
        assert!(!sandbox.join("w/copy/selected/slug.txt").exists());
    }
}

/// What the panel says when its members want these files.
fn panel(first: &Value, second: &Value) -> [Value; 3] {
    [
        final_draft("text\n"),
        json!({"review": {"verdict": "ok", "reviewer": "ada", "mutate_files": first}}),
        json!({"reviewer_2": {"verdict": "ok", "reviewer": "bo", "mutate_files": second}}),
    ]
}

#[test]
fn two_reviewers_whose_files_clash_are_refused_and_a_mended_script_goes_on() {
    for (one, two) in [("notes", "notes/x"), ("notes/x", "notes"), ("notes/x/y", "notes/x")] {
        let sandbox = scripted(&panel(&json!({ one: "1" }), &json!({ two: "2" })));
        let ended = expect_logged(&sandbox, 1, &review("description", PANEL));
        assert!(ended.err.contains("mutate_files cannot write both"), "{}", ended.err);
        assert!(!sandbox.join("w/notes").exists(), "{one}, {two}: half of it is written");
        script(&sandbox, &panel(&json!({ one: "1" }), &json!({"other.txt": "2"})));
        expect_logged(&sandbox, 0, &review("description", PANEL));
        // The refused reply was a failed attempt: the same ordinal is asked for once more.
        let again = "description reviewer_2 ordinal=0 attempt=2";
        assert_eq!(asked(&sandbox).last().map(String::as_str), Some(again));
        assert_eq!(asked(&sandbox).len(), 4, "nobody else is asked again");
        assert_eq!(sandbox.read(&format!("w/{one}")), "1");
        assert_eq!(sandbox.read("w/other.txt"), "2");
    }
}
