//! Comparing the workspace's files with what the journal has.

use crate::{
    episode::{Episode, Expected, LARGEST_FILE, View, expected},
    exit::{Code, Failure},
};
use redraft_store::{FileError, WorkspaceFiles};

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

/// Refuses to write over a file that is there and is not what the journal wrote: it may be a person's change.
pub(crate) fn check_changes(
    episode: &Episode,
    view: &View,
    places: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<(), Failure> {
    let Some(store) = episode.store()?.filter(|_| view.exists()) else { return Ok(()) };
    let known = expected(view, &store)?;
    for place in places {
        let place = place.as_ref();
        if let Some(file) = known.get(place)
            && episode.files.root().join(place).symlink_metadata().is_ok()
            && !is_as_written(&episode.files, place, file)?
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
