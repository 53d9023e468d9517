//! What a pair adds to its run's record: its task, what everybody said, and turn by turn what came of it.
//!
//! Invariant: no message is left out, and each diff stands here once, with its turn.
//! Absent here: calls, costs and times, which every run's record has.

use super::{
    best::{Turn, best_of, handed_over, turns},
    findings, kept,
    message::Message,
    work::CheckResult,
};
use crate::findings::{Change, Finding, Status};
use redraft_loop::Run;
use serde::Serialize;

/// A pair as its contract names its parts. Fields are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record {
    /// The task, word for word.
    pub task: String,
    /// The commit that the change is made against; null where there is no repository.
    pub commit: Option<String>,
    /// The commands that check a change, in their order.
    pub checks: Vec<String>,
    /// Every message, oldest first. The diff of one that implements stands with its turn.
    pub messages: Vec<Message>,
    /// The turns in which something was implemented, oldest first.
    pub turns: Vec<TurnRecord>,
    /// What was found and how it stood turn by turn, oldest first.
    pub findings: Vec<Followed>,
    /// The number of the best turn so far; null before there is one.
    pub best_turn: Option<u32>,
    /// The number of the turn whose change is handed over, as far as the run has come; null where nothing was built.
    pub handed_over: Option<u32>,
}

/// What came of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnRecord {
    /// Its number, from 1.
    pub turn: u32,
    /// The whole change against the beginning, as a unified diff.
    pub diff: String,
    /// What each check said; null where they have not run.
    pub checks: Option<Vec<CheckResult>>,
    /// How many of them failed; null where they have not run.
    pub failing: Option<usize>,
    /// How many of the architect's findings were open at its end.
    pub open: usize,
    /// Whether the architect verified it; null where it was not asked.
    pub verified: Option<bool>,
}

/// A finding, turn by turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Followed {
    /// The finding as it stands now, with the words of every change.
    pub finding: Finding,
    /// How it stood in each turn, from the one that raised it.
    pub turns: Vec<Stood>,
}

/// How a finding stood in one turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stood {
    /// The turn's number.
    pub turn: u32,
    /// What it was in that turn, in order; never empty. The last is how it stood at the turn's end.
    pub was: Vec<Standing>,
}

/// How a finding stands, told apart by whether it is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It was raised in this turn.
    New,
    /// It has to be mended, and was found before.
    Open,
    /// It was mended, or taken back.
    Fixed,
    /// One side says that it is wrong.
    Disputed,
    /// It was mended, and is back.
    Reopened,
}

/// What this run adds to its record; `None` where it is no pair.
pub fn record(run: &Run) -> Option<Record> {
    if run.shape().workflow.as_str() != super::NAME {
        return None;
    }
    let kept::Settings { task, repository, checks, .. } = kept::settings(run)?;
    let turns = turns(run);
    let numbers: Vec<u32> = turns.iter().map(|turn| turn.turn).collect();
    let follow = |finding: &Finding| followed(finding, &numbers);
    Some(Record {
        task,
        commit: repository.map(|repository| repository.commit),
        checks,
        messages: kept::messages(run).into_iter().map(without_diff).collect(),
        findings: findings::of_run(run).all().iter().map(follow).collect(),
        best_turn: best_of(turns.clone()).map(|best| best.turn),
        handed_over: handed_over(run).map(|turn| turn.turn),
        turns: turns.into_iter().map(|turn| recorded(run, turn)).collect(),
    })
}

fn without_diff(message: Message) -> Message {
    Message { diff: None, ..message }
}

fn recorded(run: &Run, turn: Turn) -> TurnRecord {
    let Turn { turn, diff, failing, open, verified, checks: _ } = turn;
    let checks = kept::checked(run, turn).map(|checked| checked.checks);
    TurnRecord { turn, diff, checks, failing, open, verified }
}

/// The finding in each of these turns. What changed in a turn stands there; where nothing did, it stands as before.
fn followed(finding: &Finding, turns: &[u32]) -> Followed {
    let mut changes = finding.history.iter().peekable();
    let mut stands = None;
    let mut in_turns = Vec::new();
    for turn in turns {
        let mut was = Vec::new();
        while let Some(change) = changes.next_if(|change| change.round <= *turn) {
            was.push(standing(finding, change));
            stands = Some(after(change.status));
        }
        was.extend(stands.filter(|_| was.is_empty()));
        if !was.is_empty() {
            in_turns.push(Stood { turn: *turn, was });
        }
    }
    Followed { finding: finding.clone(), turns: in_turns }
}

/// A change as its turn has it.
fn standing(finding: &Finding, change: &Change) -> Standing {
    let is_new = change.status == Status::Open && change.round == finding.raised_in;
    if is_new { Standing::New } else { after(change.status) }
}

/// How a finding stands in the turns after such a change.
fn after(status: Status) -> Standing {
    match status {
        Status::Open => Standing::Open,
        Status::Fixed => Standing::Fixed,
        Status::Disputed => Standing::Disputed,
        Status::Reopened => Standing::Reopened,
    }
}
