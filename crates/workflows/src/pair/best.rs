//! The turns of a pair side by side, and the best of them: what a run hands over that ends without agreement.
//!
//! Invariant: fewest failing checks first, then fewest open findings; of equals the newest, which has been criticised most.
//! Absent here: applying it.

use super::{
    findings, kept,
    shape::{IMPLEMENT, VERIFY},
};
use redraft_loop::{Run, Verdict};

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
    let built = run.turns().iter().filter(|turn| turn.step.as_str() == IMPLEMENT);
    built.map(|built| turn(run, built.round, built.text())).collect()
}

fn turn(run: &Run, round: u32, diff: &str) -> Turn {
    let checked = kept::checked(run, round);
    let failing =
        checked.as_ref().map(|checked| checked.checks.iter().filter(|c| !c.passed()).count());
    let findings = findings::up_to(run, round);
    let verify = run.turn(round, &VERIFY.into());
    Turn {
        turn: round,
        diff: diff.to_owned(),
        failing,
        checks: checked.map_or(0, |checked| checked.checks.len()),
        open: findings.open().filter(|finding| finding.by == super::ARCHITECT).count(),
        verified: verify.map(|turn| turn.verdict() == Some(Verdict::Ok)),
    }
}

/// The best turn so far.
pub fn best(run: &Run) -> Option<Turn> {
    let weight = |turn: &Turn| (turn.failing.unwrap_or(usize::MAX), turn.open);
    turns(run).into_iter().rev().min_by_key(weight)
}
