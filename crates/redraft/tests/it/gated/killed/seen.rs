//! What a session left behind, so that two of the same session can be compared byte for byte.

use crate::gated::unattended::scene::Scene;
use std::{collections::BTreeMap, fs, path::Path};

/// The keys of `session.json` that say when, and not what. A command that goes on does so later than one that was not
/// killed; and a kill leaves facts in the journal that change no file, such as whose turn it was cut off in, so that
/// their number is larger.
const WHEN: [&str; 5] = ["created_at", "updated_at", "timestamp", "at", "facts"];

/// Every file of the session's folder, with the moments in `session.json` masked. Hashes stay as they are.
pub(super) fn folder(scene: &Scene, id: &str) -> BTreeMap<String, String> {
    let files = scene.sandbox.files(&scene.folder(id)).into_iter();
    let read = files.map(|(path, bytes)| {
        let text = String::from_utf8(bytes).unwrap();
        let text = if path == "session.json" { masked(&text, &WHEN) } else { text };
        (path, text)
    });
    read.collect()
}

/// A JSON document, one member a line, with these members masked.
fn masked(json: &str, keys: &[&str]) -> String {
    let mask = |line: &str| {
        let (key, value) = line.split_once(": ").unwrap_or((line, ""));
        let comma = if value.ends_with(',') { "," } else { "" };
        match keys.contains(&key.trim().trim_matches('"')) {
            true => format!("{key}: masked{comma}\n"),
            false => format!("{line}\n"),
        }
    };
    json.lines().map(mask).collect()
}

/// The same for two sessions, whose ids differ, and with them the tokens of their reviews: these stand in the prompts of
/// reviews, whose hashes differ therefore too.
pub(super) fn folder_of_any(scene: &Scene, id: &str) -> BTreeMap<String, String> {
    let mut files = folder(scene, id);
    for (path, text) in &mut files {
        *text = text.replace(id, "ID");
        if path.ends_with("review-prompt.md") {
            *text = text.lines().filter(|line| !line.starts_with("review_token: ")).collect();
        }
    }
    let session = files.remove("session.json").unwrap();
    let mut of_prompt = false;
    let lines = session.lines().map(|line| {
        of_prompt = (of_prompt && !line.contains('}')) || line.contains("review-prompt.md\"");
        match of_prompt && line.contains("\"sha256\": ") {
            true => "masked\n".to_owned(),
            false => format!("{line}\n"),
        }
    });
    let session = lines.collect();
    files.insert("session.json".to_owned(), session);
    files
}

/// The calls whose answers are durable, by the names that the programs note.
pub(super) fn answered(scene: &Scene, id: &str) -> Vec<String> {
    let shown = scene.expect(0, &format!("runs show {id} --json"));
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    let calls = shown["record"]["calls"].as_array().unwrap().iter();
    let answered = calls.filter(|call| call["state"] == "answered").map(|call| {
        let (step, round) = (call["step"].as_str().unwrap(), call["round"].as_u64().unwrap());
        let iteration = if step == "revision" { round + 1 } else { round.max(1) };
        format!("{step}-{iteration}")
    });
    answered.collect()
}

/// Nobody was asked again whose answer was durable at the kill, and at most one call more than in a `whole` session was
/// made: the one in flight. `before` is how many calls there were at the kill.
pub(super) fn check_asked(
    scene: &Scene,
    (before, durable): (usize, &[String]),
    whole: &[String],
    place: &str,
) {
    let times = |calls: &[String], call: &str| calls.iter().filter(|one| *one == call).count();
    let all = scene.asked();
    for call in whole {
        let (answered, again) = (times(durable, call), times(&all[before..], call));
        assert_eq!(answered + again, times(whole, call), "{place}: {call} of {all:?}, {durable:?}");
    }
    assert!((whole.len()..=whole.len() + 1).contains(&all.len()), "{place}: {all:?}");
}

/// The journal is whole, the folder as it says, and nothing half-written is left in the home.
pub(super) fn check_clean(scene: &Scene, id: &str, place: &str) {
    scene.expect(0, "verify");
    scene.expect(0, &format!("gated status {id}"));
    let mut left = Vec::new();
    temporaries(&scene.sandbox.join(".redraft"), &mut left);
    assert_eq!(left, Vec::<String>::new(), "{place}");
}

fn temporaries(folder: &Path, left: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() {
            temporaries(&entry.path(), left);
        } else if name.contains("tmp") {
            left.push(entry.path().display().to_string());
        }
    }
}

/// The same files, with the same bytes.
pub(super) fn check_same(
    found: &BTreeMap<String, String>,
    expected: &BTreeMap<String, String>,
    place: &str,
) {
    let names: (Vec<_>, Vec<_>) = (found.keys().collect(), expected.keys().collect());
    assert_eq!(names.0, names.1, "{place}");
    for (path, text) in expected {
        assert_eq!(&found[path], text, "{place}: {path}");
    }
}
