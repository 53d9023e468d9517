//! Workspaces of other implementations: they open, list the same, and the open ones continue.

use crate::{
    sandbox::{Sandbox, copy},
    scene::{
        agrees, asked, asset, document, draft, expect_logged, final_draft, objects, refused,
        review, script, state,
    },
    strangers::{Stranger, candidate, iteration, needs_human, reviewed},
};
use serde_json::{Value, json};
use std::path::PathBuf;

#[test]
fn a_foreign_workspace_lists_what_it_holds_and_nothing_is_written() {
    let sandbox = Stranger::open().build();
    let told = [
        "Episode: stranger",
        "Asset: description",
        "Iteration: 1/3",
        "Verdict: changes_requested",
        "Outcome: in_progress",
        "Blocking issues: 1",
        "error: add more detail",
    ];
    refused(&sandbox, 0, "podcast status -w w", &told);
    assert!(!sandbox.join("w/.redraft").exists());
}

#[test]
fn a_decided_foreign_workspace_is_reported_and_no_byte_is_written() {
    for (outcome, reason, code) in [
        ("converged", "reviewer_ok_and_creator_done", 0),
        ("needs_human", "iteration_limit", 3),
        ("needs_human", "no_improvement", 4),
        ("needs_human", "a reason of their own", 3),
    ] {
        let sandbox = Stranger::decided(outcome, reason).build();
        for more in ["", "--fake-runner", "--max-iterations 9"] {
            let words = format!("podcast review -w w --asset-id description {more}");
            refused(&sandbox, code, &words, &[&format!("Outcome: {outcome} ({reason})")]);
        }
        let status = format!("Outcome: {outcome} ({reason})");
        refused(&sandbox, 0, "podcast status -w w", &[&status]);
        assert!(!sandbox.join("w/.redraft").exists());
    }
}

#[test]
fn a_decision_whose_outcome_is_not_locked_is_no_decision() {
    let mut stranger = Stranger::decided("needs_human", "iteration_limit");
    stranger.protocol["decision"]["locked_fields"] = json!([]);
    stranger.protocol["max_iterations"] = json!(2);
    let sandbox = stranger.build();
    script(&sandbox, &[draft("unused"), objects("unused"), final_draft("two\n"), agrees()]);
    sandbox.expect(0, &review("description", "--max-iterations 2"));
}

#[test]
fn a_foreign_loop_in_progress_continues_and_keeps_iteration_1() {
    let sandbox = Stranger::open().build();
    script(&sandbox, &[draft("unused\n"), objects("unused"), final_draft("two\n"), agrees()]);
    let before = sandbox.files("w");
    expect_logged(&sandbox, 0, &review("description", ""));
    assert_eq!(
        asked(&sandbox),
        ["description creator ordinal=1 attempt=1", "description reviewer ordinal=1 attempt=1"]
    );
    let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
    let numbers: Vec<&Value> =
        protocol["iterations"].as_array().unwrap().iter().map(|i| &i["iteration"]).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(protocol["iterations"][0], iteration());
    assert_eq!(protocol["decision"]["final_iteration"], 2);
    let kept = asset(&sandbox, "description");
    assert_eq!(kept["candidates"][0], candidate());
    assert_eq!(kept["candidates"][1]["content"], "two\n");
    assert_eq!(kept["reviews"][0], reviewed());
    let after = sandbox.files("w");
    for (path, bytes) in before.iter().filter(|(path, _)| !path.ends_with("state.json")) {
        assert!(after.get(path) == Some(bytes), "{path} has changed");
    }
    let (old, new) = (Stranger::open().state, state(&sandbox, "w"));
    for key in ["created_at", "root_dir", "chapters", "tracks", "provenance", "episode_id"] {
        assert_eq!(new[key], old[key], "{key}");
    }
}

#[test]
fn the_built_in_script_goes_on_with_the_second_iteration() {
    let sandbox = Stranger::open().build();
    let words = "podcast review -w w --fake-runner --asset-id description";
    let ended = expect_logged(&sandbox, 0, words);
    assert!(ended.out.contains("Outcome: converged"), "{}", ended.out);
    assert_eq!(asset(&sandbox, "description")["reviews"].as_array().unwrap().len(), 2);
}

#[test]
fn a_foreign_loop_keeps_its_own_limit_and_takes_a_higher_one() {
    let replies = [
        draft("a"),
        objects("a"),
        draft("b"),
        objects("b"),
        draft("c"),
        objects("c"),
        draft("d"),
        objects("d"),
    ];
    for (more, last) in [("", 3), ("--max-iterations 4", 4), ("--max-iterations 2", 2)] {
        let sandbox = Stranger::open().build();
        script(&sandbox, &replies);
        sandbox.expect(3, &review("description", more));
        let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
        assert_eq!(protocol["decision"]["final_iteration"], last);
        assert_eq!(protocol["max_iterations"], last);
    }
}

