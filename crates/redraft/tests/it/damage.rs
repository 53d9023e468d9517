//! Files that are not what the journal wrote are named, never papered over, and can be restored.

use crate::{
    sandbox::{Sandbox, THREE_ITERATIONS},
    scene::{refused, review, workspace},
    strangers::Stranger,
};
use std::{collections::BTreeMap, fs};

/// A workspace `w` in which a review has written every kind of file.
fn reviewed() -> Sandbox {
    let sandbox = workspace();
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox.expect(0, &review("description", ""));
    sandbox
}

fn words() -> String {
    review("description", "")
}

/// What is ours alone is written, and a review does not stand or fall by it.
fn is_held(path: &str) -> bool {
    !path.ends_with("/redraft.json")
}

/// What the run wrote.
fn written(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let mut files = sandbox.files("w");
    files.remove("episode.yaml");
    assert_eq!(files.len(), 22, "{:?}", files.keys());
    files
}

fn item(sandbox: &Sandbox, path: &str) -> String {
    let status = sandbox.json("podcast status -w w");
    assert_eq!(status["exit_code"], 0);
    let items = status["checklist"].as_array().unwrap().iter();
    let item = items.filter(|item| item["path"] == path).collect::<Vec<_>>();
    assert_eq!(item.len(), 1, "{path} stands once in the checklist");
    item[0]["state"].as_str().unwrap().to_owned()
}

/// A review that finds the file as it is: exit 6, the file named, nothing changed. Then repair.
fn check(sandbox: &Sandbox, path: &str, state: &str, whole: &BTreeMap<String, Vec<u8>>) {
    refused(sandbox, 6, &words(), &[&format!("w/{path}"), "redraft repair"]);
    assert_eq!(item(sandbox, path), state, "{path}");
    assert!(sandbox.expect(0, "podcast status -w w").out.contains(&format!("{path}: {state}")));
    let damaged = sandbox.files("w");
    let told = sandbox.expect(0, "repair -w w");
    assert!(told.out.contains(&format!("Restored: {path}\n")), "{}", told.out);
    let mut after = sandbox.files("w");
    let kept = after.remove(&format!("{path}.damaged-1"));
    assert_eq!(kept.as_ref(), damaged.get(path), "{path}: what stood there is kept");
    after.remove("episode.yaml");
    assert!(after == *whole, "{path} is not as it was");
    let again = sandbox.expect(0, "repair -w w");
    assert!(again.out.contains("Every file is as the journal has it."), "{}", again.out);
    assert_eq!(item(sandbox, path), "present");
    sandbox.expect(0, &words());
    let _ = fs::remove_file(sandbox.join(&format!("w/{path}.damaged-1")));
}

#[test]
fn every_missing_file_of_a_run_is_named_and_restored() {
    let sandbox = reviewed();
    let whole = written(&sandbox);
    for path in whole.keys().filter(|path| is_held(path)) {
        fs::remove_file(sandbox.join(&format!("w/{path}"))).unwrap();
        check(&sandbox, path, "missing", &whole);
    }
}

#[test]
fn every_damaged_file_of_a_run_is_named_kept_and_restored() {
    let sandbox = reviewed();
    let whole = written(&sandbox);
    for (path, bytes) in whole.iter().filter(|(path, _)| is_held(path)) {
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 0x20;
        sandbox.write(&format!("w/{path}"), flipped);
        check(&sandbox, path, "changed", &whole);
    }
}

#[test]
fn an_emptied_file_and_a_folder_in_its_place_are_damage_too() {
    let sandbox = reviewed();
    let whole = written(&sandbox);
    sandbox.write("w/state.json", "");
    check(&sandbox, "state.json", "changed", &whole);
    let path = "copy/protocol/description/state.json";
    fs::remove_file(sandbox.join(&format!("w/{path}"))).unwrap();
    fs::create_dir(sandbox.join(&format!("w/{path}"))).unwrap();
    refused(&sandbox, 6, &words(), &[path]);
    assert_eq!(item(&sandbox, path), "changed");
    sandbox.expect(0, "repair -w w");
    assert!(sandbox.join(&format!("w/{path}.damaged-1")).is_dir());
    fs::remove_dir(sandbox.join(&format!("w/{path}.damaged-1"))).unwrap();
    assert!(written(&sandbox) == whole);
}

#[test]
fn damage_twice_keeps_both() {
    let sandbox = reviewed();
    let path = "w/copy/selected/description.md";
    let whole = sandbox.read(path);
    for (n, text) in [(1, "once"), (2, "twice")] {
        sandbox.write(path, text);
        sandbox.expect(0, "repair -w w");
        assert_eq!(sandbox.read(&format!("{path}.damaged-{n}")), text);
        assert_eq!(sandbox.read(path), whole);
    }
}

#[test]
fn a_whole_workspace_comes_back_from_its_journal() {
    let sandbox = reviewed();
    let whole = sandbox.files("w");
    for part in ["copy", "notes"] {
        fs::remove_dir_all(sandbox.join(&format!("w/{part}"))).unwrap();
    }
    fs::remove_file(sandbox.join("w/state.json")).unwrap();
    sandbox.expect(0, "repair -w w");
    assert!(sandbox.files("w") == whole);
}

