//! Selected texts and chapters leave as files: whole, escaped, known to the journal, and never over somebody's own.

mod ffprobe;

use crate::{
    sandbox::Sandbox,
    scene::{agrees, document, final_draft, formatted, refused, review, script, workspace},
};
use serde_json::{Value, json};
use std::fs;

/// A workspace `w` with chapters and a selected description and title.
fn selected() -> Sandbox {
    let sandbox = workspace();
    sandbox.write("t.md", "**Ada:** A sourdough starter is flour and water, fed every day.\n");
    sandbox.write("c.txt", "00:00 Tom & \"Jo\" <3\n01:02.5 a=b; c#d \\ e\n01:02:03 Last—ü\n");
    sandbox.expect(0, "podcast ingest -w w --transcript t.md --chapters c.txt");
    script(&sandbox, &[final_draft("About **bread**.\n"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    script(&sandbox, &[formatted("A \"title\"\n", "plain"), agrees()]);
    sandbox.expect(0, &review("title_detail", ""));
    sandbox
}

const OUTPUTS: &str = "w/auphonic/outputs";

#[test]
fn everything_that_is_selected_is_exported_and_what_is_missing_is_told() {
    let sandbox = selected();
    let told = sandbox.expect(0, "podcast export -w w");
    for line in [
        "Written: w/auphonic/outputs/production.json\n",
        "Missing: subtitle (subtitle_auphonic) for auphonic, markdown\n",
        "Missing: tags (audio_tags or itunes_keywords or cms_tags) for auphonic\n",
        "Next: redraft podcast review --workspace w --asset-id slug\n",
    ] {
        assert!(told.out.contains(line), "{line}{}", told.out);
    }
    let production = document(&sandbox, "w/auphonic/outputs/production.json");
    let metadata = json!({"summary": "About bread.", "title": "A \"title\""});
    assert_eq!(production["metadata"], metadata);
    assert_eq!(
        production["chapters"][1],
        json!({"start": "00:01:02.500", "title": "a=b; c#d \\ e"})
    );
    assert_eq!(
        sandbox.read("w/auphonic/outputs/youtube.txt"),
        "About bread.\n\n0:00 Tom & \"Jo\" ‹3\n1:02 a=b; c#d \\ e\n1:02:03 Last—ü\n"
    );
    let names: Vec<String> = sandbox.files(OUTPUTS).into_keys().collect();
    let all = [
        "chapters.ffmetadata",
        "chapters.json",
        "chapters.psc",
        "production.json",
        "shownotes.md",
        "youtube.txt",
    ];
    assert_eq!(names, all);
}

#[test]
fn chapters_that_were_exported_are_taken_in_again() {
    let sandbox = selected();
    sandbox.expect(0, "podcast export -w w");
    let chapters = |workspace: &str| {
        let state = crate::scene::state(&sandbox, workspace);
        let chapters = state["chapters"].as_array().unwrap().clone();
        chapters
            .iter()
            .map(|one| (one["start_sec"].clone(), one["title"].clone()))
            .collect::<Vec<_>>()
    };
    for (n, name) in ["chapters.json", "chapters.psc", "chapters.ffmetadata"].iter().enumerate() {
        sandbox.expect(0, &format!("podcast init --episode-id e{n} --workspace v{n}"));
        sandbox.expect(
            0,
            &format!("podcast ingest -w v{n} --transcript t.md --chapters {OUTPUTS}/{name}"),
        );
        assert_eq!(chapters(&format!("v{n}")), chapters("w"), "{name}");
    }
}

#[test]
fn the_journal_knows_exported_files() {
    let sandbox = selected();
    let listed = sandbox.json("podcast export -w w --format youtube auphonic");
    assert_eq!(listed["files"].as_array().unwrap().len(), 2, "{listed}");
    assert!(listed["candidates"]["description"].is_string(), "{listed}");
    let path = "auphonic/outputs/youtube.txt";
    let whole = sandbox.read(&format!("w/{path}"));
    fs::remove_file(sandbox.join(&format!("w/{path}"))).unwrap();
    sandbox.expect(0, "repair -w w");
    assert_eq!(sandbox.read(&format!("w/{path}")), whole);
    sandbox.write(&format!("w/{path}"), "by hand\n");
    refused(&sandbox, 6, "podcast export -w w", &[path, "redraft repair"]);
    sandbox.expect(0, &format!("adopt -w w {path}"));
    assert_eq!(sandbox.read(&format!("w/{path}")), "by hand\n");
    sandbox.expect(0, "podcast export -w w");
    assert_eq!(sandbox.read(&format!("w/{path}")), whole);
    sandbox.expect(0, "verify -w w");
    assert!(sandbox.expect(0, "repair -w w").out.contains("Every file is as the journal has it."));
}

#[test]
fn a_selection_that_was_changed_by_hand_is_not_passed_over() {
    let sandbox = selected();
    sandbox.write("w/copy/selected/description.md", "mine\n");
    refused(&sandbox, 6, "podcast export -w w", &["copy/selected/description.md", "redraft adopt"]);
    refused(&sandbox, 6, "podcast export -w w --format youtube", &["description.md"]);
    sandbox.expect(0, "podcast export -w w --format podlove");
    sandbox.expect(0, "adopt -w w copy/selected/description.md");
    sandbox.expect(0, "podcast export -w w");
    assert!(sandbox.read("w/auphonic/outputs/youtube.txt").starts_with("mine\n"));
}

#[test]
fn without_anything_to_export_a_person_has_to_act_and_nothing_is_written() {
    let sandbox = workspace();
    for words in ["podcast export -w w", "podcast export -w w --format markdown"] {
        refused(
            &sandbox,
            3,
            words,
            &[
                "Not written: markdown",
                "Next: redraft podcast review --workspace w --asset-id shownotes",
            ],
        );
    }
    let told = sandbox.json("podcast export -w w --format podlove");
    assert_eq!(told["not_written"], json!(["podlove"]));
    assert_eq!(told["missing"][0]["part"], "chapters");
    script(&sandbox, &[final_draft("About.\n"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    sandbox.expect(0, "podcast export -w w");
    sandbox.expect(3, "podcast export -w w --format youtube,podlove");
    refused(&sandbox, 2, "podcast export -w w --format nonsense", &["auphonic"]);
}

#[test]
fn an_asset_whose_loop_ended_without_agreement_is_to_be_picked() {
    let sandbox = workspace();
    script(&sandbox, &[final_draft("x\n"), crate::scene::objects("more")]);
    sandbox.expect(3, &review("shownotes", "--max-iterations 1"));
    let next = "Next: redraft podcast pick --workspace w --asset-id shownotes";
    refused(&sandbox, 3, "podcast export -w w --format markdown", &[next]);
}

#[test]
fn a_folder_outside_is_written_without_the_journal_and_not_over_files_that_differ() {
    let sandbox = selected();
    let facts = sandbox.json("verify -w w")["facts"].clone();
    sandbox.expect(0, "podcast export -w w --output out/deep");
    assert_eq!(sandbox.files("out/deep").len(), 6);
    assert_eq!(sandbox.json("verify -w w")["facts"], facts);
    assert!(!sandbox.join(OUTPUTS).join("youtube.txt").exists());
    sandbox.expect(0, "podcast export -w w --output out/deep");
    sandbox.write("out/deep/shownotes.md", "mine\n");
    refused(
        &sandbox,
        2,
        "podcast export -w w --output out/deep",
        &["out/deep/shownotes.md", "--replace"],
    );
    sandbox.expect(0, "podcast export -w w --output out/deep --replace");
    assert_ne!(sandbox.read("out/deep/shownotes.md"), "mine\n");
}

#[test]
fn a_folder_of_ones_own_in_the_workspace_is_known_to_the_journal() {
    let sandbox = selected();
    sandbox.write("w/publish/shownotes.md", "mine\n");
    refused(
        &sandbox,
        6,
        "podcast export -w w --output w/publish",
        &["w/publish/shownotes.md", "move it away"],
    );
    fs::remove_file(sandbox.join("w/publish/shownotes.md")).unwrap();
    sandbox.expect(0, "podcast export -w w --output ./w/../w/publish");
    fs::remove_dir_all(sandbox.join("w/publish")).unwrap();
    sandbox.expect(0, "repair -w w");
    assert_eq!(sandbox.files("w/publish").len(), 6);
}

#[test]
fn folders_of_the_contract_and_links_out_are_refused() {
    let sandbox = selected();
    fs::create_dir(sandbox.join("elsewhere")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(sandbox.join("elsewhere"), sandbox.join("w/link")).unwrap();
    for (folder, told) in [
        ("w/copy/selected", "belongs to the journal"),
        ("w/Transcript", "belongs to the journal"),
        ("w/auphonic/downloads", "belongs to the journal"),
        ("w/.redraft", "belongs to the journal"),
        ("w/notes/.git", "belongs to the journal"),
        ("elsewhere/.git/hooks", "belongs to a journal or a repository"),
        ("w/link", "leads out of the workspace through a link"),
        ("w/link/deeper", "leads out of the workspace through a link"),
        ("w/nowhere/../../elsewhere", "there is no such folder"),
    ] {
        refused(&sandbox, 2, &format!("podcast export -w w --output {folder}"), &[told]);
    }
    #[cfg(unix)]
    {
        fs::create_dir_all(sandbox.join("w/auphonic")).unwrap();
        let _ = fs::remove_dir(sandbox.join("w/auphonic/outputs"));
        std::os::unix::fs::symlink(sandbox.join("elsewhere"), sandbox.join("w/auphonic/outputs"))
            .unwrap();
        refused(&sandbox, 2, "podcast export -w w", &["auphonic/outputs"]);
    }
}

#[test]
fn a_workspace_of_another_implementation_is_exported() {
    let sandbox = selected();
    let theirs = crate::sandbox::Sandbox::new();
    sandbox.copy("w", &theirs.join("w"));
    fs::remove_dir_all(theirs.join("w/.redraft")).unwrap();
    theirs.expect(0, "podcast export -w w");
    let ours: Value = document(&theirs, "w/auphonic/outputs/production.json");
    assert_eq!(ours["metadata"]["title"], "A \"title\"");
}
