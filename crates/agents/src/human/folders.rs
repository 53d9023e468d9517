//! The folders of a person's files: made where they are missing, refused where they are links.
//!
//! Invariant: nothing is made behind a link at or below the root.
//! Absent here: what lies above the root, which is where whoever runs us put it.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

/// Makes `root` and the folders of `inner` below it, up to the first that is a link, which is told.
pub(super) fn make(root: &Path, inner: &Path) -> io::Result<Option<PathBuf>> {
    if let Some(above) = root.parent() {
        fs::create_dir_all(above)?;
    }
    let mut folder = root.to_owned();
    let mut names = inner.components();
    loop {
        if let Some(link) = link(&folder) {
            return Ok(Some(link));
        }
        make_one(&folder)?;
        let Some(name) = names.next() else { return Ok(None) };
        folder.push(name);
    }
}

/// The path, when a link stands there.
pub(super) fn link(path: &Path) -> Option<PathBuf> {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()).then(|| path.to_owned())
}

fn make_one(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made,
    }
}
