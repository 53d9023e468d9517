//! Replies, files and output without end: memory, the journal and time stay bounded.

use super::{
    last_line,
    stage::{Builds, EDITS_TWO, Stage, TWO, finds, implements, proposes, verifies, weighed},
};
use crate::provider::{Does, Provider};

/// The most memory that a run may take, in bytes.
const MOST: u64 = 600 << 20;

/// The most bytes of a home after a run of small changes.
const SMALL: u64 = 2 << 20;

/// What the length of a flood is, in bytes.
const FLOOD: usize = 50_000_000;

/// A script that says a message whose diff is a flood.
fn flood() -> String {
    let (before, after) = implements(1, "FLOOD")
        .split_once("FLOOD")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    format!(
        "printf '%s' '{before}--- /dev/null\\n+++ b/x\\n@@ -0,0 +1 @@\\n+'\nhead -c {FLOOD} /dev/zero | tr '\\0' x\nprintf '%s' '{after}'\n"
    )
}

/// Plays it, weighs it, and gives its stderr.
fn bounded(stage: &Stage, words: &[&str], status: (i32, &str)) -> String {
    let before = stage.print();
    let (ended, memory) = weighed(stage.command(words), &stage.sandbox);
    eprintln!("{} MiB of memory, {} KiB of home", memory >> 20, stage.home_bytes() >> 10);
    assert_eq!((ended.code, last_line(&ended)), status, "{}", ended.err);
    assert!(memory > 0 && memory < MOST, "{memory} bytes of memory");
    assert!(stage.home_bytes() < SMALL, "{} bytes", stage.home_bytes());
    stage.assert_untouched(&before, &ended.err);
    ended.err
}

#[test]
fn a_flood_of_a_program_is_cut_off_and_the_next_attempt_counts() {
    let stage = Stage::new();
    stage.says(&[String::new(), implements(1, TWO)]);
    stage.script("builder", 0, &flood());
    let told = bounded(&stage, &[], (0, "CONVERGED"));
    assert!(told.contains("wrote more than 4000000 bytes"), "{told}");
}

#[test]
fn a_flood_that_is_let_in_is_refused_once_and_not_kept() {
    let stage = Stage::new();
    stage.says(&[String::new(), implements(1, TWO)]);
    stage.script("builder", 0, &flood());
    stage.configure(Builds::Says, "");
    let config = stage.sandbox.read("config/redraft/config.toml");
    let config = config.replace("edits = false\n", "edits = false\nmax_output_bytes = 100000000\n");
    stage.sandbox.write("config/redraft/config.toml", config);
    let told = bounded(&stage, &[], (0, "CONVERGED"));
    let refusals = stage.refusals();
    assert!(
        refusals.len() == 1 && refusals[0].contains("bytes are too many"),
        "{refusals:?}{told}"
    );
}

#[test]
fn a_flood_of_a_model_is_cut_off() {
    let stage = Stage::new();
    let reply =
        implements(1, &format!("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+{}\n", "x".repeat(FLOOD)));
    let provider = Provider::new(move |_| Does::Says(reply.clone()));
    stage.with_model(&provider);
    let told = bounded(&stage, &[], (1, "FAILED"));
    assert_eq!(provider.asked(), 1, "who floods once will again, and is paid by length");
    assert!(told.contains("is longer than"), "{told}");
}

#[test]
fn a_flood_in_the_worktree_is_refused_by_its_path() {
    let stage = Stage::new();
    let huge = format!("head -c {FLOOD} /dev/zero | tr '\\0' x > huge.txt");
    stage.does(&[&huge, EDITS_TWO]);
    bounded(&stage, &[], (0, "CONVERGED"));
    let refusals = stage.refusals();
    assert!(
        refusals.len() == 1 && refusals[0].contains("huge.txt: has 50000000 bytes"),
        "{refusals:?}"
    );
}

#[test]
fn a_flood_of_points_is_refused_once_and_not_kept() {
    let stage = Stage::new();
    stage.does(&[EDITS_TWO]);
    let points: Vec<String> = (0..50_000).map(|n| format!("point {n}")).collect();
    let points: Vec<&str> = points.iter().map(String::as_str).collect();
    let [flood, few] = [points.as_slice(), &points[..100]].map(|points| finds(1, points));
    stage.architect(&[proposes(), flood, few, verifies(1, "rejected", "No.")]);
    let told = bounded(&stage, &["--max-turns", "1"], (4, "FAILED MAX_TURNS"));
    let refusals = stage.refusals();
    assert!(
        refusals.len() == 1 && refusals[0].contains("\"/issues\": it has more than 100 items"),
        "{refusals:?}{told}"
    );
    assert!(told.contains("100 findings open"), "{told}");
}

/// Of a reply that is wrong a hundred thousand times as much is told as a repair can use.
#[test]
fn a_flood_of_mistakes_is_told_in_bounded_words() {
    let stage = Stage::new();
    stage.does(&[EDITS_TWO]);
    let wrong: Vec<String> = (0..100_000).map(|n| format!("\"key{n}\":{n}")).collect();
    let wrong = proposes().replacen('{', &format!("{{{},", wrong.join(",")), 1);
    stage.architect(&[wrong, proposes(), finds(1, &[]), verifies(1, "verified", "Good.")]);
    bounded(&stage, &[], (0, "CONVERGED"));
    let refusals = stage.refusals();
    assert!(refusals.len() == 1 && refusals[0].len() < 20_000, "{}", refusals[0].len());
    assert!(refusals[0].ends_with(" more"), "{}", refusals[0]);
}

#[test]
fn a_million_points_are_cut_off() {
    let stage = Stage::new();
    stage.does(&[EDITS_TWO]);
    let head = finds(1, &[]);
    let head = head.split_once("[]").unwrap();
    let point = r#"{"severity":"error","message":"x"}"#;
    stage.architect(&[proposes(), String::new(), finds(1, &[]), verifies(1, "verified", "Good.")]);
    let script = format!(
        "printf '%s[' '{}'\nyes '{point},' | head -n 1000000\nprintf '%s' '{point}]{}'\n",
        head.0, head.1
    );
    stage.script("architect", 1, &script);
    let told = bounded(&stage, &[], (0, "CONVERGED"));
    assert!(told.contains("wrote more than 4000000 bytes"), "{told}");
}
