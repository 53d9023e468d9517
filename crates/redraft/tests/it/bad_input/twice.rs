//! A reply that names a key twice says two things; it passes for neither.

use crate::scene::{asset, final_draft, review, scripted};
use serde_json::{Value, json};

fn check(entry: &Value) {
    let sandbox = scripted(&[final_draft("text\n"), entry.clone()]);
    let ended = sandbox.expect(3, &review("description", "--max-iterations 1"));
    assert!(!ended.out.contains("Outcome: converged"), "{entry}: {}", ended.out);
    let kept = asset(&sandbox, "description");
    assert_eq!(kept["reviews"][0]["verdict"], "needs_human", "{entry}");
    assert_eq!(kept["reviews"][0]["issues"][0]["code"], "unreadable_review", "{entry}");
    assert_eq!(kept["selected_candidate_id"], Value::Null, "{entry}");
}

#[test]
fn a_review_that_names_a_key_twice_is_unreadable() {
    for text in [
        r#"{"verdict": "changes_requested", "verdict": "ok"}"#,
        r#"{"verdict" : "changes_requested", "verdict" : "ok"}"#,
        r#"{"verdict": "ok", "issues": [{"severity": "error", "severity": "warning", "message": "x"}]}"#,
        r#"{"verdict": "ok", "mutate_files": {"a.txt": "1", "a.txt": "2"}}"#,
    ] {
        check(&json!({ "review": text }));
    }
}
