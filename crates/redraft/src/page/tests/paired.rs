//! Pages of pairs: turns as columns, findings turn by turn, changes side by side.

use super::{Dom, HOSTILE, count, record};
use crate::{commands::runs::Own, page::page};
use redraft_loop::Severity;
use redraft_workflows::{
    findings::{Change, Finding, Status},
    pair::{
        CheckResult, Followed, Kind, Message, Point, Record,
        Standing::{self, Disputed, Fixed, New, Open, Reopened},
        Stood, TurnRecord,
    },
};

/// A change of one line.
fn diff(text: &str) -> String {
    format!(
        "diff --git a/src/x b/src/x\nindex 1..2 100644\n--- a/src/x\n+++ b/src/x\n@@ -7,2 +7,2 @@ near\n kept\n-before\n+{text}\n"
    )
}

fn message(kind: Kind, turn: u32, text: &str) -> Message {
    let all = vec![text.to_owned()];
    let point =
        Point { severity: Severity::Error, message: text.to_owned(), file: Some(text.to_owned()) };
    Message {
        issues: (kind == Kind::Critique).then(|| vec![point]),
        reasons: all.clone(),
        evidence: all.clone(),
        risks: all,
        ..Message::new(kind, turn, text)
    }
}

fn checked(text: &str, exit: i32) -> CheckResult {
    CheckResult {
        command: text.to_owned(),
        exit: Some(exit),
        timed_out: false,
        tail: text.to_owned(),
        millis: 1_500,
    }
}

fn turn(turn: u32, diff: String, check: CheckResult) -> TurnRecord {
    let failing = usize::from(!check.passed());
    TurnRecord {
        turn,
        diff,
        checks: Some(vec![check]),
        failing: Some(failing),
        open: 1,
        verified: Some(false),
    }
}

/// A finding that stood so in the turns from this one on.
fn followed(text: &str, first: u32, stood: &[&[Standing]]) -> Followed {
    let change = |round, by: &str, status| Change {
        round,
        by: by.to_owned(),
        status,
        note: Some(format!("because {text}")),
    };
    let finding = Finding {
        id: text.to_owned(),
        by: text.to_owned(),
        raised_in: first,
        severity: Severity::Error,
        message: text.to_owned(),
        code: None,
        field: Some(text.to_owned()),
        status: Status::Disputed,
        history: vec![change(first, text, Status::Open), change(2, "builder", Status::Disputed)],
        upheld: 0,
    };
    let turns = (first..).zip(stood).map(|(turn, was)| Stood { turn, was: was.to_vec() });
    Followed { finding, turns: turns.collect() }
}

/// Three turns: the second goes green, the third brings the first one's change back.
fn three_turns(text: &str) -> Record {
    let cadence = [Kind::Implement, Kind::Critique, Kind::Verify];
    let turns = (1..=3).flat_map(|turn| cadence.map(|kind| message(kind, turn, text)));
    Record {
        task: text.to_owned(),
        commit: Some(text.to_owned()),
        checks: vec![text.to_owned()],
        messages: [message(Kind::Propose, 1, text)].into_iter().chain(turns).collect(),
        turns: vec![
            turn(1, diff("one"), checked(text, 1)),
            turn(2, diff("two"), checked(text, 0)),
            turn(3, diff("one"), checked(text, 1)),
        ],
        findings: vec![
            followed(text, 1, &[&[New], &[Disputed, Open], &[Disputed]]),
            followed(text, 1, &[&[New], &[Fixed], &[Reopened]]),
            followed(text, 3, &[&[New]]),
        ],
        best_turn: Some(2),
        handed_over: Some(2),
    }
}

/// A pair in which everything that others may have said says this.
pub(super) fn said_everywhere(text: &str) -> Record {
    three_turns(text)
}

#[track_caller]
fn shown(own: Record) -> Dom {
    let html = page(&record("x"), Some(&Own::Pair(Box::new(own)))).unwrap();
    let dom = Dom::parse(&html);
    dom.check();
    dom
}

/// The texts of the badges of a class.
fn badges<'a>(dom: &'a Dom, class: &str) -> Vec<&'a str> {
    let class = format!("badge {class}");
    let badges = dom.named("span").filter(|span| span.get("class") == Some(&class));
    badges.map(|span| span.text.as_str()).collect()
}

#[test]
fn turns_are_columns_with_their_checks_in_red_and_green() {
    let dom = shown(three_turns("make test"));
    let heads: Vec<&str> = dom.named("th").map(|head| head.text.as_str()).collect();
    let columns = ["What", "Turn 1", "Turn 2 best handed over", "Turn 3"];
    assert_eq!(heads[..4], columns);
    let rows = ["Builder", "Change", "Checks", "Critique", "Verify", "At its end"];
    assert_eq!(heads[4..10], rows);
    assert_eq!(badges(&dom, "good"), ["passed", "fixed"]);
    assert_eq!(badges(&dom, "bad")[..3], ["exit code 1", "exit code 1", "reopened"]);
    dom.check_says("1.5 s");
    dom.check_says("1 check failing, 1 finding open");
    dom.check_says("the change of turn 2, the best so far");
}

