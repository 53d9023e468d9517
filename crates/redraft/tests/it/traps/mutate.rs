//! `mutate_files`: written after the commit, all or nothing, and nowhere else than in the workspace.

use crate::{
    sandbox::Sandbox,
    scene::{agrees, asset, objects, review, script, scripted},
};
use serde_json::{Value, json};

fn mutates(files: &Value) -> Value {
    json!({"creator": {"done": true, "candidate": {"content": "text\n"}, "mutate_files": files}})
}

#[test]
fn files_that_a_reply_brings_along_are_written() {
    let files = json!({"notes/a.txt": "kept\n", "b.md": "é\n"});
    let by_reviewer = json!({"review": {"verdict": "ok", "mutate_files": {"notes/c.txt": "c\n"}}});
    let sandbox = scripted(&[mutates(&files), by_reviewer]);
    sandbox.expect(0, &review("description", ""));
    for (path, text) in [("notes/a.txt", "kept\n"), ("b.md", "é\n"), ("notes/c.txt", "c\n")] {
        assert_eq!(sandbox.read(&format!("w/{path}")), text);
    }
}

/// A reply with these files is refused with these words; none of its files is written, and a mended
/// script goes on.
pub(super) fn check(sandbox: &Sandbox, files: &Value, told: &str) {
    script(sandbox, &[mutates(files), agrees()]);
    let before = sandbox.files(".");
    let ended = sandbox.expect(1, &review("description", ""));
    assert!(ended.err.contains(told), "{files}: {told}\n{}", ended.err);
    let mut after = sandbox.files(".");
    // The asset of the open run stands in it from now on.
    after.insert("w/state.json".to_owned(), before["w/state.json"].clone());
    assert!(after == before, "{files}: files have changed");
    script(sandbox, &[mutates(&json!({"good.txt": "good\n"})), agrees()]);
    sandbox.expect(0, &review("description", ""));
    assert_eq!(asset(sandbox, "description")["candidates"].as_array().unwrap().len(), 1);
    assert_eq!(sandbox.read("w/good.txt"), "good\n");
}

#[test]
fn paths_that_escape_the_workspace_are_refused() {
    for path in
        ["/tmp/redraft-evil.txt", "../evil.txt", "notes/../../evil.txt", "a/./b", "a//b", ""]
    {
        let sandbox = scripted(&[]);
        let told = format!("mutate_files path escapes root: {path}");
        check(&sandbox, &json!({"first.txt": "x", path: "evil\n"}), &told);
    }
}

#[test]
fn a_link_that_leads_out_is_refused() {
    let sandbox = scripted(&[]);
    std::fs::create_dir(sandbox.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(sandbox.join("elsewhere"), sandbox.join("w/notes")).unwrap();
    check(
        &sandbox,
        &json!({"notes/evil.txt": "x"}),
        "mutate_files path escapes root: notes/evil.txt",
    );
    assert!(!sandbox.join("elsewhere/evil.txt").exists());
}

#[test]
fn files_that_the_journal_owns_are_refused() {
    for path in [
        "state.json",
        "episode.yaml",
        "copy/selected/description.md",
        "copy/protocol/description/state.json",
        "transcript/transcript.txt",
        ".git/hooks/pre-commit",
        "sub/.git/config",
        ".Git/config",
        "STATE.JSON",
    ] {
        let sandbox = scripted(&[]);
        check(&sandbox, &json!({"first.txt": "x", path: "evil\n"}), path);
    }
    for path in [".redraft/journal.db", "sub/.redraft/x"] {
        check(&scripted(&[]), &json!({ path: "evil\n" }), path);
    }
}

#[test]
fn files_that_cannot_be_written_are_refused_before_they_wedge_the_run() {
    check(&scripted(&[]), &json!({"a": "x", "a/b": "y"}), "a/b");
    let folder = scripted(&[]);
    std::fs::create_dir_all(folder.join("w/notes/kept")).unwrap();
    check(&folder, &json!({"notes": "x"}), "notes");
    let link = scripted(&[]);
    link.write("w/real.txt", "real\n");
    std::os::unix::fs::symlink("real.txt", link.join("w/link.txt")).unwrap();
    check(&link, &json!({"link.txt": "x"}), "link.txt");
    let below = scripted(&[]);
    below.write("w/file", "x");
    check(&below, &json!({"file/below.txt": "x"}), "file/below.txt");
}

#[test]
fn a_file_that_each_iteration_writes_anew_does_not_hold_up_a_resumed_run() {
    let writes = |text: &str, done: bool| json!({"creator": {"done": done, "candidate": {"content": text}, "mutate_files": {"a.txt": text}}});
    let sandbox = scripted(&[writes("1", false), objects("more"), writes("2", true), agrees()]);
    sandbox.expect(5, &review("description", "--max-calls 3"));
    assert_eq!(sandbox.read("w/a.txt"), "2");
    sandbox.expect(0, &review("description", "--max-calls 4"));
    assert_eq!(sandbox.read("w/a.txt"), "2");
    sandbox.expect(0, &review("description", ""));
}

/// A script whose assets all write one file with each of their texts, one of them more often than the others.
fn one_file_for(assets: &[&str]) -> Value {
    let write = |asset: &str, n: u32, done: bool| {
        let text = format!("{asset} {n}\n");
        json!({"creator": {"done": done, "candidate": {"content": text}, "mutate_files": {"notes.md": text}}})
    };
    let of_asset = |(place, asset): (usize, &&str)| {
        let mut replies = vec![write(asset, 1, place > 0), agrees()];
        if place == 0 {
            replies =
                vec![write(asset, 1, false), objects("more"), write(asset, 2, true), agrees()];
        }
        ((*asset).to_owned(), Value::from(replies))
    };
    Value::Object(assets.iter().enumerate().map(of_asset).collect())
}

#[test]
fn of_assets_that_write_one_file_the_newest_run_counts_each_time() {
    for repetition in 0..8 {
        let sandbox = crate::scene::workspace();
        sandbox.write("script.json", one_file_for(&["slug", "description"]).to_string());
        let words =
            "podcast review -w w --script script.json --asset-id slug --asset-id description";
        for _ in 0..2 {
            let ended = sandbox.redraft(words);
            assert_eq!(ended.code, 0, "repetition {repetition}: {}", ended.err);
            assert_eq!(sandbox.read("w/notes.md"), "description 1\n", "repetition {repetition}");
        }
        sandbox.expect(0, "repair -w w");
    }
}

#[test]
fn a_script_for_all_assets_gives_the_same_bytes_each_time() {
    let kinds = redraft_workflows::review::model::ASSET_KINDS;
    let script = one_file_for(&kinds).to_string();
    let made = crate::scene::workspace();
    made.write("script.json", &script);
    let play = || {
        let sandbox = Sandbox::new();
        made.copy(".", sandbox.path());
        sandbox.expect(0, "podcast review -w w --script script.json --all");
        sandbox.files("w")
    };
    let first = play();
    assert_eq!(first["notes.md"], format!("{} 1\n", kinds[kinds.len() - 1]).into_bytes());
    for repetition in 0..4 {
        let again = play();
        assert_eq!(again.len(), first.len(), "repetition {repetition}");
        for (path, bytes) in again {
            assert!(first[&path] == bytes, "repetition {repetition}: {path} differs");
        }
    }
}
