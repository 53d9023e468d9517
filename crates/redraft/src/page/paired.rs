//! What a pair adds to the page of its run: its turns as columns, the findings turn by turn, and every change.
//!
//! Invariant: every message, check and finding stands in it; a change that was made before is named, not told again.
//! Absent here: calls, costs and times, which every run has.

use super::{
    findings::severity,
    passage::Passage,
    sides::{Sides, sides},
    since::{Since, since},
};
use crate::{
    commands::{findings::stood, runs::changed},
    say,
};
use redraft_workflows::{
    findings::{self, Finding},
    pair::{
        CheckResult, Followed, Kind, Message, Point, Record, Standing, TurnRecord,
        patch::{self, FileChange},
    },
};
use std::collections::HashMap;

/// Of more files, the list is folded.
pub(super) const FILES: usize = 12;

/// Of more turns, the newest so many are compared with the turn before.
pub(super) const COMPARED: usize = 12;

/// The parts of a pair.
pub(super) struct Paired<'a> {
    pub(super) record: &'a Record,
    pub(super) task: Passage<'a>,
    pub(super) proposals: Vec<Said<'a>>,
    pub(super) turns: Vec<TurnShown<'a>>,
    pub(super) findings: Vec<FollowedShown<'a>>,
    /// Which turn's change is handed over, in words.
    pub(super) result: String,
}

/// A message.
pub(super) struct Said<'a> {
    pub(super) message: &'a Message,
    pub(super) text: Passage<'a>,
    pub(super) points: Vec<PointShown<'a>>,
}

/// What a critique raises.
pub(super) struct PointShown<'a> {
    pub(super) severity: &'static str,
    pub(super) message: &'a str,
    pub(super) file: Option<&'a str>,
}

/// A turn: a column, and its change.
pub(super) struct TurnShown<'a> {
    pub(super) turn: &'a TurnRecord,
    pub(super) is_best: bool,
    pub(super) is_handed_over: bool,
    /// How much it changes, in a few words.
    pub(super) sum: String,
    pub(super) files: Vec<FileCount<'a>>,
    pub(super) built: Vec<Said<'a>>,
    pub(super) checks: Vec<CheckShown<'a>>,
    pub(super) critique: Vec<Said<'a>>,
    pub(super) verify: Vec<Said<'a>>,
    pub(super) change: Change<'a>,
    /// How it stood at its end, in a few words.
    pub(super) end: String,
}

/// How much a turn changes of one file.
pub(super) struct FileCount<'a> {
    pub(super) path: &'a str,
    pub(super) inserted: usize,
    pub(super) removed: usize,
}

/// What a turn has changed.
pub(super) enum Change<'a> {
    /// Nothing.
    Nothing,
    /// The same as in this turn.
    As(u32),
    /// This, and what became of the change of the turn before, where there is one.
    Own { sides: Sides<'a>, since: Option<(u32, Since<'a>)> },
}

/// What a check said.
pub(super) struct CheckShown<'a> {
    pub(super) check: &'a CheckResult,
    pub(super) ending: String,
    pub(super) took: String,
}

/// A finding, a cell for each turn.
pub(super) struct FollowedShown<'a> {
    pub(super) finding: &'a Finding,
    pub(super) severity: &'static str,
    pub(super) cells: Vec<Option<Cell>>,
    /// What was said to its changes.
    pub(super) notes: Vec<String>,
}

/// How a finding stood in a turn.
pub(super) struct Cell {
    pub(super) mood: &'static str,
    pub(super) words: String,
}

/// What the page shows of a pair.
pub(super) fn paired(record: &Record) -> Paired<'_> {
    let followed = |followed| followed_shown(followed, &record.turns);
    Paired {
        task: Passage::shown(&record.task),
        proposals: said(record, Kind::Propose, None),
        turns: turns(record),
        findings: record.findings.iter().map(followed).collect(),
        result: changed::result(record),
        record,
    }
}

/// What was said by messages of a kind, in a turn or in all.
fn said(record: &Record, kind: Kind, turn: Option<u32>) -> Vec<Said<'_>> {
    let wanted =
        |message: &&Message| message.kind == kind && turn.is_none_or(|turn| turn == message.turn);
    record.messages.iter().filter(wanted).map(said_shown).collect()
}

