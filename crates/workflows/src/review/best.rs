//! The best candidate so far: what a person is offered when both sides do not agree.
//!
//! Invariant: a candidate without a text is never offered. Fewest open errors win, then fewest warnings, then the newest.
//! Absent here: choosing it. A person does that.

use super::{
    findings, kept,
    model::AssetId,
    shape::{CREATE, REVIEW},
};
use crate::findings::Findings;
use redraft_loop::{Run, Severity, Turn, Verdict};
use serde::Serialize;
use uuid::Uuid;

/// A reviewed candidate and what was held against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Best {
    /// The iteration that wrote it.
    pub iteration: u32,
    /// Its id.
    pub candidate_id: Uuid,
    /// Findings that stood open against it and block.
    pub errors: usize,
    /// Findings that stood open against it and do not.
    pub warnings: usize,
}

/// The best candidate of a run; `None` before the first review that somebody gave.
pub fn of_run(asset: &AssetId, run: &Run) -> Option<Best> {
    let (mut findings, mut best) = (Findings::default(), None);
    for turn in run.turns() {
        findings::fold(&mut findings, turn);
        let Some(judged) = judged(asset, run, turn, &findings) else { continue };
        best = best.filter(|(key, _)| *key < judged.0).or(Some(judged));
    }
    best.map(|(_, best)| best)
}

/// The candidate that a turn reviews, and how it ranks; `None` where nobody could review it, or it is empty.
fn judged(
    asset: &AssetId,
    run: &Run,
    turn: &Turn,
    findings: &Findings,
) -> Option<((usize, usize, bool), Best)> {
    let is_review = turn.step.as_str() == REVIEW && !turn.readings.iter().any(kept::stands_in);
    let verdict = turn.verdict().filter(|_| is_review)?;
    let created = run.turn(turn.round, &CREATE.into())?;
    let candidate = kept::candidate_of(asset, created.readings.first()?)?;
    if !candidate.has_text() {
        return None;
    }
    let errors = findings.open().filter(|f| f.severity >= Severity::Error).count();
    let warnings = findings.open().count() - errors;
    let (iteration, candidate_id) = (turn.round, candidate.candidate_id);
    // A review may ask for changes and name none.
    let key = (errors, warnings, verdict != Verdict::Ok);
    Some((key, Best { iteration, candidate_id, errors, warnings }))
}
