//! Ids and paths from the command line.

use crate::{
    sandbox::{REDRAFT, Sandbox, ended},
    scene::{refused, workspace},
};

#[test]
fn asset_ids_that_could_be_paths_are_refused_in_the_contracts_words() {
    let sandbox = workspace();
    for id in [
        "..",
        "../x",
        "a/b",
        "a\\b",
        "a\u{7}b",
        "a\u{202e}b",
        "A",
        "1a",
        "_a",
        "é",
        "a-b",
        ".redraft",
        "a\nb",
        "",
    ] {
        for command in [["podcast", "review"], ["podcast", "draft"], ["podcast", "pick"]] {
            let before = sandbox.files(".");
            let mut words = sandbox.command(REDRAFT, "");
            let output = words.args(command).args(["-w", "w", "--asset-id", id]).output().unwrap();
            let ended = ended(&output);
            assert_eq!(ended.code, 2, "{command:?} {id:?}\n{}{}", ended.out, ended.err);
            assert!(
                ended.err.contains("asset_id must match ^[a-z][a-z0-9_]*$"),
                "{id:?}: {}",
                ended.err
            );
            assert!(!ended.err.contains(['\u{7}', '\u{202e}']), "{id:?}");
            assert!(sandbox.files(".") == before);
        }
    }
}

#[test]
fn asset_ids_too_long_for_a_file_name_are_refused() {
    let sandbox = workspace();
    let words = format!("podcast review -w w --fake-runner --asset-id {}", "a".repeat(300));
    refused(&sandbox, 2, &words, &["asset_id must match"]);
}

#[test]
fn an_asset_need_not_be_of_a_known_kind() {
    let sandbox = workspace();
    sandbox.expect(0, "podcast review -w w --fake-runner --asset-id my_own_asset2");
    assert!(sandbox.join("w/copy/selected/my_own_asset2.md").exists());
    assert_eq!(crate::scene::asset(&sandbox, "my_own_asset2")["kind"], serde_json::Value::Null);
}

#[test]
fn episode_ids_that_could_be_paths_are_refused_and_nothing_is_made() {
    let sandbox = Sandbox::new();
    for id in ["..", "../x", "a/b", ".a", "a.", "-a", "a_", "a b", "é", "a\u{7}", "", "a\nb"] {
        let mut command = sandbox.command(REDRAFT, "podcast init");
        let ended = ended(&command.arg(format!("--episode-id={id}")).output().unwrap());
        assert_eq!(ended.code, 2, "{id:?}: {}", ended.err);
        assert!(ended.err.contains("^[a-zA-Z0-9._-]+$"), "{id:?}: {}", ended.err);
        assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0, "{id:?}");
    }
}

#[test]
fn init_refuses_a_place_that_is_taken() {
    let sandbox = workspace();
    sandbox.write("full/x", "x");
    sandbox.write("file", "x");
    for place in ["w", "full", "file", "file/below"] {
        refused(&sandbox, 2, &format!("podcast init --episode-id e --workspace {place}"), &[place]);
    }
    sandbox.expect(0, "podcast init --episode-id e.1");
    assert!(sandbox.join("episodes/e.1/episode.yaml").exists());
    refused(&sandbox, 2, "podcast init --episode-id e.1", &["episodes/e.1: already exists"]);
}

#[test]
fn agents_that_there_are_not_are_refused() {
    let sandbox = workspace();
    for words in ["--creator nobody", "--fake-runner --reviewer nobody"] {
        let words = format!("podcast review -w w --asset-id description {words}");
        refused(&sandbox, 2, &words, &["there is no agent \"nobody\""]);
    }
    refused(
        &sandbox,
        2,
        "podcast review -w w --asset-id description --creator scripted",
        &["--script"],
    );
    refused(&sandbox, 2, "podcast review -w w --asset-id description", &["no transcript yet"]);
}