#[test]
fn findings_have_a_cell_for_each_turn_and_say_why_they_are_disputed() {
    let dom = shown(three_turns("it is tested"));
    assert_eq!(badges(&dom, "unsure")[..3], ["rejected"; 3]);
    assert_eq!(badges(&dom, "unsure")[3..7], ["new", "disputed, open", "new", "new"]);
    assert!(badges(&dom, "open").contains(&"disputed"));
    dom.check_says("disputed in turn 2 by builder: because it is tested");
    let rows = dom.named("tr").filter(|row| row.text.contains("reopened"));
    let rows: Vec<&str> = rows.map(|row| row.text.as_str()).collect();
    assert!(matches!(rows[..], [row] if row.contains("new") && row.contains("fixed")), "{rows:?}");
}

#[test]
fn a_change_has_two_sides_and_one_that_was_made_before_is_named() {
    let dom = shown(three_turns("x"));
    let cells: Vec<&str> = dom.named("td").map(|cell| cell.text.as_str()).collect();
    let rows = |row: [&str; 4]| cells.windows(4).filter(|cells| **cells == row).count();
    assert_eq!(rows(["7", "kept", "7", "kept"]), 2, "both changes keep it");
    assert_eq!(rows(["8", "before", "8", "one"]), 1);
    assert_eq!(rows(["8", "before", "8", "two"]), 1);
    dom.check_says("index 1..2 100644");
    dom.check_says("The same change as in turn 1.");
    let marked = |name: &str, text: &str| dom.named(name).any(|one| one.text == text);
    assert!(marked("del", "+one\n") && marked("ins", "+two\n"), "the second against the first");
    let folds = dom.named("details").filter(|fold| fold.get("id").is_some());
    let open: Vec<bool> = folds.map(|fold| fold.get("open").is_some()).collect();
    assert_eq!(open, [false, true, true], "what is handed over, and the newest");
}

#[test]
fn whatever_a_diff_says_is_text_and_stands_word_for_word() {
    let of = |text: &str| {
        let hostile = diff(text).replace("src/x", text).replace("near", text);
        let second = diff(&format!("{text} again"));
        let turns = vec![turn(1, hostile, checked("x", 0)), turn(2, second, checked("x", 0))];
        let own = Record { turns, findings: Vec::new(), ..three_turns("x") };
        count(&shown(own), text)
    };
    let plain = of("plain");
    assert!(plain > 8, "{plain}");
    for text in HOSTILE {
        // A path ends with its line, and so does each line of a diff.
        let text = text.replace(['\n', '\r', '\t'], " ");
        assert_eq!(of(&text), plain, "{text:?}");
    }
    let own = Record { turns: vec![turn(1, diff("a\r"), checked("x", 0))], ..three_turns("x") };
    shown(own).check_says("a‹U+000D›");
}

#[test]
fn what_is_no_diff_stands_in_the_page_all_the_same() {
    for text in ["I would change x.", "@@ -1,9 +1,9 @@\n+cut off", "+++ b/\n@@ no hunk"] {
        let own =
            Record { turns: vec![turn(1, text.to_owned(), checked("x", 0))], ..three_turns("x") };
        let dom = shown(own);
        text.lines().for_each(|line| dom.check_says(line.trim_start_matches('+')));
    }
}

#[test]
fn a_run_that_built_nothing_has_a_page_too() {
    let own = Record {
        messages: Vec::new(),
        turns: Vec::new(),
        findings: Vec::new(),
        best_turn: None,
        handed_over: None,
        ..three_turns("x")
    };
    let dom = shown(own);
    for told in ["Not made yet.", "Nothing was built.", "nothing was built.", "There are none."] {
        dom.check_says(told);
    }
}

#[test]
fn a_page_grows_with_its_diffs_and_no_faster() {
    let length = |lines: usize, line: &str| {
        let head = format!("--- a/x\n+++ b/x\n@@ -1,{lines} +1,{lines} @@\n");
        let diff = format!("{head}{}", format!("-{line}\n+{line}2\n").repeat(lines));
        let (bytes, other) = (diff.len(), diff.replace('2', "3"));
        let turns = vec![turn(1, diff, checked("x", 0)), turn(2, other, checked("x", 0))];
        let own = Own::Pair(Box::new(Record { turns, ..three_turns("x") }));
        (page(&record("x"), Some(&own)).unwrap().len(), 2 * bytes)
    };
    let code = "    let words: Vec<&str> = line.split(' ').collect();";
    for (lines, line, most) in [(9_000, code, 4), (100_000, "", 2)] {
        let (page, diffs) = length(lines, line);
        assert!(page < most * diffs, "{lines} lines: {page} of {diffs}");
    }
}