#[test]
fn a_limit_that_the_foreign_iterations_have_reached_needs_no_call() {
    let mut stranger = Stranger::open();
    stranger.protocol["max_iterations"] = json!(1);
    for (stranger, more) in [(stranger, ""), (Stranger::open(), "--max-iterations 1")] {
        let sandbox = stranger.build();
        script(&sandbox, &[]);
        let ended = expect_logged(&sandbox, 3, &review("description", more));
        assert!(ended.out.contains("Outcome: needs_human (iteration_limit)"), "{}", ended.out);
        let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
        assert_eq!(protocol["decision"], needs_human());
        assert_eq!(asked(&sandbox), Vec::<String>::new());
    }
}

#[test]
fn the_fields_that_the_contract_allows_to_be_absent_or_null_are_read() {
    let mut stranger = Stranger::open();
    stranger.state["auphonic_production_uuid"] = json!("b2f3");
    stranger.state["chapters"] =
        json!([{"title": "é", "start_sec": 0.0, "end_sec": null, "summary": null}]);
    stranger.state["tracks"] =
        json!([{"track_id": "a", "path": "a.wav", "label": null, "role": null, "provenance": []}]);
    stranger.state["provenance"] =
        json!([{"kind": "k", "ref": "r", "created_at": null, "metadata": {"b": [1, 2.0]}}]);
    let sandbox = stranger.build();
    script(&sandbox, &[draft("unused"), objects("unused"), final_draft("two\n"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    let kept = state(&sandbox, "w");
    for key in ["auphonic_production_uuid", "chapters", "tracks", "provenance"] {
        assert_eq!(kept[key], stranger.state[key], "{key}");
    }
    let text = sandbox.read("w/state.json");
    assert!(text.contains("\"start_sec\": 0.0") && text.contains('é'), "{text}");
}

#[test]
fn reviews_without_a_protocol_are_numbered_on_from() {
    let sandbox = Stranger::open().build();
    std::fs::remove_dir_all(sandbox.join("w/copy/protocol")).unwrap();
    let old = sandbox.read("w/copy/reviews/description/iteration_01.mo.json");
    script(&sandbox, &[final_draft("two\n"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    let kept = asset(&sandbox, "description");
    let reviews = kept["reviews"].as_array().unwrap();
    assert_eq!((&reviews[0], reviews.len()), (&reviewed(), 2));
    assert_eq!((&reviews[1]["iteration"], &reviews[1]["verdict"]), (&json!(2), &json!("ok")));
    assert_eq!(sandbox.read("w/copy/reviews/description/iteration_01.mo.json"), old);
    let status = sandbox.expect(0, "podcast status -w w");
    assert!(status.out.contains("Iteration: 2/3\nVerdict: ok\n"), "{}", status.out);
}

/// The workspaces of another implementation, where they are at hand.
pub(crate) fn given(name: &str) -> Option<Sandbox> {
    let from = PathBuf::from(std::env::var_os("REDRAFT_WORKSPACES")?).join(name);
    let sandbox = Sandbox::new();
    copy(&from, &sandbox.join("w"));
    Some(sandbox)
}

#[test]
fn the_given_decided_workspaces_are_reported_and_no_byte_is_written() {
    for (name, code) in [("converged", 0), ("needs_human", 3)] {
        let Some(sandbox) = given(name) else { return };
        let decision =
            document(&sandbox, "w/copy/protocol/description/state.json")["decision"].clone();
        let told = format!("Outcome: {name} ({})", decision["reason"].as_str().unwrap());
        refused(&sandbox, 0, "podcast status -w w", &["Asset: description", &told]);
        for more in ["", "--fake-runner", "--fake-runner --max-iterations 7"] {
            let words = format!("podcast review -w w --asset-id description {more}");
            refused(&sandbox, code, &words, &[&told]);
        }
        assert!(!sandbox.join("w/.redraft").exists());
    }
}

#[test]
fn the_given_workspace_in_progress_continues_and_keeps_iteration_1() {
    let Some(sandbox) = given("in_progress") else { return };
    let first = document(&sandbox, "w/copy/protocol/description/iteration_01.json");
    let before = sandbox.files("w/copy");
    sandbox.expect(0, "podcast review -w w --fake-runner --asset-id description");
    let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
    assert_eq!(protocol["iterations"][0], first);
    assert_eq!(protocol["decision"]["outcome"], "converged");
    let kept = asset(&sandbox, "description");
    assert_eq!(kept["candidates"][0], first["creator"]["candidate"]);
    assert_eq!(kept["reviews"][0], first["reviewer"]);
    let after = sandbox.files("w/copy");
    for (path, bytes) in before.iter().filter(|(path, _)| !path.ends_with("state.json")) {
        assert!(after.get(path) == Some(bytes), "{path} has changed");
    }
}