#[test]
fn what_a_person_gave_is_restored_and_never_written_over() {
    let sandbox = reviewed();
    let yaml = sandbox.read("w/episode.yaml");
    let edited = format!("{yaml}hosts: [Ada]\n");
    sandbox.write("w/episode.yaml", &edited);
    sandbox.expect(0, &words());
    let told = sandbox.expect(0, "repair -w w");
    assert!(told.out.contains("Yours: episode.yaml"), "{}", told.out);
    assert_eq!(sandbox.read("w/episode.yaml"), edited);
}

#[test]
fn damage_of_one_asset_does_not_hold_up_another() {
    let sandbox = reviewed();
    sandbox.write("w/copy/selected/description.md", "edited\n");
    sandbox.expect(0, &review("shownotes", ""));
    refused(&sandbox, 6, &words(), &["copy/selected/description.md"]);
    let both = review("shownotes", "--asset-id description");
    refused(&sandbox, 6, &both, &["copy/selected/description.md", "Outcome: converged"]);
}

#[test]
fn repair_without_a_journal_writes_nothing_and_names_where_it_looked() {
    let sandbox = Stranger::open().build();
    let place = sandbox.join("w").display().to_string();
    refused(
        &sandbox,
        2,
        "repair -w w",
        &["nothing to repair from", "no home (.redraft) in or above w"],
    );
    assert!(!sandbox.join("w/.redraft").exists(), "{place}");
    sandbox.expect(0, "init");
    let home = sandbox.join(".redraft").display().to_string();
    refused(&sandbox, 2, "repair -w w", &["nothing to repair from", &home]);
    sandbox.expect(0, "podcast init --episode-id e1 --workspace other");
    refused(&sandbox, 2, "repair -w w", &["does not know", &home]);
}

#[test]
fn links_and_temporary_files_of_others_are_left_alone_by_repair() {
    let sandbox = reviewed();
    sandbox.write("w/mine.txt", "mine");
    sandbox.write("w/copy/candidates/description/notes.txt", "mine too");
    let before = sandbox.files("w");
    sandbox.expect(0, "repair -w w");
    assert!(sandbox.files("w") == before);
}

#[test]
fn no_command_writes_over_a_persons_change() {
    let sandbox = reviewed();
    sandbox.write("t.md", "**Ada:** A sourdough starter is flour and water.\n");
    sandbox.expect(0, "podcast ingest -w w --transcript t.md");
    sandbox.expect(0, "podcast summarize -w w");
    let id = crate::scene::asset(&sandbox, "description")["candidates"][0]["candidate_id"].clone();
    let id = id.as_str().unwrap();
    let pick = format!("podcast pick -w w --asset-id description --candidate-id {id}");
    for (words, path) in [
        (pick.as_str(), "copy/selected/description.md"),
        (pick.as_str(), "copy/selected/description.html"),
        ("podcast ingest -w w --transcript t.md", "transcript/transcript.txt"),
        ("podcast summarize -w w", "summaries/episode/episode_summary.md"),
    ] {
        let whole = sandbox.read(&format!("w/{path}"));
        sandbox.write(&format!("w/{path}"), "by hand\n");
        refused(&sandbox, 6, words, &[path, "redraft adopt"]);
        sandbox.write(&format!("w/{path}"), whole);
        sandbox.expect(0, words);
    }
}

#[test]
fn a_state_json_of_somebody_else_is_not_written_over() {
    let sandbox = workspace();
    sandbox.write("t.md", "**Ada:** A sourdough starter is flour and water.\n");
    sandbox.write("script.json", THREE_ITERATIONS);
    sandbox.expect(0, "podcast ingest -w w --transcript t.md");
    let whole = sandbox.read("w/state.json");
    for edited in [whole.replace("[]", "[ ]").replace("Ada", "Bo").replace("e1", "e2"), "{".into()]
    {
        sandbox.write("w/state.json", edited);
        for command in ["ingest -w w --transcript t.md", "draft -w w --all", "review -w w --all"] {
            refused(
                &sandbox,
                6,
                &format!("podcast {command}"),
                &["w/state.json", "redraft repair"],
            );
        }
        refused(&sandbox, 6, &words(), &["w/state.json"]);
        sandbox.expect(0, "repair -w w");
        assert_eq!(sandbox.read("w/state.json"), whole);
    }
    sandbox.expect(0, &words());
}

#[test]
fn a_journal_that_is_damaged_is_told_by_every_command() {
    let sandbox = reviewed();
    let listed = words();
    for damage in
        [&b""[..], b"no database at all, just words, and enough of them to fill a page header"]
    {
        fs::write(sandbox.join("w/.redraft/journal.db"), damage).unwrap();
        for rest in ["-wal", "-shm"] {
            let _ = fs::remove_file(sandbox.join(&format!("w/.redraft/journal.db{rest}")));
        }
        let all = [
            "podcast status -w w",
            "podcast pick -w w",
            "repair -w w",
            "verify -w w",
            "runs list -w w",
        ];
        for words in all.into_iter().chain([listed.as_str()]) {
            refused(&sandbox, 6, words, &["journal.db"]);
        }
    }
}

#[test]
fn a_workspace_without_our_own_file_is_whole_and_repair_brings_it() {
    let sandbox = reviewed();
    let path = "w/copy/protocol/description/redraft.json";
    let text = sandbox.read(path);
    std::fs::remove_file(sandbox.join(path)).unwrap();
    sandbox.expect(0, &words());
    sandbox.write(path, "of a later version");
    sandbox.expect(0, &words());
    std::fs::remove_file(sandbox.join(path)).unwrap();
    sandbox.expect(0, "repair -w w");
    assert_eq!(sandbox.read(path), text);
}
