//! The best candidate so far: what a person is offered when both sides do not agree.
//!
//! Invariant: fewest open errors win, then fewest warnings, then the newest.
//! Absent here: choosing it. A person does that.

use super::{
    model::AssetId,
    reply,
    shape::{CREATE, REVIEW},
};
use redraft_loop::{Run, Severity, Turn};
use serde::Serialize;
use uuid::Uuid;

/// A reviewed candidate and what was held against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Best {
    /// The iteration that wrote it.
    pub iteration: u32,
    /// Its id.
    pub candidate_id: Uuid,
    /// Issues of its review that block.
    pub errors: usize,
    /// Issues of its review that do not.
    pub warnings: usize,
}

/// The best candidate of a run; `None` before the first review.
pub fn of_run(asset: &AssetId, run: &Run) -> Option<Best> {
    let reviews = run.turns().iter().rev().filter(|turn| turn.step.as_str() == REVIEW);
    let judged = reviews.filter_map(|review| judged(asset, run, review));
    judged.min_by_key(|best| (best.errors, best.warnings))
}

fn judged(asset: &AssetId, run: &Run, review: &Turn) -> Option<Best> {
    let created = run.turn(review.round, &CREATE.into())?;
    let candidate = reply::candidate_of(asset, created.readings.first()?)?;
    let errors = review.issues().filter(|issue| issue.severity >= Severity::Error).count();
    Some(Best {
        iteration: review.round,
        candidate_id: candidate.candidate_id,
        errors,
        warnings: review.issues().count() - errors,
    })
}
