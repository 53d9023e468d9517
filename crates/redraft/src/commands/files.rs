//! Comparing the workspace's files with what the journal has.

use crate::{
    episode::{Episode, Expected, LARGEST_FILE, View, expected, left},
    exit::{Code, Failure},
};
use redraft_store::{FileError, WorkspaceFiles};
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
    left: &BTreeMap<String, Expected>,
) -> Result<bool, Failure> {
    let there = files.root().join(path).symlink_metadata().is_ok();
    Ok(there
        && left.contains_key(path)
        && !is_as_written(files, path, now)?
        && !is_left(files, path, left)?)
}

/// Whether a file is as a command that was killed left it.
pub(crate) fn is_left(
    files: &WorkspaceFiles,
    path: &str,
    left: &BTreeMap<String, Expected>,
) -> Result<bool, Failure> {
    left.get(path).map_or(Ok(false), |before| is_as_written(files, path, before))
}

/// Refuses to write over a file that is there and is not what the journal wrote: it may be a person's change.
pub(crate) fn check_changes(
    episode: &Episode,
    view: &View,
    places: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<(), Failure> {
    let Some(store) = episode.store()?.filter(|_| view.exists()) else { return Ok(()) };
    let (known, left) = (expected(view, &store)?, left(view, &store)?);
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

/// A file that is not what the journal wrote.
pub(crate) fn differs(files: &WorkspaceFiles, path: &str) -> Failure {
    let place = files.root().join(path);
    let what = if place.exists() { "is not what Redraft wrote" } else { "is missing" };
    Failure::new(Code::Damaged, format!("{}: {what}", place.display()))
        .help("redraft repair restores it (and keeps yours beside it); redraft adopt takes your change in")
}
