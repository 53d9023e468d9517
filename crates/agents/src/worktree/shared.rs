//! What all worktrees of a repository share and no change may touch: its configuration and its hooks.
//!
//! A program that works in one worktree can reach them, since it has the user's rights; then it is told, by name.
//!
//! Absent here: putting them back. The user may have changed them meanwhile.

use super::protected::{Refusal, shown};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Path, PathBuf},
};

/// The files and folders of git's own that are looked at.
const LOOKED_AT: [&str; 4] = ["config", "config.worktree", "hooks", "info"];

/// How they stood at some moment: mode and SHA-256 by path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shared(BTreeMap<PathBuf, (u32, Vec<u8>)>);

impl Shared {
    pub(super) fn of(common: &Path) -> Self {
        let mut found = BTreeMap::new();
        LOOKED_AT.iter().for_each(|name| look(&common.join(name), &mut found));
        Self(found)
    }

    /// Whether they stand as they did.
    pub(super) fn check_same(&self, now: &Self) -> Result<(), Refusal> {
        let paths = self.0.keys().chain(now.0.keys());
        let mut changed = paths.filter(|path| self.0.get(*path) != now.0.get(*path));
        match changed.next() {
            Some(path) => Err(Refusal::Shared { path: shown(path.as_os_str().as_bytes()) }),
            None => Ok(()),
        }
    }
}

fn look(path: &Path, found: &mut BTreeMap<PathBuf, (u32, Vec<u8>)>) {
    let Ok(at) = fs::symlink_metadata(path) else { return };
    if at.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| look(&entry.path(), found));
        return;
    }
    let content = match at.is_symlink() {
        true => fs::read_link(path).map(|target| target.as_os_str().as_bytes().to_vec()),
        false if at.is_file() => fs::read(path),
        false => Ok(Vec::new()),
    };
    let digest = Sha256::digest(content.unwrap_or_default()).to_vec();
    found.insert(path.to_owned(), (at.permissions().mode(), digest));
}
