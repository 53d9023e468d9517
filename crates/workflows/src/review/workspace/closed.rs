//! Closed records: the reviews of an asset that were decided and then reopened by a person.
//!
//! Invariant: a closed record is numbered from 1 within its asset, keeps its number, and is never opened again.
//! Absent here: what stood in it. Its run tells, or its files do.

use super::{Reopened, Workspace, WorkspaceFact};
use crate::{
    review::{
        files::{self, FileChange},
        json::JsonError,
        model::AssetId,
        protocol::LoopDecision,
    },
    time::rfc3339,
};
use redraft_loop::{Run, RunId};
use serde::Serialize;

/// A closed record of an asset, as `--json` and our own files tell of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Closed {
    /// Its number among the asset's closed records, from 1.
    pub number: u32,
    /// The folder that holds its protocol, relative to the workspace.
    pub folder: String,
    /// The run that played it; `None` where no run of ours did.
    pub run_id: Option<RunId>,
    /// How it was decided.
    pub decision: LoopDecision,
    /// The last iteration that the asset had by then.
    pub last_iteration: u32,
    /// When it was closed, RFC 3339.
    pub reopened_at: String,
    /// Who closed it.
    pub reopened_by: String,
    /// Why.
    pub reason: String,
}

impl Closed {
    fn of(fact: &Reopened) -> Self {
        Self {
            number: fact.number,
            folder: fact.folder(),
            run_id: fact.run.clone(),
            decision: fact.decision.clone(),
            last_iteration: fact.last_iteration,
            reopened_at: rfc3339(fact.at),
            reopened_by: fact.by.clone(),
            reason: fact.reason.clone(),
        }
    }
}

impl Reopened {
    /// The folder that holds the closed protocol.
    pub fn folder(&self) -> String {
        closed_folder(&self.asset_id, self.number)
    }

    /// The files of the closed record that its run wrote, where they stand from now on.
    ///
    /// # Errors
    /// [`JsonError`] for values that JSON cannot hold.
    pub fn files_of(&self, run: &Run) -> Result<Vec<FileChange>, JsonError> {
        let written = files::of_protocol(&self.asset_id, run, run.opened().past.len())?;
        let moved = |change| match change {
            FileChange::Write { path, text } => {
                FileChange::Write { path: self.closed_path(&path), text }
            }
            FileChange::Remove { path } => FileChange::Remove { path: self.closed_path(&path) },
        };
        Ok(written.into_iter().map(moved).collect())
    }

    /// Where a file of the protocol stands once the record is closed.
    pub fn closed_path(&self, path: &str) -> String {
        let name = path.rsplit('/').next().unwrap_or(path);
        format!("{}/{name}", self.folder())
    }
}

/// Whether a file of this name in an asset's protocol folder belongs to the record.
pub fn is_of_record(name: &str) -> bool {
    ["state.json", "redraft.json"].contains(&name)
        || (name.starts_with("iteration_") && name.ends_with(".json"))
}

/// The folder of an asset's closed record.
pub fn closed_folder(asset: &AssetId, number: u32) -> String {
    format!("copy/protocol/{asset}/closed_{number:02}")
}

impl Workspace {
    /// The closed records of an asset, oldest first.
    pub fn closed(&self, asset: &AssetId) -> Vec<Closed> {
        self.facts.iter().filter_map(|fact| fact.reopening(asset)).map(Closed::of).collect()
    }

    /// The reopening that the asset's present record began with, if any.
    pub fn reopened(&self, asset: &AssetId) -> Option<&Reopened> {
        self.facts.iter().rev().find_map(|fact| fact.reopening(asset))
    }

    /// Whether a run's record was closed.
    pub fn is_closed(&self, run: &RunId) -> bool {
        let closes = |fact: &WorkspaceFact| matches!(fact, WorkspaceFact::Reopened(reopened) if reopened.run.as_ref() == Some(run));
        self.facts.iter().any(closes)
    }
}

impl WorkspaceFact {
    /// The reopening, where the fact is one of this asset.
    pub(super) fn reopening(&self, asset: &AssetId) -> Option<&Reopened> {
        if let Self::Reopened(reopened) = self {
            Some(reopened).filter(|reopened| reopened.asset_id == *asset)
        } else {
            None
        }
    }
}
