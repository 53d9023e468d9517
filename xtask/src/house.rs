//! Where the house stands on this disk, and what lies beside it.
//!
//! Paths come from the manifest of this crate, so that a chore works from any folder and no
//! machine's path is written down anywhere.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// The environment that tells tests where shared test data lies; empty in a clone without it.
pub(crate) fn shared_data() -> Vec<(&'static str, PathBuf)> {
    let Some(data) = root().parent().map(|above| above.join("shared/data")) else {
        return Vec::new();
    };
    [("REDRAFT_TRANSCRIPTS", "transcripts"), ("REDRAFT_WORKSPACES", "workspaces")]
        .into_iter()
        .map(|(name, folder)| (name, data.join(folder)))
        .filter(|(_, folder)| folder.is_dir())
        .collect()
}

/// The folder cargo builds into.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Whether a machine and not a person reads the output: there, a missing tool is an error.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}
