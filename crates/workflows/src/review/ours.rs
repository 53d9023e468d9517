//! `redraft.json`: what the contract's files have no place for, beside them.
//!
//! Invariant: other implementations can do without it; nothing of theirs depends on it.
//! Absent here: anything that the protocol's own files say.

use super::{
    best::{self, Best},
    findings,
    model::AssetId,
};
use crate::findings::Finding;
use redraft_loop::Run;
use serde::Serialize;

/// The version of the file's format.
pub const OURS_VERSION: u32 = 1;

/// The file `copy/protocol/<asset>/redraft.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ours {
    /// The asset.
    pub asset_id: AssetId,
    /// The best candidate so far; null before the first review.
    pub best: Option<Best>,
    /// All findings with their disputes and how they stand, oldest first.
    pub findings: Vec<Finding>,
    /// The version of this format.
    pub version: u32,
}

impl Ours {
    /// The file of a run.
    pub fn of(asset: &AssetId, run: &Run) -> Self {
        Self {
            asset_id: asset.clone(),
            best: best::of_run(asset, run),
            findings: findings::of_run(run).all().to_vec(),
            version: OURS_VERSION,
        }
    }
}
