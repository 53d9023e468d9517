//! Running again never loses what an earlier run kept.

use crate::{
    held::Held,
    sandbox::{Ended, Sandbox, THREE_ITERATIONS, ended},
    scene::{
        agrees, asked, asset, calls, document, draft, expect_logged, final_draft, objects, refused,
        review, script, scripted, state, workspace,
    },
};
use serde_json::Value;
use std::process::Command;

#[test]
fn a_locked_needs_human_is_not_overwritten_by_a_rerun() {
    let sandbox = scripted(&[draft("one\n"), objects("more")]);
    expect_logged(&sandbox, 3, &review("description", "--max-iterations 1"));
    script(&sandbox, &[final_draft("two\n"), agrees()]);
    for more in ["", "--max-iterations 1", "--max-iterations 5", "--max-calls 50"] {
        let words = review("description", more);
        refused(&sandbox, 3, &words, &["Outcome: needs_human (iteration_limit)"]);
        expect_logged(&sandbox, 3, &words);
    }
    let fake = "podcast review -w w --fake-runner --asset-id description --max-iterations 9";
    refused(&sandbox, 3, fake, &["Outcome: needs_human (iteration_limit)"]);
    assert_eq!(asked(&sandbox).len(), 2, "an agent was called again");
}

#[test]
fn runs_that_do_not_converge_keep_selection_and_candidates() {
    let sandbox = scripted(&[draft("one\n"), objects("more")]);
    sandbox.expect(5, &review("description", "--max-calls 2"));
    let first = asset(&sandbox, "description")["candidates"][0].clone();
    let id = first["candidate_id"].as_str().unwrap();
    sandbox.expect(0, &format!("podcast pick -w w --asset-id description --candidate-id {id}"));
    let picked = sandbox.files("w/copy/selected");
    for other in ["shownotes", "mastodon"] {
        sandbox.expect(3, &review(other, "--max-iterations 1"));
    }
    script(&sandbox, &[draft("x"), objects("x"), draft("two\n"), objects("more still")]);
    let ended = sandbox.expect(3, &review("description", "--max-iterations 2 --max-calls 9"));
    assert!(ended.out.contains("Selected: w/copy/selected/description.md"), "{}", ended.out);
    let kept = asset(&sandbox, "description");
    assert_eq!(kept["selected_candidate_id"], first["candidate_id"]);
    let texts: Vec<&Value> =
        kept["candidates"].as_array().unwrap().iter().map(|c| &c["content"]).collect();
    assert_eq!(texts, ["one\n", "two\n"]);
    assert_eq!(kept["reviews"].as_array().unwrap().len(), 2);
    let selected = sandbox.files("w/copy/selected");
    assert_eq!(selected, picked);
}

#[test]
fn a_picked_candidate_turns_needs_human_into_selected_and_leaves_the_decision() {
    let sandbox = scripted(&[draft("one\n"), objects("more")]);
    let words = review("description", "--max-iterations 1");
    sandbox.expect(3, &words);
    let protocol = sandbox.read("w/copy/protocol/description/state.json");
    let id = asset(&sandbox, "description")["candidates"][0]["candidate_id"].clone();
    let id = id.as_str().unwrap();
    sandbox.expect(
        0,
        &format!("podcast pick -w w --asset-id description --candidate-id {id} --by Ada"),
    );
    assert_eq!(sandbox.read("w/copy/protocol/description/state.json"), protocol);
    refused(
        &sandbox,
        0,
        &words,
        &["Outcome: selected by Ada", "Selected: w/copy/selected/description.md"],
    );
    assert!(sandbox.expect(0, "podcast status -w w").out.contains("Outcome: selected by Ada"));
}

#[test]
fn a_crash_in_iteration_2_does_not_lose_iteration_1() {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    let words = review("description", "");
    let mut held = Held::at_the_first_call(&sandbox, &words);
    held.let_call(2);
    held.until_claimed(3);
    held.child.kill().unwrap();
    held.child.wait().unwrap();
    // The files may be behind the journal here; what the journal has is what counts.
    let status = &sandbox.json("podcast status -w w")["assets"][0];
    assert_eq!(
        (&status["iteration"], &status["verdict"]),
        (&1.into(), &"changes_requested".into())
    );
    std::fs::remove_file(sandbox.join("agent.log")).unwrap();
    expect_logged(&sandbox, 0, &words);
    assert_eq!(asked(&sandbox).len(), 4, "the two answered calls were made again");
    let uninterrupted = workspace();
    uninterrupted.write("script.json", THREE_ITERATIONS);
    uninterrupted.expect(0, &words);
    assert_eq!(sandbox.files("w/copy"), uninterrupted.files("w/copy"));
    assert_eq!(state(&sandbox, "w")["assets"], state(&uninterrupted, "w")["assets"]);
}

/// Interrupts a review while its first call is with the agent; gives how it ended.
fn interrupted(sandbox: &Sandbox, words: &str) -> Ended {
    let held = Held::at_the_first_call(sandbox, words);
    let pid = held.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let _open = held.let_go();
    ended(&held.child.wait_with_output().unwrap())
}

#[test]
fn ctrl_c_finishes_the_call_and_the_same_command_goes_on() {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    let words = review("description", "");
    let interrupted = interrupted(&sandbox, &words);
    assert_eq!(interrupted.code, 130, "{}", interrupted.err);
    assert!(interrupted.err.contains("the same command goes on"), "{}", interrupted.err);
    let honest = "a call that was cut off (a second Ctrl-C) is asked again";
    assert!(interrupted.err.contains(honest), "{}", interrupted.err);
    let answered = calls(&sandbox);
    assert!((1..6).contains(&answered), "{answered} calls were made");
    let protocol = sandbox.join("w/copy/protocol/description/state.json");
    let decided = protocol.exists()
        && document(&sandbox, "w/copy/protocol/description/state.json")["decision"] != Value::Null;
    assert!(!decided, "an interruption is no decision");
    std::fs::remove_file(sandbox.join("agent.log")).unwrap();
    expect_logged(&sandbox, 0, &words);
    assert_eq!(asked(&sandbox).len() as u64, 6 - answered, "an answered call was made again");
    let uninterrupted = workspace();
    uninterrupted.write("script.json", THREE_ITERATIONS);
    uninterrupted.expect(0, &words);
    assert_eq!(sandbox.files("w/copy"), uninterrupted.files("w/copy"));
    assert_eq!(sandbox.files("w/notes"), uninterrupted.files("w/notes"));
}
