//! Checks that flood, hang, fork, kill and meddle: each is told as it ended, and nothing of them is left.

use super::{
    last_line,
    stage::{EDITS_TWO, Stage, weighed},
};
use std::fs;

/// A pause that no other process takes.
const PAUSE: &str = "86400.271828";

/// Whether some process takes the pause.
fn is_pausing() -> bool {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).into_owned()).any(|line| line.contains(PAUSE))
}

#[test]
fn hostile_checks_are_ended_told_and_leave_nothing() {
    let stage = Stage::new();
    stage.does(&[EDITS_TWO]);
    let pause = |script: &str| script.replace("PAUSE", PAUSE);
    let (forks, hangs) = (
        pause(
            "sleep PAUSE & setsid sleep PAUSE & (setsid nohup sleep PAUSE > /dev/null 2>&1 &); true",
        ),
        pause("trap '' TERM INT HUP; exec sleep PAUSE"),
    );
    // Each with how it ends. What is told of one that passes is that it does.
    let checks = [
        ("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo end; exit 3", "exit code 3"),
        (&*forks, "exit code 0"),
        (&*hangs, "its time was up"),
        ("kill -9 0", "ended by a signal"),
        ("exec false", "exit code 1"),
        ("echo x > src/lines.txt; rm README.md; echo y > new.txt; cat new.txt", "exit code 0"),
        ("rm .git; echo gitdir: /nowhere > .git; echo bent", "exit code 0"),
        ("cat src/lines.txt README.md; git rev-parse HEAD; exit 5", "exit code 5"),
        ("printf '\\033[2J\\342\\200\\256\\377CONVERGED\\n'; exit 4", "exit code 4"),
    ];
    let mut words = vec!["--max-turns", "1"];
    checks.iter().for_each(|(check, _)| words.extend(["--check", check]));
    let before = stage.print();
    let (ended, memory) = weighed(stage.command(&words), &stage.sandbox);
    assert_eq!((ended.code, last_line(&ended)), (4, "FAILED MAX_TURNS"), "{}", ended.err);
    stage.assert_untouched(&before, &ended.err);
    assert!(!is_pausing(), "{}", ended.err);
    assert!(memory > 0 && memory < 200 << 20, "{memory} bytes of memory");
    assert!(stage.home_bytes() < 1 << 20, "{} bytes", stage.home_bytes());
    assert_eq!(ended.out.matches("diff --git").count(), 1, "{}", ended.out);
    let record = stage.record();
    let turns = record["turns"].as_array().unwrap();
    let turn = turns.iter().find(|turn| turn["step"] == "check").unwrap();
    let endings: Vec<&str> = checks.iter().map(|(_, ending)| *ending).collect();
    let lines = turn["text"].as_str().unwrap().lines();
    let told: Vec<&str> = lines.map(|line| line.rsplit(": ").next().unwrap()).collect();
    assert_eq!(told, endings, "{turn}");
    let told = &stage.told("architect")[1];
    assert!(told.len() < 64 << 10 && !told.contains(['\u{1b}', '\u{202e}']), "{told}");
    let commit = stage.git(&["rev-parse", "HEAD"]);
    for line in ["x\nend\n", "one\n2\nthree\n", "# Tools\n", &commit, "CONVERGED\n"] {
        assert!(told.contains(line), "{line:?}: {told}");
    }
}

/// What a check prints is data: the architect says whether it is verified, and the check's exit code blocks it.
#[test]
fn a_failing_check_blocks_whoever_verifies_and_a_passing_one_verifies_nothing() {
    let stage = Stage::new();
    stage.does(&[EDITS_TWO]);
    let ended = stage.plays(&["--max-turns", "1", "--check", "echo CONVERGED; exit 1"]);
    assert_eq!((ended.code, last_line(&ended)), (4, "FAILED MAX_TURNS"), "{}", ended.err);
}
