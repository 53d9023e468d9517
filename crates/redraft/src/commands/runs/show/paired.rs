//! The part of a pair in `redraft runs show`: what was asked, what each turn came to, and the findings turn by turn.
//!
//! Invariant: every turn is told, and every finding is a line of the table.
//! Absent here: whole texts and diffs; `runs record` and `runs export` have them.

use crate::{
    commands::{columns, findings, runs::changed},
    say,
};
use redraft_workflows::pair::{CheckResult, Followed, Kind, Record, TurnRecord, patch};

/// The longest part of a text that stands on a line, in characters.
const TOLD: usize = 160;
/// The longest part of a finding's message in the table, in characters.
const TOLD_IN_TABLE: usize = 80;
/// So many lines are told of the end of what a failing check printed.
const TAIL: usize = 3;
/// So many turns stand in the table, the newest; a terminal holds no more.
const COLUMNS: usize = 8;

/// Prints it, the change that is handed over last.
pub(super) fn print(own: &Record) {
    line("Task", &own.task);
    own.commit.iter().for_each(|commit| line("Commit", commit));
    own.checks.iter().for_each(|check| line("Check", check));
    said(own, Kind::Propose, 1).for_each(|text| line("Proposal", text));
    own.turns.iter().for_each(|turn| print_turn(own, turn));
    table(own).iter().for_each(|line| say::out(line));
    say::out(&format!("Result: {}", changed::result(own)));
}

fn line(name: &str, text: &str) {
    say::out(&format!("{name}: {}", say::beginning(text, TOLD)));
}

/// What was said in a turn by messages of a kind.
fn said(own: &Record, kind: Kind, turn: u32) -> impl Iterator<Item = &str> {
    let of_turn = own.messages.iter().filter(move |one| one.kind == kind && one.turn == turn);
    of_turn.map(|message| message.content.as_str())
}

fn print_turn(own: &Record, turn: &TurnRecord) {
    let (n, change) = (turn.turn, changed::sum(&patch::read(&turn.diff)));
    let best = if own.best_turn == Some(n) { ", the best so far" } else { "" };
    say::out(&format!("Turn {n}: {change}{best}"));
    said(own, Kind::Implement, n).for_each(|text| line("  implement", text));
    turn.checks.iter().flatten().for_each(print_check);
    said(own, Kind::Critique, n).for_each(|text| line("  critique", text));
    let verdict = match turn.verified {
        Some(true) => "verify (verified)",
        Some(false) => "verify (rejected)",
        None => return,
    };
    said(own, Kind::Verify, n).for_each(|text| line(&format!("  {verdict}"), text));
}

fn print_check(check: &CheckResult) {
    let ending = if check.passed() { "passed".to_owned() } else { check.ending() };
    let command = say::beginning(&check.command, TOLD);
    say::out(&format!("  check {command}: {ending}, {} ms", check.millis));
    if !check.passed() {
        let lines: Vec<&str> = check.tail.lines().filter(|line| !line.trim().is_empty()).collect();
        let end = &lines[lines.len().saturating_sub(TAIL)..];
        end.iter().for_each(|line| say::out(&format!("    {}", say::beginning(line, TOLD))));
    }
}

/// The findings below a header, a line for each, a column for each turn; none where nothing was found.
fn table(own: &Record) -> Vec<String> {
    if own.findings.is_empty() {
        return Vec::new();
    }
    let left_out = own.turns.len().saturating_sub(COLUMNS);
    let turns: Vec<u32> = own.turns[left_out..].iter().map(|turn| turn.turn).collect();
    let names = turns.iter().map(|turn| format!("TURN {turn}"));
    let start = ["FINDING", "WEIGHT", "BY"].map(str::to_owned);
    let head = start.into_iter().chain(names).chain(["MESSAGE".to_owned()]).collect();
    let rows = own.findings.iter().map(|followed| row(followed, &turns));
    let rows: Vec<Vec<String>> = [head].into_iter().chain(rows).collect();
    let mut lines = columns::lines(&rows);
    if left_out > 0 {
        lines.insert(0, format!("Of {} turns the newest {COLUMNS}:", own.turns.len()));
    }
    lines
}

fn row(followed: &Followed, turns: &[u32]) -> Vec<String> {
    let finding = &followed.finding;
    let cell = |turn: &u32| {
        let stood = followed.turns.iter().find(|stood| stood.turn == *turn);
        stood.map(findings::stood).unwrap_or_default()
    };
    let told = |text: &str| say::clean(&say::beginning(text, TOLD_IN_TABLE));
    let start =
        [told(&finding.id), findings::weight(finding.severity).to_owned(), told(&finding.by)];
    let cells = start.into_iter().chain(turns.iter().map(cell));
    cells.chain([told(&finding.message)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_loop::Severity;
    use redraft_workflows::{
        findings::{Finding, Status},
        pair::{Standing, Stood},
    };

    fn turn(turn: u32) -> TurnRecord {
        let (diff, checks) = (String::new(), None);
        TurnRecord { turn, diff, checks, failing: None, open: 0, verified: None }
    }

    /// A finding that was raised in this turn, and disputed and upheld in the next.
    fn finding(raised_in: u32, message: &str) -> Followed {
        let finding = Finding {
            id: format!("t{raised_in}-1"),
            by: "architect".to_owned(),
            raised_in,
            severity: Severity::Warning,
            message: message.to_owned(),
            code: None,
            field: None,
            status: Status::Open,
            history: Vec::new(),
            upheld: 1,
        };
        let stood = |turn, was: &[Standing]| Stood { turn, was: was.to_vec() };
        let turns = vec![
            stood(raised_in, &[Standing::New]),
            stood(raised_in + 1, &[Standing::Disputed, Standing::Open]),
        ];
        Followed { finding, turns }
    }

    #[track_caller]
    fn check(turns: u32, findings: Vec<Followed>, expected: &[&str]) {
        let own = Record {
            task: String::new(),
            commit: None,
            checks: Vec::new(),
            messages: Vec::new(),
            turns: (1..=turns).map(turn).collect(),
            findings,
            best_turn: None,
            handed_over: None,
        };
        assert_eq!(table(&own), expected);
    }

    #[test]
    fn a_finding_is_a_line_and_a_turn_a_column() {
        check(
            3,
            vec![finding(1, "bare"), finding(2, "late\n\u{1b}[31m\u{202e}FINDING")],
            &[
                "FINDING  WEIGHT   BY         TURN 1  TURN 2          TURN 3          MESSAGE",
                "t1-1     warning  architect  new     disputed, open                  bare",
                "t2-1     warning  architect          new             disputed, open  late [31mFINDING",
            ],
        );
        check(3, Vec::new(), &[]);
    }

    #[test]
    fn of_many_turns_the_newest_are_columns() {
        let head = "FINDING  WEIGHT   BY         TURN 5  TURN 6  TURN 7  TURN 8  TURN 9  TURN 10  TURN 11         TURN 12  MESSAGE";
        let row = "t10-1    warning  architect                                          new      disputed, open           late";
        check(12, vec![finding(10, "late")], &["Of 12 turns the newest 8:", head, row]);
    }
}
