//! Temporary files stand beside the file they will become, and are told from abandoned ones.
//!
//! Invariant: whoever uses a temporary file holds a lock on it; one without a holder was left by a
//! process that was killed and may be removed by anybody.
//! Absent here: syncing.

use crate::lock::is_still;
use std::fs::{self, File};
use std::io::{Result, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// How the names of temporary files begin.
pub(crate) const PREFIX: &str = ".redraft-tmp-";

/// A new temporary file with these bytes, in this folder, removed when dropped.
pub(crate) fn write(
    folder: &Path,
    bytes: &[u8],
    like: Option<&fs::Metadata>,
) -> Result<NamedTempFile> {
    loop {
        let mut file = create(folder)?;
        // Somebody who cleans up may be quicker than our lock: then this file is lost.
        if file.as_file().try_lock().is_err() || !is_still(file.path(), file.as_file())? {
            continue;
        }
        file.write_all(bytes)?;
        if let Some(like) = like {
            file.as_file().set_permissions(like.permissions())?;
        }
        return Ok(file);
    }
}

#[cfg(unix)]
fn create(folder: &Path) -> Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    // The umask takes its part of it.
    let mode = fs::Permissions::from_mode(0o644);
    tempfile::Builder::new().prefix(PREFIX).permissions(mode).tempfile_in(folder)
}

#[cfg(not(unix))]
fn create(folder: &Path) -> Result<NamedTempFile> {
    tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder)
}

/// Removes temporary files that nobody uses any more; gives how many.
pub(crate) fn clean(folder: &Path) -> Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if ours && entry.file_type()?.is_file() {
            removed += usize::from(remove_abandoned(&entry.path()));
        }
    }
    Ok(removed)
}

/// The lock is held until the file is gone; else its user could come in between.
fn remove_abandoned(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => file.try_lock().is_ok() && fs::remove_file(path).is_ok(),
        Err(_) => false,
    }
}
