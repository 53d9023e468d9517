//! A pair of models that counts: a repository of one line, which the builder `writer` changes in each turn, and which the
//! architect `critic` is never content with.

use super::desk;
use crate::{
    models::configure,
    provider::{Does, Provider},
    sandbox::Sandbox,
};
use serde_json::json;
use std::process::Command;

/// What a model says when it is asked so often: the builder changes the one line, the architect is never content.
pub(super) fn says(model: &str, nth: usize) -> Does {
    let (role, kind, turn) = match (model, nth) {
        ("writer", _) => ("builder", "implement", nth + 1),
        (_, 0) => ("architect", "propose", 1),
        (_, _) if nth % 2 == 1 => ("architect", "critique", nth / 2 + 1),
        (_, _) => ("architect", "verify", nth / 2),
    };
    let mut message = json!({"role": role, "type": kind, "content": "It is said.", "turn": turn});
    match kind {
        "implement" => {
            let diff = format!("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-zero\n+turn {turn}\n");
            message["diff"] = diff.into();
        }
        "verify" => message["verdict"] = "rejected".into(),
        _ => {}
    }
    Does::Says(message.to_string())
}

/// A folder with a home, a task of so many words, and a repository of one line.
pub(super) fn repository(provider: &Provider, words: usize) -> Sandbox {
    let sandbox = desk();
    sandbox.write("repo/a.txt", "zero\n");
    sandbox.write("task.md", "Count. ".repeat(words));
    for words in [
        &["init", "-q"][..],
        &["add", "a.txt"],
        &["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "one"],
    ] {
        let mut git = Command::new("git");
        assert!(git.args(words).current_dir(sandbox.join("repo")).status().unwrap().success());
    }
    configure(&sandbox, provider, "");
    sandbox
}
