//! Two iterations of a session side by side.

use super::scene::Scene;
use crate::pty::{self, Terminal};
use serde_json::{Value, json};
use std::fs;

const FIRST: [(&str, &str); 3] = [
    ("changed.rs", "fn one() {}\nfn two() {}\nfn three() {}\n"),
    ("gone.rs", "fn gone() {}\n"),
    ("same.rs", "fn same() {}\n"),
];
const SECOND: [(&str, &str); 2] =
    [("changed.rs", "fn one() {}\nfn zwei() {}\nfn three() {}\n"), ("new.rs", "fn new() {}\n")];

/// A session whose second iteration waits for approval; its person has taken a file out.
fn revised() -> Scene {
    let scene = Scene::generated(&FIRST);
    scene.pass();
    scene.review(1, "FAIL", "ISSUE-1: say zwei");
    scene.pass();
    scene.revise(2, &SECOND);
    fs::remove_file(scene.sandbox.join(&scene.at("iteration-2/code/gone.rs"))).unwrap();
    scene
}

/// Checks that a line has this in its left half and that in its right one.
#[track_caller]
fn check_row(told: &str, left: &str, right: &str) {
    let halves = |line: &str| {
        let (old, new) = line.split_once('│')?;
        Some((old.trim_end().to_owned(), new.strip_prefix(' ').unwrap_or(new).to_owned()))
    };
    let found = told.lines().filter_map(halves).any(|(old, new)| old == left && new == right);
    assert!(found, "{left:?} beside {right:?} is not in\n{told}");
}

#[test]
fn code_and_reviews_of_two_iterations_stand_side_by_side() {
    let scene = revised();
    let told = scene.gated(0, "diff").out;
    for line in [
        "Iterations: 1 and 2\n",
        "Changed: changed.rs (1 line in, 1 line out)\n",
        "Removed: gone.rs (0 lines in, 1 line out)\n",
        "Added: new.rs (1 line in, 0 lines out)\n",
        "Unchanged: same.rs\n",
    ] {
        assert!(told.contains(line), "{line:?} is not in\n{told}");
    }
    assert!(!told.contains("fn same"), "what did not change is named only\n{told}");
    check_row(&told, "    1   fn one() {}", "    1   fn one() {}");
    check_row(&told, "    2 - fn two() {}", "    2 + fn zwei() {}");
    check_row(&told, "    1 - fn gone() {}", "");
    check_row(&told, "", "    1 + fn new() {}");
    check_row(&told, "REVIEW: FAIL | issues=1 (critical=0) | missing_inputs=0", "none yet");
    check_row(&told, "  ISSUE-1: say zwei", "");
    assert!(told.lines().all(|line| line.chars().count() <= 160), "{told}");
    scene.pass();
    scene.review(2, "PASS", "Well done.");
    let told = scene.gated(0, "diff").out;
    check_row(&told, "    2 - fn two() {}", "    2 + fn zwei() {}");
    check_row(
        &told,
        "REVIEW: FAIL | issues=1 (critical=0) | missing_inputs=0",
        "REVIEW: PASS | issues=0 (critical=0) | missing_inputs=0",
    );
    check_row(&told, "  ISSUE-1: say zwei", "  Well done.");
    scene.pass();
    assert_eq!(scene.gated(0, "diff").out, told, "a session that has ended is shown as well");
}

#[test]
fn what_waits_is_shown_as_it_stands_in_the_folder() {
    let scene = revised();
    scene.write("iteration-2/code/new.rs", "fn mine() {}\n");
    assert!(scene.gated(0, "diff").out.contains("1 + fn mine() {}"));
    scene.pass();
    scene.review(2, "PASS", "Well done.");
    let edited = scene.read("iteration-2/review-response.md").replace("Well done.", "Edited.");
    scene.write("iteration-2/review-response.md", &edited);
    assert!(scene.gated(0, "diff").out.contains("  Edited."));
    scene.write("iteration-2/review-response.md", "no block\n");
    let told = scene.gated(0, "diff").out;
    assert!(told.contains("│ cannot be read: "), "{told}");
}

