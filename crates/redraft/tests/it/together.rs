//! Several processes in one workspace at once.

use crate::{
    sandbox::{REDRAFT, Sandbox, THREE_ITERATIONS, ended},
    scene::{review, state, workspace},
};
use serde_json::Value;
use std::process::{Child, Stdio};

fn start(sandbox: &Sandbox, words: &str) -> Child {
    let mut command = sandbox.command(REDRAFT, words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs these at once and expects success of all.
fn all_at_once(sandbox: &Sandbox, commands: &[String]) {
    let children: Vec<Child> = commands.iter().map(|words| start(sandbox, words)).collect();
    for (child, words) in children.into_iter().zip(commands) {
        let ended = ended(&child.wait_with_output().unwrap());
        assert_eq!(ended.code, 0, "{words}\n{}\n{}", ended.out, ended.err);
    }
}

fn ids(state: &Value) -> Vec<&str> {
    let assets = state["assets"].as_array().unwrap().iter();
    assets.map(|asset| asset["asset_id"].as_str().unwrap()).collect()
}

#[test]
fn two_processes_review_two_assets_and_state_json_holds_both() {
    for _ in 0..10 {
        let sandbox = workspace();
        sandbox.write("script.json", THREE_ITERATIONS);
        all_at_once(&sandbox, &["description", "shownotes"].map(|id| review(id, "")));
        let state = state(&sandbox, "w");
        assert_eq!(ids(&state), ["description", "shownotes"]);
        for asset in state["assets"].as_array().unwrap() {
            assert_eq!(asset["candidates"].as_array().unwrap().len(), 3);
            assert_eq!(asset["reviews"].as_array().unwrap().len(), 3);
            assert_eq!(asset["selected_candidate_id"], asset["candidates"][2]["candidate_id"]);
        }
        let status = sandbox.json("podcast status -w w");
        let states = status["checklist"].as_array().unwrap().iter();
        let changed: Vec<&Value> = states.filter(|item| item["state"] == "changed").collect();
        assert_eq!(changed, Vec::<&Value>::new());
        sandbox.expect(0, "verify -w w");
    }
}

#[test]
fn many_processes_take_a_foreign_workspace_in_once() {
    let sandbox = crate::strangers::Stranger::open().build();
    sandbox.write("script.json", THREE_ITERATIONS);
    let assets = ["shownotes", "mastodon", "linkedin", "title_seo", "audio_tags"];
    all_at_once(&sandbox, &assets.map(|id| review(id, "")));
    let state = state(&sandbox, "w");
    assert_eq!(
        ids(&state),
        ["audio_tags", "description", "linkedin", "mastodon", "shownotes", "title_seo"]
    );
    assert_eq!(sandbox.json("runs list -w w")["runs"].as_array().unwrap().len(), 5);
    sandbox.expect(0, "verify -w w");
}

#[test]
fn workspaces_of_one_home_do_not_see_each_other() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    sandbox.write("script.json", THREE_ITERATIONS);
    let words = |place: &str| {
        format!("podcast review -w {place} --script script.json --asset-id description")
    };
    for place in ["a", "b", "b/c"] {
        sandbox.expect(0, &format!("podcast init --episode-id e --workspace {place}"));
    }
    all_at_once(&sandbox, &["a", "b", "b/c"].map(words));
    for place in ["a", "b", "b/c"] {
        let state = state(&sandbox, place);
        assert_eq!(ids(&state), ["description"]);
        assert!(!sandbox.join(&format!("{place}/.redraft")).exists());
    }
    assert_eq!(sandbox.json("runs list")["runs"].as_array().unwrap().len(), 3);
    std::fs::create_dir(sandbox.join("moved")).unwrap();
    for part in ["a", ".redraft", "script.json"] {
        std::fs::rename(sandbox.join(part), sandbox.join(&format!("moved/{part}"))).unwrap();
    }
    let ended = sandbox.expect(0, "podcast status -w moved/a");
    assert!(
        ended.out.contains("Outcome: converged"),
        "a home and its workspaces can move: {}",
        ended.out
    );
}

#[test]
fn drafts_of_many_processes_in_a_foreign_workspace_are_all_kept() {
    for _ in 0..3 {
        let sandbox = crate::strangers::Stranger::open().build();
        let said = "Ada: A sourdough starter is flour and water, fed every day until it rises.\n";
        sandbox.write("w/transcript/transcript.txt", said);
        let assets = ["shownotes", "mastodon", "linkedin", "title_seo"];
        all_at_once(&sandbox, &assets.map(|id| format!("podcast draft -w w --asset-id {id}")));
        let state = state(&sandbox, "w");
        let candidates = |asset: &Value| asset["candidates"].as_array().unwrap().len();
        let kept: Vec<usize> = state["assets"].as_array().unwrap().iter().map(candidates).collect();
        assert_eq!((ids(&state).len(), kept), (5, vec![1; 5]));
        sandbox.expect(0, "verify -w w");
    }
}
