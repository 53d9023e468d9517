//! The facts of a workspace's own stream, versioned as a run's are.
//!
//! Invariant: the format only grows; an unknown field or version is refused.
//! Absent here: what they add up to.

use crate::review::{
    model::{AssetId, Candidate, Chapter, EpisodeWorkspace, Track},
    protocol::{LoopDecision, ProtocolState},
};
use jiff::Timestamp;
use redraft_loop::{Hash, RunId, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// One entry of a workspace's stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceFact {
    /// The workspace was made.
    Created(Created),
    /// A transcript was taken in.
    Ingested(Ingested),
    /// The transcript was summarised.
    Summarised(Summarised),
    /// Selected texts and chapters were written for publishers.
    Exported(Exported),
    /// Candidates were written outside a run.
    Drafted(Drafted),
    /// A person selected a candidate.
    Picked(Picked),
    /// A workspace without a journal was taken in as it stood.
    Adopted(Box<Adopted>),
    /// A person's change of one file was taken in.
    FileAdopted(FileAdopted),
    /// A run was decided.
    RunEnded(RunEnded),
    /// A person closed a decided record, so that the asset is reviewed again.
    Reopened(Reopened),
    /// A person let a locked selection go.
    Released(Released),
    /// All files were synced while the runs stood at these facts.
    Synced(Synced),
}

/// The workspace was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Created {
    /// When, as `state.json` says it.
    pub created_at: Timestamp,
    /// The episode.
    pub episode_id: String,
    /// The folder as it was given.
    pub root_dir: String,
    /// Files that were written with it, path to text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// A transcript was taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ingested {
    /// When.
    pub at: Time,
    /// The transcript as it was given.
    pub source: SourceFile,
    /// Its chapters.
    pub chapters: Vec<Chapter>,
    /// Its tracks.
    pub tracks: Vec<Track>,
    /// What was written, path to the SHA-256 of a captured content.
    pub files: BTreeMap<String, Hash>,
}

/// A file that a person gave; its bytes are captured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// Its name, which tells its format.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: Hash,
}

/// The transcript was summarised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summarised {
    /// When.
    pub at: Time,
    /// Which agent did it.
    pub by: String,
    /// What was written, path to the SHA-256 of a captured content.
    pub files: BTreeMap<String, Hash>,
}

/// Selected texts and chapters were written for publishers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exported {
    /// When.
    pub at: Time,
    /// The candidates that were selected then and gave a text, by asset.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub candidates: BTreeMap<AssetId, Uuid>,
    /// What was written, path to the SHA-256 of a captured content.
    pub files: BTreeMap<String, Hash>,
}

/// Candidates were written outside a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drafted {
    /// When.
    pub at: Time,
    /// Which agent did it.
    pub by: String,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

/// A person selected a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picked {
    /// When.
    pub at: Time,
    /// Who.
    pub by: String,
    /// The asset.
    pub asset_id: AssetId,
    /// The candidate.
    pub candidate_id: Uuid,
}

/// A workspace without a journal was taken in as it stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adopted {
    /// When.
    pub at: Time,
    /// Its `state.json`.
    pub state: EpisodeWorkspace,
    /// Its loop protocols.
    pub protocols: Vec<ProtocolState>,
    /// Its selections, path to the SHA-256 of a captured content.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Hash>,
}

/// A person's change of one file was taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileAdopted {
    /// When.
    pub at: Time,
    /// Who.
    pub by: String,
    /// The file.
    pub path: String,
    /// The SHA-256 of its captured content; `None` where the person removed it.
    pub sha256: Option<Hash>,
}

/// A run was decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunEnded {
    /// The run.
    pub run: RunId,
    /// What it was about.
    pub asset_id: AssetId,
}

/// A person closed the decided record of an asset, so that it is reviewed again. Its protocol stands in
/// `copy/protocol/<asset>/closed_NN/` from then on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reopened {
    /// When.
    pub at: Time,
    /// Who.
    pub by: String,
    /// Why.
    pub reason: String,
    /// The asset.
    pub asset_id: AssetId,
    /// The number of the closed record among those of the asset, from 1.
    pub number: u32,
    /// The run that was closed; `None` where no run of ours played it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// How it was decided.
    pub decision: LoopDecision,
    /// The last iteration that the asset had by then; the next one is one more.
    pub last_iteration: u32,
    /// The files of the record that no run of ours wrote, path before the closing to the SHA-256 of a captured
    /// content.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Hash>,
}

/// A person let a locked selection go: until something is selected anew, no candidate is held to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Released {
    /// When.
    pub at: Time,
    /// Who.
    pub by: String,
    /// The asset.
    pub asset_id: AssetId,
}

/// All files were synced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Synced {
    /// How many facts each run held, and with them their files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub runs: BTreeMap<RunId, u64>,
    /// How many facts the workspace's own stream held, and with them their files.
    #[serde(default)]
    pub workspace: u64,
}

/// The version of the workspace's facts that is written. Version 2 added `exported`, `reopened` and `released`.
const FACT_VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Versioned<T> {
    v: u32,
    fact: T,
}

/// Writes a fact as its stream keeps it.
///
/// # Errors
/// The writer's message.
pub fn encode(fact: &WorkspaceFact) -> Result<String, String> {
    serde_json::to_string(&Versioned { v: FACT_VERSION, fact }).map_err(|error| error.to_string())
}

/// Why a fact of the workspace cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A later version of the program wrote it.
    #[error("version {0} of the format is not known here; use a newer redraft")]
    Version(u32),
    /// It is not what any version writes.
    #[error("{0}")]
    Form(String),
}

/// Reads a fact as its stream keeps it.
///
/// # Errors
/// [`DecodeError`]; a newer version is told apart from damage.
pub fn decode(text: &str) -> Result<WorkspaceFact, DecodeError> {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    let form = |error: serde_json::Error| DecodeError::Form(error.to_string());
    let version: Version = serde_json::from_str(text).map_err(form)?;
    if !(1..=FACT_VERSION).contains(&version.v) {
        return Err(DecodeError::Version(version.v));
    }
    let known: Versioned<WorkspaceFact> = serde_json::from_str(text).map_err(form)?;
    Ok(known.fact)
}

impl WorkspaceFact {
    /// Whether files follow from the fact itself, rather than from a run.
    pub fn has_files(&self) -> bool {
        match self {
            Self::Created(_)
            | Self::Ingested(_)
            | Self::Summarised(_)
            | Self::Exported(_)
            | Self::Drafted(_)
            | Self::Picked(_)
            | Self::FileAdopted(_)
            | Self::Reopened(_) => true,
            Self::Adopted(_) | Self::RunEnded(_) | Self::Released(_) | Self::Synced(_) => false,
        }
    }
}