fn said_shown(message: &Message) -> Said<'_> {
    let points = message.issues.iter().flatten().map(point_shown).collect();
    Said { message, text: Passage::shown(&message.content), points }
}

fn point_shown(point: &Point) -> PointShown<'_> {
    let Point { severity: weight, message, file } = point;
    PointShown { severity: severity(*weight), message, file: file.as_deref() }
}

fn turns(record: &Record) -> Vec<TurnShown<'_>> {
    let mut known: HashMap<&str, u32> = HashMap::new();
    let mut before: Option<(u32, Vec<FileChange<'_>>)> = None;
    let mut shown = Vec::new();
    let compared_from = record.turns.len().saturating_sub(COMPARED);
    for (n, turn) in record.turns.iter().enumerate() {
        let files = patch::read(&turn.diff);
        let change = match known.get(turn.diff.as_str()) {
            _ if turn.diff.is_empty() => Change::Nothing,
            Some(same) => Change::As(*same),
            None => Change::Own {
                sides: sides(&turn.diff, &files),
                since: (before.as_ref().filter(|_| n >= compared_from))
                    .map(|(turn, before)| (*turn, since(before, &files))),
            },
        };
        known.entry(&turn.diff).or_insert(turn.turn);
        shown.push(turn_shown(record, turn, &files, change));
        before = Some((turn.turn, files));
    }
    shown
}

fn turn_shown<'a>(
    record: &'a Record,
    turn: &'a TurnRecord,
    files: &[FileChange<'a>],
    change: Change<'a>,
) -> TurnShown<'a> {
    let count = |file: &FileChange<'a>| {
        let (inserted, removed) = file.counts();
        FileCount { path: file.path(), inserted, removed }
    };
    let of = |kind| said(record, kind, Some(turn.turn));
    TurnShown {
        is_best: record.best_turn == Some(turn.turn),
        is_handed_over: record.handed_over == Some(turn.turn),
        sum: changed::sum(files),
        files: files.iter().map(count).collect(),
        built: of(Kind::Implement),
        checks: turn.checks.iter().flatten().map(check_shown).collect(),
        critique: of(Kind::Critique),
        verify: of(Kind::Verify),
        change,
        end: end(turn),
        turn,
    }
}

fn end(turn: &TurnRecord) -> String {
    let open = format!("{} open", say::count(turn.open, "finding"));
    let failing = turn.failing.map(|n| format!("{} failing", say::count(n, "check")));
    failing.into_iter().chain([open]).collect::<Vec<_>>().join(", ")
}

fn check_shown(check: &CheckResult) -> CheckShown<'_> {
    let ending = if check.passed() { "passed".to_owned() } else { check.ending() };
    let took = super::span(i64::try_from(check.millis).unwrap_or(i64::MAX));
    CheckShown { check, ending, took }
}

fn followed_shown<'a>(followed: &'a Followed, turns: &[TurnRecord]) -> FollowedShown<'a> {
    let finding = &followed.finding;
    // Both are in the order of the turns.
    let mut stands = followed.turns.iter().peekable();
    let cell = |turn: &TurnRecord| {
        let stood_then = stands.next_if(|stood| stood.turn == turn.turn)?;
        Some(Cell { mood: mood(*stood_then.was.last()?), words: stood(stood_then) })
    };
    let note = |change: &findings::Change| {
        // What the finding was told anew as stands above.
        let note = change.note.as_ref().filter(|note| **note != finding.message)?;
        let (word, turn, by) = (change.status.name(), change.round, &change.by);
        Some(format!("{word} in turn {turn} by {by}: {note}"))
    };
    FollowedShown {
        finding,
        severity: severity(finding.severity),
        cells: turns.iter().map(cell).collect(),
        notes: finding.history.iter().filter_map(note).collect(),
    }
}

/// How a standing looks; its word stands beside.
fn mood(standing: Standing) -> &'static str {
    match standing {
        Standing::New | Standing::Open => "unsure",
        Standing::Fixed => "good",
        Standing::Disputed => "open",
        Standing::Reopened => "bad",
    }
}
