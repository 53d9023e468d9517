//! An asset: everything that was written and said about one text.
//!
//! Invariant: candidates have unique ids, iterations strictly increase, and the selection exists.

use super::{AssetId, Candidate, ModelError, ReviewIteration, broken};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use uuid::Uuid;

/// An asset with everything that was written and said about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asset {
    /// Its id.
    pub asset_id: AssetId,
    /// Its candidates.
    #[serde(default)]
    pub candidates: Vec<Candidate>,
    /// Its kind, where it is a known one.
    #[serde(default)]
    pub kind: Option<String>,
    /// Its reviews, iterations strictly increasing.
    #[serde(default)]
    pub reviews: Vec<ReviewIteration>,
    /// The candidate that was selected.
    #[serde(default)]
    pub selected_candidate_id: Option<Uuid>,
}

impl Asset {
    /// An asset about which nothing is known yet.
    pub fn new(asset_id: AssetId) -> Self {
        let kind = asset_id.kind();
        Self {
            asset_id,
            candidates: Vec::new(),
            kind,
            reviews: Vec::new(),
            selected_candidate_id: None,
        }
    }

    /// The selected candidate.
    pub fn selected(&self) -> Option<&Candidate> {
        let id = self.selected_candidate_id?;
        self.candidates.iter().find(|candidate| candidate.candidate_id == id)
    }

    /// The newest candidate by `(created_at, candidate_id)`: the seed of a run (contract §3.2).
    pub fn newest_candidate(&self) -> Option<&Candidate> {
        self.candidates
            .iter()
            .max_by_key(|candidate| (candidate.created_at, candidate.candidate_id))
    }

    pub(super) fn check(&self, path: &str) -> Result<(), ModelError> {
        let id = self.asset_id.as_str();
        if self.kind.as_ref().is_some_and(|kind| kind != id) {
            return Err(broken(format!("{path}.kind"), format!("must equal asset_id {id}")));
        }
        if self.kind.is_some() && self.asset_id.kind().is_none() {
            return Err(broken(format!("{path}.kind"), "is no known asset kind"));
        }
        self.check_candidates(path)?;
        for (n, review) in self.reviews.iter().enumerate() {
            review.check(&format!("{path}.reviews[{n}]"))?;
        }
        if !self.reviews.is_sorted_by(|a, b| a.iteration < b.iteration) {
            return Err(broken(format!("{path}.reviews"), "iterations must strictly increase"));
        }
        Ok(())
    }

    fn check_candidates(&self, path: &str) -> Result<(), ModelError> {
        let mut seen = BTreeSet::new();
        for (n, candidate) in self.candidates.iter().enumerate() {
            if candidate.asset_id != self.asset_id {
                let path = format!("{path}.candidates[{n}].asset_id");
                return Err(broken(path, format!("must be {}", self.asset_id)));
            }
            if !seen.insert(candidate.candidate_id) {
                let path = format!("{path}.candidates[{n}].candidate_id");
                return Err(broken(path, format!("{} is used twice", candidate.candidate_id)));
            }
        }
        match self.selected_candidate_id {
            Some(id) if !seen.contains(&id) => Err(broken(
                format!("{path}.selected_candidate_id"),
                format!("{id} is no candidate of the asset"),
            )),
            Some(_) | None => Ok(()),
        }
    }
}
