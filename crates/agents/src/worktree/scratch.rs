//! A folder for one short piece of work: an index that stands for no files, and whatever else must not be the user's.
//!
//! Invariant: it stands outside the repository, and is gone when it is dropped.
//! Absent here: what is made in it.

use super::{
    fault::TreeError,
    git::Git,
    root::Root,
    state,
    tree::{blocking, keep_objects_apart},
};
use std::path::PathBuf;
use tempfile::TempDir;

/// The folder, and the repository that commands with its index read.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: TempDir,
    root: Root,
}

impl Scratch {
    pub(super) async fn new(root: &Root) -> Result<Self, TreeError> {
        let wrong = |source| TreeError::file("make a folder in", &std::env::temp_dir())(source);
        let folder = blocking(move || tempfile::tempdir().map_err(wrong)).await?;
        Ok(Self { folder, root: root.clone() })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command with the index of this folder.
    pub(super) fn git(&self, what: &str) -> Git {
        self.root.git(what).env("GIT_INDEX_FILE", self.path("index"))
    }

    /// The same, whose new objects stay in this folder.
    pub(super) fn git_apart(&self, what: &str) -> Result<Git, TreeError> {
        let objects = self.path("objects");
        keep_objects_apart(&self.root, &objects)?;
        Ok(self.git(what).env("GIT_OBJECT_DIRECTORY", objects))
    }

    /// The tree that a diff makes of a commit; git's own words where it does not apply. Its objects are the
    /// repository's from now on.
    pub(super) async fn tree_with(
        &self,
        commit: &str,
        diff: &str,
    ) -> Result<Result<String, String>, TreeError> {
        state::tree_with(|what| self.git(what), commit, diff, &[]).await
    }
}
