//! The contract's domain model: candidates, reviews, assets and the episode's `state.json`.
//!
//! Invariant: a value that passed `check` keeps every rule of the podcast contract §1; unknown fields are
//! refused. Fields stand in alphabetical order, which is the order they are written in.
//! Absent here: files. See `json` for text and `files` for paths.

mod asset;
mod candidate;
mod ids;
mod review;
mod workspace;

pub use asset::Asset;
pub use candidate::{Candidate, ProvenanceRef, TextFormat};
pub use ids::{ASSET_KINDS, AssetId, LOCKED_SELECTIONS};
pub(in crate::review) use review::check_iteration;
pub use review::{IssueSeverity, ReviewIssue, ReviewIteration};
pub use workspace::{Chapter, EpisodeWorkspace, Track, check_episode_id};

/// The only `schema_version` of `state.json` and `episode.yaml` that is known.
pub const SCHEMA_VERSION: u32 = 1;

/// What is wrong with a document that parsed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// In the contract's words.
    #[error("asset_id must match ^[a-z][a-z0-9_]*$ and have at most 128 characters, not {0:?}")]
    AssetId(String),
    /// In the contract's words.
    #[error("Unsupported schema_version {0}; expected {SCHEMA_VERSION}")]
    SchemaVersion(u64),
    /// In the contract's words.
    #[error("Unsupported version {0}; expected 1")]
    Version(u64),
    /// A rule of the contract is broken.
    #[error("{path}: {rule}")]
    Rule {
        /// Where in the document.
        path: String,
        /// Which rule.
        rule: String,
    },
}

fn broken(path: impl Into<String>, rule: impl Into<String>) -> ModelError {
    ModelError::Rule { path: path.into(), rule: rule.into() }
}
