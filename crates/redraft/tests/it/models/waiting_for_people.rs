//! A person as an agent: a prompt file, a response file, exit 3 while waiting, and nothing charged.

use super::{expect, studio};
use crate::provider::Provider;
use std::{fs, path::PathBuf};

const REVIEW: &str = "podcast review -w w --asset-id talk --reviewer human";

fn inbox(folder: &std::path::Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn a_person_reviews_what_a_model_wrote() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let ended = expect(&sandbox, 3, REVIEW);
    assert!(ended.err.contains("reviewer waits for an answer in"), "{}", ended.err);
    assert_eq!(provider.asked(), 1);
    let prompts = inbox(&sandbox.join("w/.redraft"), ".prompt.md");
    assert_eq!(prompts.len(), 1);
    let prompt = fs::read_to_string(&prompts[0]).unwrap();
    assert!(prompt.contains("A plain text about the talk."), "{prompt}");
    expect(&sandbox, 3, REVIEW);
    assert_eq!(provider.asked(), 1, "the writer is not asked again");
    assert_eq!(sandbox.json("runs list -w w")["runs"][0]["calls"], 1, "waiting is not charged");
    let response = prompts[0].to_string_lossy().replace(".prompt.md", ".response.md");
    fs::write(&response, "I like it.\n\n```json\n{\"verdict\": \"ok\", \"issues\": []}\n```\n")
        .unwrap();
    let ended = expect(&sandbox, 0, REVIEW);
    assert!(ended.out.contains("Outcome: converged"), "{}", ended.out);
    assert!(std::path::Path::new(&response).exists(), "a person's words are never removed");
}
