//! A profile that a user wrote: other texts, another extension, other keys, and no schema.

use super::unattended::scene::{CALLS, PROGRAMS, Scene};
use std::fs;

const MANIFEST: &str = r#"name = "letters"
description = "Letters to customers."
extension = "txt"
standards = ["standards/tone.md"]

[phases.planning]
prompt = "prompts/outline.md"
role = "planner"
gate = "person"
[phases.generation]
prompt = "prompts/write.md"
role = "generator"
gate = "person"
[phases.review]
prompt = "prompts/judge.md"
role = "reviewer"
gate = "person"
[phases.revision]
prompt = "prompts/write.md"
role = "reviser"
gate = "person"

[[context]]
name = "recipient"
help = "who it goes to"
kind = "name"
[[context]]
name = "mood"
help = "how it sounds"
kind = "choice"
allowed = ["warm", "formal"]
default = "warm"
[[context]]
name = "occasion"
help = "why it is written"
kind = "text"
"#;

const FILES: [(&str, &str); 6] = [
    ("profile.toml", MANIFEST),
    ("prompts/outline.md", "Outline a {{ mood }} letter to {{ recipient }}.\n{{ standards }}\n"),
    ("prompts/write.md", "{% include \"form.md\" %}\nWrite, round {{ iteration }}.\n"),
    ("prompts/judge.md", "Judge it.{% if \"remarks\" in parts %} Read the remarks.{% endif %}\n"),
    ("prompts/form.md", "Files end in .{{ extension }}.\n"),
    ("standards/tone.md", "Be brief.\n"),
];

const CONTEXT: &str = "-c recipient=Grace -c occasion=Anniversary";

const OF_PROJECT: &str = ".redraft/profiles";
const OF_USER: &str = "config/redraft/profiles";

/// Writes the profile into a folder of profiles, under this name and with this outline.
fn put(scene: &Scene, folder: &str, name: &str, outline: &str) {
    for (path, text) in FILES {
        let text = match path {
            "profile.toml" => text.replace("\"letters\"", &format!("{name:?}")),
            "prompts/outline.md" => format!("{outline}\n{text}"),
            _ => text.to_owned(),
        };
        scene.sandbox.write(&format!("{folder}/{name}/{path}"), text);
    }
}

fn begun(scene: &Scene, name: &str) -> String {
    let words = format!("gated init --profile {name} {CONTEXT} --dev Ada {PROGRAMS}");
    scene.expect(0, &words).out.trim().to_owned()
}

fn prompt(scene: &Scene, id: &str) -> String {
    scene.expect(0, &format!("gated step {id}"));
    scene.file(id, "iteration-1/planning-prompt.md")
}

fn check_complete(folder: &str) {
    let scene = Scene::new("txt");
    put(&scene, folder, "letters", "Think.");
    let id = begun(&scene, "letters");
    scene.expect(3, &format!("gated run {id}"));
    scene.on_through(&id, CALLS.len());
    assert_eq!(scene.asked(), CALLS);
    let planning = scene.file(&id, "iteration-1/planning-prompt.md");
    assert!(planning.starts_with("Think.\nOutline a warm letter to Grace.\n"), "{planning}");
    assert!(planning.contains("Be brief.") && planning.contains("Anniversary"), "{planning}");
    let revision = scene.file(&id, "iteration-2/revision-prompt.md");
    assert!(revision.starts_with("Files end in .txt.\nWrite, round 2."), "{revision}");
    assert_eq!(scene.file(&id, "iteration-2/code/Order.txt"), "// the first, mended\n");
    assert_eq!(scene.file(&id, "iteration-2/code/OrderStore.txt"), "// the second\n");
    let session = scene.session(&id);
    let context =
        serde_json::json!({"recipient": "Grace", "mood": "warm", "occasion": "Anniversary"});
    assert_eq!((&session["profile"], &session["context"]), (&"letters".into(), &context));
}

#[test]
fn a_profile_of_the_project_runs_to_complete() {
    check_complete(OF_PROJECT);
}

#[test]
fn a_profile_of_the_configuration_folder_runs_to_complete() {
    check_complete(OF_USER);
}

#[test]
fn a_key_that_is_missing_unknown_or_not_allowed_is_named() {
    let scene = Scene::new("txt");
    put(&scene, OF_PROJECT, "letters", "Think.");
    for (context, told) in [
        ("-c recipient=Grace", "occasion"),
        ("-c recipient=Grace -c occasion=x -c mood=cross", "mood"),
        ("-c recipient=Grace -c occasion=x -c tone=cross", "tone"),
        ("-c recipient=Grace -c occasion=x --entity Order", "entity"),
    ] {
        let refused = scene.expect(2, &format!("gated init --profile letters {context}"));
        assert!(refused.err.contains(told), "{told}: {}", refused.err);
    }
    let list = scene.expect(0, "gated list --json");
    assert!(list.out.contains("\"sessions\":[]"), "{}", list.out);
}