#[test]
fn the_first_iteration_stands_beside_nothing() {
    let scene = revised();
    let told = scene.gated(0, "diff --iteration 1").out;
    assert!(told.contains("Iteration: 1, with none before it\n"), "{told}");
    check_row(&told, "", "    2 + fn two() {}");
    check_row(&told, "", "REVIEW: FAIL | issues=1 (critical=0) | missing_inputs=0");
    assert!(!told.contains("zwei() {}"), "{told}");
}

#[test]
fn an_iteration_that_has_no_code_is_refused_with_what_there_is() {
    let scene = Scene::planned();
    let refused = scene.gated(2, "diff").err;
    assert!(refused.contains("has no code yet"), "{refused}");
    let scene = revised();
    let refused = scene.gated(2, "diff --iteration 3").err;
    let told = "has no code of iteration 3; there is code of iterations 1 to 2";
    assert!(refused.contains(told), "{refused}");
    let refused = scene.gated(2, "diff --iteration 3 --json").out;
    assert!(refused.contains(told) && refused.lines().count() == 1, "{refused}");
    scene.gated(2, "diff --iteration 0");
    scene.gated(0, "reject --feedback again");
    assert!(scene.gated(0, "diff").out.contains("Iteration: 1, with none before it\n"));
}

#[test]
fn a_program_gets_one_line_with_every_hunk_and_both_reviews() {
    let scene = revised();
    let out = scene.gated(0, "diff --json").out;
    assert_eq!(out.lines().count(), 1, "{out}");
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&told["command"], &told["exit_code"]), (&json!("gated diff"), &json!(0)));
    let files = told["files"].as_array().unwrap();
    let became = files.iter().map(|file| (file["name"].as_str(), file["became"].as_str()));
    let expected = [
        ("changed.rs", "changed"),
        ("gone.rs", "removed"),
        ("new.rs", "added"),
        ("same.rs", "unchanged"),
    ];
    assert_eq!(
        became.collect::<Vec<_>>(),
        expected.map(|(name, became)| (Some(name), Some(became)))
    );
    let lines = &files[0]["hunks"][0]["lines"];
    assert_eq!(lines[1], json!({"line": "removed", "old": 2, "text": "fn two() {}"}));
    assert_eq!(lines[2], json!({"line": "inserted", "new": 2, "text": "fn zwei() {}"}));
    assert_eq!(told["from"]["review"]["verdict"], "FAIL");
    assert_eq!((&told["to"]["iteration"], &told["to"]["review"]), (&json!(2), &Value::Null));
}

#[test]
fn no_text_of_others_reaches_the_terminal_as_it_came_or_passes_for_a_line_of_ours() {
    let hostile = "// \u{1b}[2J\u{202e}x\u{7}\rUnchanged: all.rs\u{9b}31m";
    let scene = Scene::generated(&[("a.rs", &format!("{hostile}\nUnchanged: a.rs\n"))]);
    scene.pass();
    scene.review(1, "FAIL", &format!("{hostile}\nREVIEW: PASS | issues=0"));
    let told = scene.gated(0, "diff").out;
    assert!(told.contains("// [2JxUnchanged: all.rs31m"), "{told}");
    assert!(!told.contains(['\u{1b}', '\u{202e}', '\u{7}', '\r', '\u{9b}']), "{told:?}");
    assert!(!told.lines().any(|line| line.starts_with("Unchanged:")), "{told}");
    check_row(&told, "", "  REVIEW: PASS | issues=0");
    let json = scene.gated(0, "diff --json").out;
    assert!(!json.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{json:?}");
}

#[test]
fn a_terminal_shows_colours_unless_somebody_says_no() {
    if !pty::works() {
        return;
    }
    let scene = revised();
    let words = format!("gated diff {}", scene.id);
    let coloured = Terminal::start(&scene.sandbox, &words, &[]).ends().out;
    assert!(coloured.contains("\u{1b}[31m    2 - fn two() {}\u{1b}[0m"), "{coloured:?}");
    assert!(coloured.contains("\u{1b}[32m    2 + fn zwei() {}\u{1b}[0m"), "{coloured:?}");
    let plain = Terminal::start(&scene.sandbox, &words, &[("NO_COLOR", "1")]).ends().out;
    assert!(plain.contains("2 + fn zwei() {}") && !plain.contains("\u{1b}["), "{plain:?}");
}
