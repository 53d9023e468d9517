//! What a run was opened with: its configuration as the journal keeps it.
//!
//! Invariant: the same configuration has the same hash, whatever the run is about.
//! Absent here: the request, and limits that were changed later.

use redraft_loop::{CastMember, Hash, Opened, Shape, Source};
use serde::Serialize;

/// What a run was opened with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setup {
    /// Steps, rules and limits.
    pub shape: Shape,
    /// Who plays which role.
    pub cast: Vec<CastMember>,
    /// Versions and hashes of what the run works with.
    pub sources: Vec<Source>,
}

impl Setup {
    pub(super) fn of(opened: &Opened) -> Self {
        Self {
            shape: opened.shape.clone(),
            cast: opened.cast.clone(),
            sources: opened.sources.clone(),
        }
    }

    /// The SHA-256 of its JSON, whose fields stand in the order of the type.
    pub(super) fn sha256(&self) -> Hash {
        // Fields and lists alone: there is no map whose keys could stand in another order, or be no text.
        crate::sha256(serde_json::to_vec(self).unwrap_or_default())
    }
}
