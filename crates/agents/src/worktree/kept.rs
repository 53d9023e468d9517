//! What stood in the user's files before a diff was written to them, so that a write that breaks off can be undone.
//!
//! Git takes all files away that it changes before it makes the first of them anew. Where it then fails, edits that were
//! never committed would be lost.
//!
//! Invariant: a folder that has something in it is never removed.
//! Absent here: times, owners and other names of a file; git does not keep them either when it writes one anew.

use super::{fault::TreeError, state::below};
use std::{
    collections::BTreeSet,
    fs::{self, Permissions},
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// What stands at one path.
#[derive(Debug, PartialEq, Eq)]
enum Stood {
    Nothing,
    File {
        bytes: Vec<u8>,
        mode: Permissions,
    },
    Link {
        target: PathBuf,
    },
    /// A folder, or something that no diff can change.
    Other,
}

/// What stood at all paths of a diff.
#[derive(Debug)]
pub(super) struct Kept {
    stood: Vec<(PathBuf, Stood)>,
    /// Folders that were not there; the deepest come last.
    absent: BTreeSet<PathBuf>,
}

impl Kept {
    /// What stands at these paths below the folder.
    pub(super) fn of(folder: &Path, paths: &[Vec<u8>]) -> Result<Self, TreeError> {
        let mut kept = Self { stood: Vec::new(), absent: BTreeSet::new() };
        for path in paths.iter().map(|path| below(folder, path)) {
            let above = path.ancestors().skip(1).take_while(|above| *above != folder);
            let absent = above.filter(|above| fs::symlink_metadata(above).is_err());
            kept.absent.extend(absent.map(Path::to_owned));
            let stood = Stood::at(&path)?;
            kept.stood.push((path, stood));
        }
        Ok(kept)
    }

    /// Sets everything back to what stood there.
    pub(super) fn put_back(&self) -> Result<(), TreeError> {
        for (path, stood) in self.stood.iter().filter(|(_, stood)| *stood == Stood::Nothing) {
            stood.put_back(path)?;
        }
        for folder in self.absent.iter().rev() {
            // One that has something in it is the user's by now.
            let _ = fs::remove_dir(folder);
        }
        for (path, stood) in self.stood.iter().filter(|(_, stood)| *stood != Stood::Nothing) {
            stood.put_back(path)?;
        }
        Ok(())
    }
}

impl Stood {
    fn at(path: &Path) -> Result<Self, TreeError> {
        let found = match fs::symlink_metadata(path) {
            Ok(found) => found,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(Self::Nothing);
            }
            Err(error) => return Err(TreeError::file("read", path)(error)),
        };
        let wrong = || TreeError::file("read", path);
        if found.is_symlink() {
            let target = fs::read_link(path).map_err(wrong())?;
            return Ok(Self::Link { target });
        }
        if !found.is_file() {
            return Ok(Self::Other);
        }
        Ok(Self::File { bytes: fs::read(path).map_err(wrong())?, mode: found.permissions() })
    }

    fn put_back(&self, path: &Path) -> Result<(), TreeError> {
        let now = Self::at(path)?;
        if now == *self {
            return Ok(());
        }
        let wrong = || TreeError::file("set back", path);
        if matches!(now, Self::File { .. } | Self::Link { .. }) {
            fs::remove_file(path).map_err(wrong())?;
        }
        if *self != Self::Nothing {
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(wrong())?;
        }
        match self {
            Self::Nothing => Ok(()),
            Self::File { bytes, mode } => fs::write(path, bytes)
                .and_then(|()| fs::set_permissions(path, mode.clone()))
                .map_err(wrong()),
            Self::Link { target } => std::os::unix::fs::symlink(target, path).map_err(wrong()),
            Self::Other => fs::create_dir_all(path).map_err(wrong()),
        }
    }
}
