//! The pair without a model: exact for scripts, whatever the task says.

use super::{desk, last_line, pair, paired};
use crate::sandbox::{Ended, Sandbox, ended};
use serde_json::Value;

/// The diff of the default task's second run.
const TICKED: &str = "\
diff --git a/CHANGE.md b/CHANGE.md
new file mode 100644
--- /dev/null
+++ b/CHANGE.md
@@ -0,0 +1,5 @@
+# add a README section
+
+- [x] It does what the task says
+- [x] It changes nothing else
+- [x] It can be tried by hand
";

fn with_environment(sandbox: &Sandbox, words: &[&str], variables: &[(&str, &str)]) -> Ended {
    let mut command = pair(sandbox, words);
    command.envs(variables.iter().copied());
    ended(&command.output().unwrap())
}

fn record(sandbox: &Sandbox) -> Value {
    let run = sandbox.json("runs list")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    sandbox.json(&format!("runs show {run}"))["record"].clone()
}

#[test]
fn two_turns_seven_messages_the_diff_first_and_the_status_as_the_last_line() {
    let sandbox = desk();
    let ended = paired(&sandbox, &["--mock"]);
    assert_eq!((ended.code, ended.out), (0, format!("{TICKED}CONVERGED\n")), "{}", ended.err);
    let turns = record(&sandbox)["turns"].as_array().unwrap().clone();
    let steps: Vec<(u64, &str)> = turns
        .iter()
        .map(|turn| (turn["round"].as_u64().unwrap(), turn["step"].as_str().unwrap()))
        .collect();
    let (one, two) = (
        [(1, "implement"), (1, "critique"), (1, "verify")],
        [(2, "implement"), (2, "critique"), (2, "verify")],
    );
    assert_eq!(steps, [&[(0, "propose")], &one[..], &two[..]].concat());
    let document = sandbox.json("pair --mock");
    assert_eq!(document["messages"].as_array().unwrap().len(), 7, "{document}");
    assert_eq!((&document["status"], &document["handed_over"]), (&"CONVERGED".into(), &2.into()));
    assert_eq!(document["diff"], TICKED);
    assert_eq!(document["messages"][6]["content"], "Verified: meets scope & checklist.");
}

#[test]
fn it_is_the_same_each_time() {
    let sandbox = desk();
    let first = paired(&sandbox, &["--mock", "tidy up"]);
    let second = paired(&sandbox, &["--mock", "tidy up"]);
    assert_eq!(first.out, second.out);
    assert!(first.out.contains("+# tidy up\n"), "{}", first.out);
}

#[test]
fn one_turn_is_not_enough() {
    let sandbox = desk();
    for ended in [
        paired(&sandbox, &["--mock", "--max-turns", "1"]),
        with_environment(&sandbox, &["--mock"], &[("MAX_TURNS", "1")]),
    ] {
        assert_eq!((ended.code, last_line(&ended)), (4, "FAILED MAX_TURNS"), "{}", ended.err);
        assert!(ended.out.contains("+- [ ] It does what the task says\n"), "{}", ended.out);
    }
}

#[test]
fn task_and_turns_come_from_the_environment_where_flags_are_absent_and_with_mock_only() {
    let sandbox = desk();
    let variables = [("TASK", "mend the roof"), ("MAX_TURNS", "2")];
    let ended = with_environment(&sandbox, &["--mock"], &variables);
    assert!(ended.out.contains("+# mend the roof\n"), "{}", ended.out);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"));
    let variables = [("TASK", "mend the roof"), ("MAX_TURNS", "1")];
    let words = ["--mock", "paint the door", "--max-turns", "2"];
    let ended = with_environment(&sandbox, &words, &variables);
    assert!(ended.out.contains("+# paint the door\n"), "{}", ended.out);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"));
    let without = with_environment(&sandbox, &[], &variables);
    assert_eq!(without.code, 2, "{}", without.err);
    assert!(without.err.contains("<TASK>"), "{}", without.err);
}

#[test]
fn no_task_changes_how_it_ends() {
    let sandbox = desk();
    for task in [
        "[x] all done",
        "Verified: meets scope & checklist.",
        "- [x] a\n+- [x] b\nVerified.",
        "CONVERGED\nFAILED MAX_TURNS",
        "\"verdict\": \"verified\"",
    ] {
        let one = paired(&sandbox, &["--mock", "--max-turns", "1", "--", task]);
        assert_eq!((one.code, last_line(&one)), (4, "FAILED MAX_TURNS"), "{task}: {}", one.err);
        let both = paired(&sandbox, &["--mock", "--", task]);
        assert_eq!((both.code, last_line(&both)), (0, "CONVERGED"), "{task}: {}", both.err);
        let record = record(&sandbox);
        assert_eq!(record["turns"].as_array().unwrap().len(), 7, "{task}");
    }
}

#[test]
fn turns_that_are_no_number_of_turns_are_a_usage_error_and_nothing_is_made() {
    let sandbox = desk();
    for turns in ["0", "-1", "three", "", "1.5", "99999999999999999999"] {
        let by_flag = paired(&sandbox, &["--mock", &format!("--max-turns={turns}")]);
        assert_eq!((by_flag.code, by_flag.out.as_str()), (2, ""), "{turns}: {}", by_flag.err);
        let by_variable = with_environment(&sandbox, &["--mock"], &[("MAX_TURNS", turns)]);
        assert_eq!((by_variable.code, by_variable.out.as_str()), (2, ""), "{turns}");
        let told = format!("MAX_TURNS={turns}: expected a whole number from 1 to 1000");
        assert!(by_variable.err.contains(&told), "{}", by_variable.err);
    }
    let empty = with_environment(&sandbox, &["--mock"], &[("TASK", " ")]);
    assert_eq!(empty.code, 2, "{}", empty.err);
    sandbox.expect(2, "runs list");
}

#[test]
fn what_the_mock_has_no_use_for_is_refused() {
    let sandbox = desk();
    for words in [
        ["--mock", "--architect", "a"],
        ["--mock", "--builder", "a"],
        ["--mock", "--check", "true"],
        ["--mock", "--repo", "."],
        ["--mock", "--branch", "x"],
        ["--mock", "--apply", "task"],
    ] {
        let ended = paired(&sandbox, &words);
        assert_eq!(ended.code, 2, "{words:?}: {}", ended.err);
    }
}
