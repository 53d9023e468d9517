//! The contract's documents, from text to checked values.
//!
//! Invariant: a document of another version is told as such, before any complaint about its fields.
//! Absent here: which file a text came from; the caller adds it.

use super::{
    json::{self, JsonError},
    model::{Candidate, EpisodeWorkspace, ModelError, ReviewIteration},
    protocol::{ProtocolIteration, ProtocolState},
};
use serde::{Deserialize, de::DeserializeOwned};

/// Why a document cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DocumentError {
    /// It does not parse.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// It parses and breaks a rule.
    #[error(transparent)]
    Model(#[from] ModelError),
}

#[derive(Deserialize)]
struct Versions {
    schema_version: Option<u64>,
    version: Option<u64>,
}

/// Reads `state.json`.
///
/// # Errors
/// [`DocumentError`] with the place in the document.
pub fn episode_workspace(text: &str) -> Result<EpisodeWorkspace, DocumentError> {
    let workspace: EpisodeWorkspace = versioned(text)?;
    workspace.check()?;
    Ok(workspace)
}

/// Reads `copy/protocol/<asset>/state.json`.
///
/// # Errors
/// [`DocumentError`] with the place in the document.
pub fn protocol_state(text: &str) -> Result<ProtocolState, DocumentError> {
    let state: ProtocolState = versioned(text)?;
    state.check()?;
    Ok(state)
}

/// Reads `copy/protocol/<asset>/iteration_NN.json`.
///
/// # Errors
/// [`DocumentError`] with the place in the document.
pub fn protocol_iteration(text: &str) -> Result<ProtocolIteration, DocumentError> {
    let iteration: ProtocolIteration = versioned(text)?;
    iteration.reviewer.check("reviewer")?;
    Ok(iteration)
}

/// Reads a candidate's file.
///
/// # Errors
/// [`DocumentError`] with the place in the document.
pub fn candidate(text: &str) -> Result<Candidate, DocumentError> {
    Ok(json::read(text)?)
}

/// Reads a review's file.
///
/// # Errors
/// [`DocumentError`] with the place in the document.
pub fn review(text: &str) -> Result<ReviewIteration, DocumentError> {
    let review: ReviewIteration = json::read(text)?;
    review.check("review")?;
    Ok(review)
}

fn versioned<T: DeserializeOwned>(text: &str) -> Result<T, DocumentError> {
    if let Ok(versions) = json::read::<Versions>(text) {
        match versions {
            Versions { schema_version: Some(other), .. } if other != 1 => {
                return Err(ModelError::SchemaVersion(other).into());
            }
            Versions { version: Some(other), .. } if other != 1 => {
                return Err(ModelError::Version(other).into());
            }
            Versions { .. } => {}
        }
    }
    Ok(json::read(text)?)
}
