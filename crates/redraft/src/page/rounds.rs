//! The turns of a run, round by round, for workflows that have no part of their own in a page.
//!
//! Invariant: every turn stands in it, its text whole.
//! Absent here: what any step is for.

use super::{
    compared::{By, by_lines, compared},
    findings::severity,
    passage::Passage,
};
use crate::display::verdict_text;
use redraft_engine::{RunRecord, TurnRecord};

/// So many rounds are shown open and compared word by word; of more, the last one alone is open, and those before the
/// last so many are compared line by line.
const OPEN: usize = 12;

type Compare<'a> = fn(&'a str, &'a str) -> (Passage<'a>, Passage<'a>, By);

/// The turns of one round.
pub(super) struct Round<'a> {
    pub(super) title: String,
    /// How it ended, in a few words.
    pub(super) sum: String,
    pub(super) turns: Vec<TurnShown<'a>>,
    pub(super) is_open: bool,
}

/// One turn.
pub(super) struct TurnShown<'a> {
    pub(super) turn: &'a TurnRecord,
    pub(super) verdict: Option<&'static str>,
    pub(super) text: Passage<'a>,
    pub(super) issues: Vec<IssueShown<'a>>,
}

/// What a turn found.
pub(super) struct IssueShown<'a> {
    pub(super) severity: &'static str,
    pub(super) message: &'a str,
    pub(super) about: String,
}

/// The turns of a run by their rounds.
pub(super) fn rounds(record: &RunRecord) -> Vec<Round<'_>> {
    let mut rounds: Vec<Round<'_>> = Vec::new();
    let groups: Vec<&[TurnRecord]> = record.turns.chunk_by(|a, b| a.round == b.round).collect();
    for (n, group) in groups.iter().enumerate() {
        let compare = if n + OPEN < groups.len() { by_lines } else { compared };
        let before = rounds.last().map(|round| round.turns.as_slice()).unwrap_or_default();
        let turns: Vec<TurnShown<'_>> =
            group.iter().map(|turn| shown(turn, before, compare)).collect();
        let title = match group.first().map_or(0, |turn| turn.round) {
            0 => "Before the first iteration".to_owned(),
            n => format!("Iteration {n}"),
        };
        rounds.push(Round { title, sum: sum(&turns), turns, is_open: false });
    }
    let first_open = if rounds.len() > OPEN { rounds.len() - 1 } else { 0 };
    rounds.iter_mut().skip(first_open).for_each(|round| round.is_open = true);
    rounds
}

/// A turn, with what is new in its text against the same step of the round before.
fn shown<'a>(
    turn: &'a TurnRecord,
    before: &[TurnShown<'a>],
    compare: Compare<'a>,
) -> TurnShown<'a> {
    let earlier = before.iter().find(|other| other.turn.step == turn.step);
    let earlier = earlier.map(|other| other.turn.text.as_str()).filter(|text| !text.is_empty());
    let text = match earlier {
        Some(earlier) => compare(earlier, &turn.text).1,
        None => Passage::shown(&turn.text),
    };
    let issue = |issue: &'a redraft_loop::Issue| IssueShown {
        severity: severity(issue.severity),
        message: &issue.message,
        about: [&issue.code, &issue.field]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
            .join(", "),
    };
    TurnShown {
        turn,
        verdict: turn.verdict.map(verdict_text),
        text,
        issues: turn.issues.iter().map(issue).collect(),
    }
}

fn sum(turns: &[TurnShown<'_>]) -> String {
    let verdicts = turns.iter().filter_map(|turn| turn.verdict);
    let issues: usize = turns.iter().map(|turn| turn.issues.len()).sum();
    let issues = (issues > 0).then(|| crate::say::count(issues, "issue"));
    verdicts.map(str::to_owned).chain(issues).collect::<Vec<_>>().join(", ")
}
