//! Kill -9 at every rename of a command that writes to a workspace: the next command makes up for it.

use super::trace::{self, Calls};
use crate::{
    sandbox::Sandbox,
    scene::{
        agrees, asset, check_untouched, document, draft, final_draft, objects, refused, review,
        scripted, state,
    },
};
use serde_json::Value;

const RENAMES: &str = "renameat";

/// A workspace with one transcript taken in, another at hand, and a script that converges in two iterations.
fn template() -> Sandbox {
    let sandbox = scripted(&[draft("one\n"), objects("more"), final_draft("two\n"), agrees()]);
    sandbox.write("a.md", "**Ada:** A sourdough starter is flour and water, fed every day.\n");
    sandbox.write("b.md", "**Bo:** Bread rises by itself, says the baker from next door.\n");
    sandbox.expect(0, "podcast ingest -w w --transcript a.md");
    sandbox
}

/// Kills the command at each rename, and does each of these next: it works, and `holds` says what stands then.
fn check(template: &Sandbox, words: &str, holds: fn(&Sandbox)) {
    if !trace::works() {
        return;
    }
    let renames = Calls { names: RENAMES, on: vec![] };
    let counted = Sandbox::new();
    template.copy(".", counted.path());
    let count = trace::count(counted.path(), words, &renames);
    assert!(count > 1, "{words}: {count} renames");
    for k in 1..=count {
        for next in [words, &review("description", ""), "repair -w w"] {
            let place = format!("{words}, killed at rename {k} of {count}, then {next}");
            let sandbox = Sandbox::new();
            template.copy(".", sandbox.path());
            let killed = trace::interfere(sandbox.path(), words, &renames, "signal=KILL", k);
            assert!(!killed.status.success(), "{place}: it came too late");
            check_untouched(&sandbox, &place);
            let ended = sandbox.redraft(next);
            assert_eq!(ended.code, 0, "{place}\n{}\n{}", ended.out, ended.err);
            holds(&sandbox);
            let repair = sandbox.expect(0, "repair -w w");
            let told = "Every file is as the journal has it.";
            assert!(repair.out.contains(told), "{place}: {}", repair.out);
            sandbox.expect(0, "verify -w w");
        }
    }
}

fn candidate(sandbox: &Sandbox, n: usize) -> String {
    let id = &asset(sandbox, "description")["candidates"][n]["candidate_id"];
    id.as_str().unwrap().to_owned()
}

fn heard(sandbox: &Sandbox) {
    assert_eq!(state(sandbox, "w")["tracks"][0]["label"], "b.md");
    let text = sandbox.read("w/transcript/transcript.txt");
    assert!(text.contains("says the baker"), "{text}");
}

fn summarised(sandbox: &Sandbox) {
    let chunk = document(sandbox, "w/summaries/chunks/chunk_0001.summary.json");
    let whole = document(sandbox, "w/summaries/episode/episode_summary.json");
    assert_eq!(chunk["created_at"], whole["created_at"]);
}

fn drafted(sandbox: &Sandbox) {
    let candidates = asset(sandbox, "shownotes")["candidates"].clone();
    assert_eq!(candidates.as_array().unwrap().len(), 1, "{candidates}");
}

fn picked(sandbox: &Sandbox) {
    let kept = asset(sandbox, "description");
    assert_eq!(kept["selected_candidate_id"], kept["candidates"][0]["candidate_id"]);
    assert_eq!(sandbox.read("w/copy/selected/description.md"), "one\n");
    let reviews: &Vec<Value> = kept["reviews"].as_array().unwrap();
    assert!(!reviews.is_empty());
}

#[test]
fn a_killed_ingest_is_made_up_for() {
    check(&template(), "podcast ingest -w w --transcript b.md", heard);
}

#[test]
fn a_killed_summarize_is_made_up_for() {
    let sandbox = template();
    check(&sandbox, "podcast summarize -w w", summarised);
    sandbox.expect(0, "podcast summarize -w w");
    sandbox.expect(0, "podcast ingest -w w --transcript b.md");
    check(&sandbox, "podcast summarize -w w", summarised);
}

#[test]
fn a_killed_draft_is_made_up_for() {
    check(&template(), "podcast draft -w w --asset-id shownotes", drafted);
}

#[test]
fn what_a_person_changed_after_the_kill_stays() {
    if !trace::works() {
        return;
    }
    let sandbox = template();
    sandbox.expect(0, &review("description", ""));
    let id = candidate(&sandbox, 0);
    let words = format!("podcast pick -w w --asset-id description --candidate-id {id}");
    let renames = Calls { names: RENAMES, on: vec![] };
    trace::interfere(sandbox.path(), &words, &renames, "signal=KILL", 1);
    assert_eq!(sandbox.read("w/copy/selected/description.md"), "two\n");
    sandbox.write("w/copy/selected/description.md", "by hand\n");
    for words in [words, review("description", "")] {
        refused(&sandbox, 6, &words, &["copy/selected/description.md", "redraft adopt"]);
    }
    sandbox.expect(0, "repair -w w");
    assert_eq!(sandbox.read("w/copy/selected/description.md.damaged-1"), "by hand\n");
    sandbox.expect(0, &review("description", ""));
    picked(&sandbox);
}

#[test]
fn a_killed_pick_is_made_up_for_with_and_without_an_earlier_selection() {
    for rounds in [1, 2] {
        let sandbox = template();
        let code = if rounds == 1 { 3 } else { 0 };
        sandbox.expect(code, &review("description", &format!("--max-iterations {rounds}")));
        let id = candidate(&sandbox, 0);
        let words = format!("podcast pick -w w --asset-id description --candidate-id {id}");
        check(&sandbox, &words, picked);
    }
}

fn exported(sandbox: &Sandbox) {
    assert_eq!(sandbox.read("w/auphonic/outputs/youtube.txt"), "two\n");
    let production = document(sandbox, "w/auphonic/outputs/production.json");
    assert_eq!(production["metadata"]["summary"], "two");
}

#[test]
fn a_killed_export_is_made_up_for() {
    let sandbox = template();
    sandbox.expect(0, &review("description", ""));
    check(&sandbox, "podcast export -w w --format youtube auphonic", exported);
}
