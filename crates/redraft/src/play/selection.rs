//! The selection that stands before a review: what it locks, and whose text it is.
//!
//! Invariant: a text that Redraft did not write is never written over.
//! Absent here: selecting.

use crate::{
    commands,
    episode::{Shared, View, read_text},
    exit::{Code, Failure},
};
use redraft_store::WorkspaceFiles;
use redraft_workflows::review::{
    LockedSelection,
    files::{self, FileChange},
    model::{AssetId, TextFormat},
};

/// The selection that binds an asset's candidates, if any (contract §3.5).
pub(crate) fn locked(
    asset: &AssetId,
    files: &WorkspaceFiles,
    view: &View,
) -> Result<Option<LockedSelection>, Failure> {
    match asset.locks_selection() && view.released(asset).is_none() {
        true => selection(asset, files, view),
        false => Ok(None),
    }
}

/// The selection by the journal, or in any format by a file.
pub(crate) fn selection(
    asset: &AssetId,
    folder: &WorkspaceFiles,
    view: &View,
) -> Result<Option<LockedSelection>, Failure> {
    let state = view.state()?;
    if let Some(candidate) = state.asset(asset).and_then(|asset| asset.selected()) {
        let file = files::selection_path(asset, candidate.format);
        return Ok(Some(LockedSelection { file, text: candidate.content.clone() }));
    }
    for format in TextFormat::ALL {
        let file = files::selection_path(asset, format);
        if let Some(text) = read_text(folder, &file, Code::Damaged)? {
            return Ok(Some(LockedSelection { file, text }));
        }
    }
    Ok(None)
}

/// A text that stands where the selection will go, and that Redraft did not write, is a person's. Where a selection
/// is locked it is the lock itself; elsewhere it would be written over.
pub(super) async fn check_selection(asset: &AssetId, shared: &Shared) -> Result<(), Failure> {
    let view = shared.view.lock().await;
    match locked(asset, &shared.files, &view)? {
        Some(_) => Ok(()),
        None => check_texts(asset, shared, &view),
    }
}

/// The same whether or not a selection is locked.
pub(super) fn check_texts(asset: &AssetId, shared: &Shared, view: &View) -> Result<(), Failure> {
    let state = view.state()?;
    let selected = state.asset(asset).and_then(|asset| asset.selected());
    let written = commands::files::known(view, Some(&shared.desk.store), selected)?;
    let places: Vec<FileChange> = TextFormat::ALL
        .iter()
        .map(|format| FileChange::Remove { path: files::selection_path(asset, *format) })
        .collect();
    commands::files::check_selection(&shared.files, &written, &places)
}