#[test]
fn the_projects_profile_hides_the_users_and_the_users_hides_ours() {
    let scene = Scene::new("txt");
    let whose = || {
        let listed: serde_json::Value =
            serde_json::from_str(&scene.expect(0, "gated profiles --json").out).unwrap();
        let rows = listed["profiles"].as_array().unwrap().clone();
        let row = rows.iter().find(|row| row["name"] == "jpa-mt").unwrap();
        row["origin"].as_str().unwrap().to_owned()
    };
    assert_eq!(whose(), "built in");
    put(&scene, OF_USER, "jpa-mt", "The user's.");
    assert!(whose().ends_with("config/redraft/profiles/jpa-mt"), "{}", whose());
    let of_user = begun(&scene, "jpa-mt");
    assert!(prompt(&scene, &of_user).starts_with("The user's.\n"));
    put(&scene, OF_PROJECT, "jpa-mt", "The project's.");
    assert!(whose().ends_with(".redraft/profiles/jpa-mt"), "{}", whose());
    let of_project = begun(&scene, "jpa-mt");
    assert!(prompt(&scene, &of_project).starts_with("The project's.\n"));
    let shown = scene.expect(0, "gated profiles jpa-mt");
    assert!(shown.out.contains("files: *.txt"), "{}", shown.out);
}

#[test]
fn a_session_goes_on_as_it_began_whatever_becomes_of_its_profile() {
    for deleted in [false, true] {
        let scene = Scene::new("txt");
        put(&scene, OF_PROJECT, "letters", "Think.");
        let id = begun(&scene, "letters");
        scene.expect(3, &format!("gated run {id}"));
        let place = scene.sandbox.join(OF_PROJECT).join("letters");
        if deleted {
            fs::remove_dir_all(place).unwrap();
        } else {
            fs::write(place.join("prompts/write.md"), "Something else.\n").unwrap();
            fs::write(place.join("standards/tone.md"), "Be long.\n").unwrap();
            fs::write(place.join("profile.toml"), MANIFEST.replace("txt", "html")).unwrap();
        }
        scene.on_through(&id, CALLS.len());
        let revision = scene.file(&id, "iteration-2/revision-prompt.md");
        assert!(revision.starts_with("Files end in .txt.\nWrite, round 2."), "{revision}");
        assert!(scene.file(&id, "standards-bundle.md").contains("Be brief."));
    }
}

/// What `profiles lint` says of the profile with this file otherwise.
fn linted(path: &str, text: &str) -> String {
    let scene = Scene::new("txt");
    put(&scene, OF_PROJECT, "letters", "Think.");
    let place = format!("{OF_PROJECT}/letters");
    scene.sandbox.write(&format!("{place}/{path}"), text);
    let told = scene.expect(2, "gated profiles lint letters").out;
    let by_path = scene.expect(2, &format!("gated profiles lint {place}")).out;
    assert_eq!(by_path.lines().count(), told.lines().count(), "{by_path}");
    let refused = scene.expect(2, &format!("gated init --profile letters {CONTEXT}"));
    assert!(refused.err.contains("profiles lint letters"), "{}", refused.err);
    told
}

#[test]
fn lint_names_an_unknown_placeholder_with_file_and_line() {
    let told = linted("prompts/form.md", "Files end in .{{ extension }}.\n\nIn {{ colour }}.\n");
    assert!(told.contains("letters/prompts/form.md:3"), "{told}");
    assert!(told.contains("there is no variable \"colour\""), "{told}");
}

#[test]
fn lint_names_a_missing_phase_with_file_and_line() {
    let (before, after) = MANIFEST.split_once("[phases.review]").unwrap();
    let after = &after[after.find("[phases.revision]").unwrap()..];
    let told = linted("profile.toml", &format!("{before}{after}"));
    assert!(told.contains("letters/profile.toml:1: the phase review is missing"), "{told}");
}

#[test]
fn lint_names_an_include_in_a_circle_with_file_and_line() {
    let told =
        linted("prompts/form.md", "Files end in .{{ extension }}.\n{% include \"write.md\" %}\n");
    let line =
        told.lines().find(|line| line.contains("in a circle")).unwrap_or_else(|| panic!("{told}"));
    assert!(line.starts_with("letters/prompts/"), "{line}");
    assert!(line.contains("form.md") && line.contains("write.md"), "{line}");
}

#[test]
fn lint_finds_nothing_in_what_can_be_used() {
    let scene = Scene::new("txt");
    put(&scene, OF_PROJECT, "letters", "Think.");
    let told = scene.expect(0, "gated profiles lint").out;
    for name in ["jpa-mt", "letters", "sqlx-rust"] {
        assert!(told.contains(&format!("{name}: nothing to mend")), "{told}");
    }
}
