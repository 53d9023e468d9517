//! Comparing the workspace's files with what the journal has.

use crate::{
    episode::{Episode, Expected, LARGEST_FILE, Left, View, expected},
    exit::{Code, Failure},
};
use redraft_store::{FileError, Store, WorkspaceFiles};
use redraft_workflows::review::{
    files::{self, FileChange},
    model::Candidate,
};
use std::collections::BTreeMap;

/// Whether a file is there with the bytes that the journal has.
pub(crate) fn is_as_written(
    files: &WorkspaceFiles,
    path: &str,
    expected: &Expected,
) -> Result<bool, Failure> {
    match files.read(path, LARGEST_FILE.max(expected.bytes.len() as u64)) {
        Ok(found) => Ok(found.is_some_and(|found| found == expected.bytes)),
        // A folder in the file's place, or a file that has grown beyond measure, is damage like any other.
        Err(FileError::NotAFile { .. } | FileError::TooLarge { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether somebody changed a file: it is there, and neither as the journal has it nor as a command that was
/// killed may have left it.
pub(crate) fn is_changed(
    files: &WorkspaceFiles,
    path: &str,
    now: &Expected,
    left: &Left,
) -> Result<bool, Failure> {
    let there = files.root().join(path).symlink_metadata().is_ok();
    Ok(there && left.knows(path) && !is_as_written(files, path, now)? && !left.has(files, path)?)
}

/// Refuses to write over a file that is there and is not what the journal wrote: it may be a person's change.
pub(crate) fn check_changes(
    episode: &Episode,
    view: &View,
    places: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<(), Failure> {
    let Some(store) = episode.store()?.filter(|_| view.exists()) else { return Ok(()) };
    let (known, left) = (expected(view, &store)?, Left::of(view, &store, &episode.files)?);
    for place in places {
        let place = place.as_ref();
        if let Some(file) = known.get(place)
            && is_changed(&episode.files, place, file, &left)?
        {
            return Err(differs(&episode.files, place));
        }
    }
    Ok(())
}

/// The files that Redraft stands by, and those of the selection that was taken in with a foreign workspace.
pub(crate) fn known(
    view: &View,
    store: Option<&Store>,
    selected: Option<&Candidate>,
) -> Result<BTreeMap<String, Expected>, Failure> {
    let mut known = match store.filter(|_| view.exists()) {
        Some(store) => expected(view, store)?,
        None => BTreeMap::new(),
    };
    for change in selected.iter().flat_map(|candidate| files::of_selection(candidate)) {
        if let FileChange::Write { path, text } = change {
            let bytes = text.into_bytes();
            known.entry(path).or_insert(Expected { bytes, asset: None, is_input: false });
        }
    }
    Ok(known)
}

/// Refuses to write a selection over a text that stands there and that Redraft did not write: it is a person's.
pub(crate) fn check_selection(
    folder: &WorkspaceFiles,
    known: &BTreeMap<String, Expected>,
    changes: &[FileChange],
) -> Result<(), Failure> {
    for change in changes {
        let (path, text) = match change {
            FileChange::Write { path, text } => (path, Some(text.as_bytes())),
            FileChange::Remove { path } => (path, None),
        };
        let Some(found) = folder.read(path, LARGEST_FILE)? else { continue };
        if !known.contains_key(path) && text != Some(&*found) {
            let place = folder.root().join(path);
            let message = format!("{}: is there, and Redraft did not write it", place.display());
            return Err(Failure::new(Code::Damaged, message)
                .help(format!("take it in as yours: redraft adopt {path}; or move it away")));
        }
    }
    Ok(())
}

/// A file that is not what the journal wrote.
pub(crate) fn differs(files: &WorkspaceFiles, path: &str) -> Failure {
    let place = files.root().join(path);
    let (what, help) = match place.exists() {
        true => (
            "is not what Redraft wrote",
            "redraft repair restores it (and keeps yours beside it); redraft adopt takes your change in",
        ),
        false => ("is missing", "redraft repair restores it"),
    };
    Failure::new(Code::Damaged, format!("{}: {what}", place.display())).help(help)
}
