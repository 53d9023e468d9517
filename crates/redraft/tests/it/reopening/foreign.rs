//! Records that another implementation decided: their files move as they are.

use super::{check_clean, check_ids, record, reopen};
use crate::{
    foreign::given,
    sandbox::Sandbox,
    scene::{agrees, asset, document, draft, final_draft, objects, refused, review, script},
    strangers::{Stranger, candidate, reviewed},
};
use serde_json::Value;

/// A decided workspace whose files are laid out as Redraft never would.
pub(super) fn decided() -> Sandbox {
    let sandbox = Stranger::decided("needs_human", "iteration_limit").build();
    let path = "w/copy/protocol/description/iteration_01.json";
    let compact = document(&sandbox, path).to_string();
    sandbox.write(path, compact);
    sandbox.write("w/copy/protocol/description/notes.txt", "not of the record\n");
    script(&sandbox, &[final_draft("two\n"), agrees()]);
    sandbox
}

#[test]
fn a_foreign_decided_record_moves_byte_for_byte() {
    let sandbox = decided();
    let before = record(&sandbox, "");
    sandbox.expect(0, &reopen("shorter", ""));
    let closed = record(&sandbox, "closed_01");
    assert_eq!(closed.keys().collect::<Vec<_>>(), ["iteration_01.json", "state.json"]);
    for (path, bytes) in &closed {
        assert!(before.get(path) == Some(bytes), "{path} has changed");
    }
    let now = record(&sandbox, "");
    assert_eq!(
        now.keys().collect::<Vec<_>>(),
        ["iteration_02.json", "notes.txt", "redraft.json", "state.json"]
    );
    let kept = asset(&sandbox, "description");
    assert_eq!((&kept["candidates"][0], check_ids(&kept)), (&candidate(), 2));
    assert_eq!((&kept["reviews"][0], &kept["reviews"][1]["iteration"]), (&reviewed(), &2.into()));
    let closed = &sandbox.json("podcast status -w w")["assets"][0]["closed"][0].clone();
    assert_eq!((&closed["run_id"], &closed["number"]), (&Value::Null, &1.into()));
    assert_eq!(closed["decision"]["reason"], "iteration_limit");
    check_clean(&sandbox, "foreign");
    refused(&sandbox, 0, &review("description", ""), &["Outcome: converged"]);
    for (path, bytes) in record(&sandbox, "closed_01") {
        std::fs::remove_file(
            sandbox.join(&format!("w/copy/protocol/description/closed_01/{path}")),
        )
        .unwrap();
        sandbox.expect(0, "repair -w w");
        assert!(record(&sandbox, "closed_01").get(&path) == Some(&bytes), "{path} is not restored");
    }
}

#[test]
fn a_record_that_two_implementations_played_moves_whole() {
    let sandbox = Stranger::open().build();
    let first = record(&sandbox, "")["iteration_01.json"].clone();
    script(&sandbox, &[draft("unused"), objects("unused"), final_draft("two\n"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    let before = record(&sandbox, "");
    script(&sandbox, &[final_draft("three\n"), agrees()]);
    sandbox.expect(0, &reopen("shorter", ""));
    let closed = record(&sandbox, "closed_01");
    assert_eq!((&closed, &closed["iteration_01.json"]), (&before, &first));
    let now = record(&sandbox, "");
    assert_eq!(now.keys().collect::<Vec<_>>(), ["iteration_03.json", "redraft.json", "state.json"]);
    check_clean(&sandbox, "both");
}

#[test]
fn what_another_implementation_sees_is_the_new_record_and_it_can_be_reopened_there_too() {
    let sandbox = decided();
    sandbox.expect(0, &reopen("shorter", ""));
    let closed = record(&sandbox, "closed_01");
    std::fs::remove_dir_all(sandbox.join("w/.redraft")).unwrap();
    let told = ["Iteration: 2/4", "Outcome: converged (reviewer_ok_and_creator_done)"];
    refused(&sandbox, 0, "podcast status -w w", &told);
    sandbox.expect(0, &reopen("again", ""));
    assert_eq!(record(&sandbox, "closed_01"), closed);
    let names: Vec<String> = record(&sandbox, "closed_02").into_keys().collect();
    assert_eq!(names, ["iteration_02.json", "redraft.json", "state.json"]);
    let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
    assert_eq!(protocol["decision"]["final_iteration"], 3);
}

#[test]
fn a_refused_reopening_leaves_a_foreign_workspace_without_a_journal() {
    let sandbox = decided();
    refused(&sandbox, 2, &reopen("shorter", "--max-iterations 1"), &["leaves none to play"]);
    assert!(!sandbox.join("w/.redraft").exists());
    let path = sandbox.join("w/copy/protocol/description/iteration_02.json");
    std::os::unix::fs::symlink("/etc/hostname", path).unwrap();
    refused(&sandbox, 6, &reopen("shorter", ""), &["iteration_02.json: not a regular file"]);
    std::fs::remove_file(sandbox.join("w/copy/protocol/description/iteration_02.json")).unwrap();
    sandbox.expect(0, &reopen("shorter", ""));
}

#[test]
fn the_given_decided_workspaces_are_reopened_and_keep_all_they_had() {
    for name in ["converged", "needs_human"] {
        let Some(sandbox) = given(name) else { return };
        let (files, before) = (sandbox.files("w"), record(&sandbox, ""));
        let last = document(&sandbox, "w/copy/protocol/description/state.json")["decision"]
            ["final_iteration"]
            .as_u64()
            .unwrap();
        let kept = asset(&sandbox, "description");
        let words = "podcast review -w w --fake-runner --asset-id description --reopen --reason x";
        sandbox.expect(0, words);
        assert_eq!(record(&sandbox, "closed_01"), before, "{name}");
        let protocol = document(&sandbox, "w/copy/protocol/description/state.json");
        assert_eq!(protocol["iterations"][0]["iteration"], last + 1);
        let now = asset(&sandbox, "description");
        let candidates = kept["candidates"].as_array().unwrap();
        assert!(candidates.iter().all(|c| now["candidates"].as_array().unwrap().contains(c)));
        check_ids(&now);
        let after = sandbox.files("w");
        for folder in ["copy/candidates", "copy/reviews"] {
            let of_folder = files.iter().filter(|(path, _)| path.starts_with(folder));
            for (path, bytes) in of_folder {
                assert!(after.get(path) == Some(bytes), "{name}: {path} has changed");
            }
        }
        check_clean(&sandbox, name);
    }
}
