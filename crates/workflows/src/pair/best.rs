//! The turns of a pair side by side, the best of them, and the one whose change a run hands over.
//!
//! Invariant: fewest failing checks first, then fewest open findings; of equals the newest, which has been criticised most.
//! Absent here: applying it.

use super::{
    findings, kept,
    shape::{ARCHITECT, IMPLEMENT, VERIFY},
};
use crate::findings::{Finding, Findings, Status};
use redraft_loop::{Outcome, Run, Verdict};

/// What a turn came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its number, from 1.
    pub turn: u32,
    /// The whole change.
    pub diff: String,
    /// Checks that failed; `None` where they have not run.
    pub failing: Option<usize>,
    /// Checks in all.
    pub checks: usize,
    /// Findings that were open at its end, those of the checks aside.
    pub open: usize,
    /// Whether the architect verified it; `None` where it was not asked.
    pub verified: Option<bool>,
}

/// All turns in which something was implemented, oldest first.
pub fn turns(run: &Run) -> Vec<Turn> {
    let findings = findings::of_run(run);
    let built = run.turns().iter().filter(|turn| turn.step.as_str() == IMPLEMENT);
    built.map(|built| turn(run, &findings, built.round, built.text())).collect()
}

fn turn(run: &Run, findings: &Findings, round: u32, diff: &str) -> Turn {
    let checked = kept::checked(run, round);
    let failing =
        checked.as_ref().map(|checked| checked.checks.iter().filter(|c| !c.passed()).count());
    let is_open = |finding: &&Finding| {
        finding.by == ARCHITECT && finding.stood_after(round).is_some_and(Status::is_open)
    };
    let verify = run.turn(round, &VERIFY.into());
    Turn {
        turn: round,
        diff: diff.to_owned(),
        failing,
        checks: checked.map_or(0, |checked| checked.checks.len()),
        open: findings.all().iter().filter(is_open).count(),
        verified: verify.map(|turn| turn.verdict() == Some(Verdict::Ok)),
    }
}

/// The best turn so far.
pub fn best(run: &Run) -> Option<Turn> {
    best_of(turns(run))
}

pub(super) fn best_of(turns: Vec<Turn>) -> Option<Turn> {
    let weight = |turn: &Turn| (turn.failing.unwrap_or(usize::MAX), turn.open);
    turns.into_iter().rev().min_by_key(weight)
}

/// The turn whose change is handed over: the newest where the run converged, else the best so far.
pub fn handed_over(run: &Run) -> Option<Turn> {
    match run.decision().map(|exit| exit.outcome) {
        Some(Outcome::Converged) => turns(run).pop(),
        Some(Outcome::NeedsHuman | Outcome::Ended) | None => best(run),
    }
}
