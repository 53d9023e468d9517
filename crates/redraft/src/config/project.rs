//! Which project a folder belongs to: the nearest one upward that holds the project's file.
//!
//! Absent here: reading the file.

use std::{
    io,
    path::{Path, PathBuf},
};

/// The name of a project's file.
pub(super) const PROJECT_FILE: &str = "redraft.toml";

/// A folder without links, as far as it exists.
pub(crate) fn real_folder(folder: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(folder)?;
    let known = path.ancestors().find_map(|folder| folder.canonicalize().ok());
    Ok(known.unwrap_or(path))
}

/// The nearest folder from a real one upward that holds a project's file, be it a link that leads nowhere: that is
/// told as a fault, and not passed over for a file above it.
pub(crate) fn project_folder(real: &Path) -> Option<&Path> {
    real.ancestors().find(|folder| folder.join(PROJECT_FILE).symlink_metadata().is_ok())
}
