//! A person's change of a file becomes a fact of theirs.

use crate::{
    sandbox::{Sandbox, THREE_ITERATIONS},
    scene::{asset, refused, review, workspace},
};
use serde_json::Value;

fn reviewed() -> Sandbox {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox.expect(0, &review("description", ""));
    sandbox
}

/// The one candidate that is new; all earlier ones are still there.
fn only_new(earlier: &Value, now: &Value) -> Value {
    let known = earlier["candidates"].as_array().unwrap();
    let now = now["candidates"].as_array().unwrap();
    assert!(known.iter().all(|candidate| now.contains(candidate)), "a candidate is lost");
    let new: Vec<&Value> = now.iter().filter(|candidate| !known.contains(candidate)).collect();
    assert_eq!(new.len(), 1);
    new[0].clone()
}

/// After an adoption nothing is damaged, and nothing is left to do.
fn check_clean(sandbox: &Sandbox) {
    let status = sandbox.json("podcast status -w w");
    let items = status["checklist"].as_array().unwrap().iter();
    let odd: Vec<&Value> = items.filter(|item| item["state"] == "changed").collect();
    assert_eq!(odd, Vec::<&Value>::new());
    let before = sandbox.files(".");
    let told = sandbox.expect(0, "repair -w w");
    assert!(told.out.contains("Every file is as the journal has it."), "{}", told.out);
    assert!(sandbox.files(".") == before);
    sandbox.expect(0, "verify -w w");
}

#[test]
fn an_edited_selection_becomes_the_persons_candidate_and_selection() {
    let sandbox = reviewed();
    let earlier = asset(&sandbox, "description");
    sandbox.write("w/copy/selected/description.md", "by *hand*\n");
    sandbox.expect(6, &review("description", ""));
    sandbox.expect(0, "adopt -w w copy/selected/description.md --by Ada");
    let now = asset(&sandbox, "description");
    let new = only_new(&earlier, &now);
    assert_eq!(new["content"], "by *hand*\n");
    assert_eq!(new["provenance"][0]["metadata"]["by"], "Ada");
    assert_eq!(now["selected_candidate_id"], new["candidate_id"]);
    assert_eq!(sandbox.read("w/copy/selected/description.html"), "<p>by <em>hand</em></p>\n");
    refused(&sandbox, 0, &review("description", ""), &["Outcome: selected by Ada"]);
    check_clean(&sandbox);
    refused(&sandbox, 2, "adopt -w w copy/selected/description.md", &["there is no change"]);
}

#[test]
fn an_edited_candidate_becomes_a_new_one_and_the_old_one_stays() {
    let sandbox = reviewed();
    let earlier = asset(&sandbox, "description");
    let id = earlier["candidates"][0]["candidate_id"].as_str().unwrap();
    let path = format!("copy/candidates/description/candidate_{id}.md");
    let text = sandbox.read(&format!("w/{path}"));
    sandbox.write(&format!("w/{path}"), "better\n");
    sandbox.expect(0, &format!("adopt -w w {path} --by Ada"));
    assert_eq!(sandbox.read(&format!("w/{path}")), text);
    let now = asset(&sandbox, "description");
    let new = only_new(&earlier, &now);
    assert_eq!(new["content"], "better\n");
    assert_eq!(now["selected_candidate_id"], earlier["selected_candidate_id"]);
    let new = new["candidate_id"].as_str().unwrap();
    assert_eq!(
        sandbox.read(&format!("w/copy/candidates/description/candidate_{new}.md")),
        "better\n"
    );
    refused(&sandbox, 0, &review("description", ""), &["Outcome: converged"]);
    check_clean(&sandbox);
}

#[test]
fn a_file_of_the_agents_own_is_adopted_as_it_stands() {
    let sandbox = reviewed();
    sandbox.write("w/notes/a.txt", "changed\n");
    refused(&sandbox, 6, &review("description", ""), &["notes/a.txt"]);
    sandbox.expect(0, "adopt -w w notes/a.txt");
    assert_eq!(sandbox.read("w/notes/a.txt"), "changed\n");
    sandbox.expect(0, &review("description", ""));
    check_clean(&sandbox);
    std::fs::remove_file(sandbox.join("w/notes/a.txt")).unwrap();
    sandbox.expect(0, "adopt -w w notes/a.txt");
    sandbox.expect(0, &review("description", ""));
    assert!(!sandbox.join("w/notes/a.txt").exists());
    check_clean(&sandbox);
}

#[test]
fn what_cannot_be_adopted_is_refused_and_nothing_changes() {
    let sandbox = reviewed();
    let folder = "copy/candidates/description";
    let paths: Vec<String> = sandbox.files("w").into_keys().collect();
    let derived = paths.iter().find(|path| path.starts_with(folder) && path.ends_with(".html"));
    let derived = derived.unwrap();
    for path in ["state.json", "copy/protocol/description/state.json", derived.as_str()] {
        let whole = sandbox.read(&format!("w/{path}"));
        sandbox.write(&format!("w/{path}"), "{}\n");
        refused(&sandbox, 2, &format!("adopt -w w {path}"), &[path]);
        sandbox.write(&format!("w/{path}"), whole);
    }
    sandbox.write("w/mine.txt", "mine");
    refused(&sandbox, 2, "adopt -w w mine.txt", &["not a file that Redraft wrote"]);
    refused(&sandbox, 2, "adopt -w w ../script.json", &["../script.json"]);
    refused(&sandbox, 2, "adopt -w w state.json", &["there is no change"]);
    sandbox.write("w/copy/selected/description.md", b"\xff");
    refused(&sandbox, 2, "adopt -w w copy/selected/description.md", &["not UTF-8 from byte 0"]);
}
