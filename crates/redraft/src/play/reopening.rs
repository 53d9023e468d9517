//! Letting go before a review: a decided record is closed, a locked selection released. Both are a person's doing.
//!
//! Invariant: the fact is durable before a file moves, and a record is closed once, whoever asks for it.
//! Absent here: whether a person may ask for it; the command has looked.

use super::selection::{check_selection, check_texts};
use crate::{
    clock,
    episode::{Shared, View, read_text},
    exit::{Code, Failure},
};
use redraft_engine::sha256;
use redraft_workflows::review::{
    files::FileChange,
    model::AssetId,
    protocol::LoopDecision,
    workspace::{Released, Reopened, WorkspaceFact, is_of_record},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::ErrorKind,
};

/// What a person lets go of before the assets are reviewed.
#[derive(Clone)]
pub(crate) struct Reopening {
    pub(crate) by: String,
    pub(crate) reason: String,
    /// The records to close, each with the number that it gets.
    pub(crate) records: BTreeMap<AssetId, u32>,
    /// The assets whose locked selection is released.
    pub(crate) selections: BTreeSet<AssetId>,
}

/// Does what is wanted for one asset. The caller holds the asset's lock.
pub(super) async fn let_go(
    asset: &AssetId,
    reopening: &Reopening,
    shared: &Shared,
) -> Result<(), Failure> {
    if reopening.selections.contains(asset) {
        release(asset, reopening, shared).await?;
    }
    match reopening.records.get(asset) {
        Some(number) => close(asset, *number, reopening, shared).await,
        None => Ok(()),
    }
}

async fn release(asset: &AssetId, reopening: &Reopening, shared: &Shared) -> Result<(), Failure> {
    let mut view = shared.view.lock().await;
    view.refresh(&shared.desk.store, &shared.desk.key)?;
    // A text that only stands in its file would be written over by the next selection.
    check_texts(asset, shared, &view)?;
    if view.released(asset).is_some() {
        return Ok(());
    }
    let (at, by, asset_id) = (clock::now(), reopening.by.clone(), asset.clone());
    let fact = WorkspaceFact::Released(Released { at, by, asset_id });
    shared.desk.append(&fact, Vec::new()).await?;
    view.refresh(&shared.desk.store, &shared.desk.key)
}

async fn close(
    asset: &AssetId,
    number: u32,
    reopening: &Reopening,
    shared: &Shared,
) -> Result<(), Failure> {
    let closing = {
        let view = shared.view.lock().await;
        if let Some(other) = view.workspace.reopened(asset).filter(|other| other.number >= number) {
            let message =
                format!("{asset}: was reopened meanwhile, by {}: {}", other.by, other.reason);
            return Err(Failure::usage(message).help("leave --reopen out to see how it stands"));
        }
        let Some(decision) = view.decision(asset) else { return Ok(()) };
        closing(asset, number, decision, reopening, &view, shared)?
    };
    let Closing { fact, contents, changes } = closing;
    // What cannot be done is found out before the fact stands.
    check_selection(asset, shared).await?;
    shared.record(None, &WorkspaceFact::Reopened(fact), contents, &changes).await
}

/// A reopening: its fact, the contents that it captures, and the files that move.
struct Closing {
    fact: Reopened,
    contents: Vec<Vec<u8>>,
    changes: Vec<FileChange>,
}

fn closing(
    asset: &AssetId,
    number: u32,
    decision: LoopDecision,
    reopening: &Reopening,
    view: &View,
    shared: &Shared,
) -> Result<Closing, Failure> {
    let stored = view.current_run(asset);
    let mut fact = Reopened {
        at: clock::now(),
        by: reopening.by.clone(),
        reason: reopening.reason.clone(),
        asset_id: asset.clone(),
        number,
        run: stored.map(|stored| stored.id.clone()),
        decision,
        last_iteration: view.last_iteration(asset)?,
        files: BTreeMap::new(),
    };
    let mut changes = match stored {
        Some(stored) => fact.files_of(&stored.run),
        None => Ok(Vec::new()),
    }
    .map_err(|error| Failure::of(Code::Failure, &error))?;
    let written: BTreeSet<String> = changes.iter().map(|c| c.path().to_owned()).collect();
    let mut contents = Vec::new();
    for (path, text) in record_files(asset, shared)? {
        let closed = fact.closed_path(&path);
        changes.push(FileChange::Remove { path: path.clone() });
        if !written.contains(&closed) {
            fact.files.insert(path, sha256(&text));
            contents.push(text.clone().into_bytes());
            changes.push(FileChange::Write { path: closed, text });
        }
    }
    Ok(Closing { fact, contents, changes })
}

/// The files of the asset's record as they stand, path to text.
fn record_files(asset: &AssetId, shared: &Shared) -> Result<BTreeMap<String, String>, Failure> {
    let folder = format!("copy/protocol/{asset}");
    let place = shared.files.resolve(&folder)?;
    let unreadable = |error: std::io::Error| Failure::in_file(Code::Failure, &place, &error);
    let entries = match std::fs::read_dir(&place) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
        other => other.map_err(unreadable)?,
    };
    let mut files = BTreeMap::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_of_record(&name) {
            continue;
        }
        if !entry.file_type().map_err(unreadable)?.is_file() {
            let message = format!("{}: not a regular file", entry.path().display());
            return Err(Failure::new(Code::Damaged, message));
        }
        let path = format!("{folder}/{name}");
        if let Some(text) = read_text(&shared.files, &path, Code::Damaged)? {
            files.insert(path, text);
        }
    }
    Ok(files)
}
