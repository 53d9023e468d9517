//! What stood in the user's files before a diff was written to them, so that a write that breaks off can be undone.
//!
//! Git takes all files away that it changes before it makes the first of them anew. Where it then fails, edits that were
//! never committed would be lost.
//!
//! Invariant: a folder that has something in it is never removed, nor is what git cannot have written: the user may have
//! saved a file meanwhile.
//! Absent here: times, owners and other names of a file; git does not keep them either when it writes one anew.

use super::{changes::folders_of, fault::TreeError, state::below};
use std::{
    collections::BTreeSet,
    fs::{self, Permissions},
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// The name of the files that say how git writes others.
const ATTRIBUTES: &str = ".gitattributes";

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
    top: PathBuf,
    /// By the path below the top.
    stood: Vec<(Vec<u8>, Stood)>,
    /// Folders that were not there; the deepest come last.
    absent: BTreeSet<PathBuf>,
}

impl Kept {
    /// What stands at these paths below the folder.
    pub(super) fn of(folder: &Path, paths: &[Vec<u8>]) -> Result<Self, TreeError> {
        let top = folder.to_owned();
        let mut kept = Self { top, stood: Vec::new(), absent: BTreeSet::new() };
        for name in paths {
            let path = below(folder, name);
            let above = path.ancestors().skip(1).take_while(|above| *above != folder);
            let absent = above.filter(|above| fs::symlink_metadata(above).is_err());
            kept.absent.extend(absent.map(Path::to_owned));
            kept.stood.push((name.clone(), Stood::at(&path)?));
        }
        Ok(kept)
    }

    /// Makes all of it anew in another folder, with the files there that say how git writes it.
    pub(super) fn copy_to(&self, folder: &Path) -> Result<(), TreeError> {
        fs::create_dir_all(folder).map_err(TreeError::file("make", folder))?;
        let stood = self.stood.iter();
        // What is a folder here may have been made as one for a file below it.
        for (name, stood) in stood.filter(|(_, stood)| *stood != Stood::Nothing) {
            stood.make(&below(folder, name))?;
        }
        let folders = self.stood.iter().flat_map(|(name, _)| folders_of(name));
        for above in folders.collect::<BTreeSet<_>>().into_iter().chain([&b""[..]]) {
            let (from, to) = (below(&self.top, above), below(folder, above));
            let rules = Stood::at(&from.join(ATTRIBUTES))?;
            if matches!(rules, Stood::File { .. }) {
                rules.make(&to.join(ATTRIBUTES))?;
            }
        }
        Ok(())
    }

    /// Sets back what git may have taken away or written: where nothing stands now, or what git made of the copy, be it
    /// in part. Gives the paths that it left as they are though they differ.
    pub(super) fn put_back(&self, copy: &Path) -> Result<Vec<Vec<u8>>, TreeError> {
        let mut left = Vec::new();
        for (name, _) in self.stood.iter().filter(|(_, stood)| *stood == Stood::Nothing) {
            self.put_back_one(name, &Stood::Nothing, copy, &mut left)?;
        }
        for folder in self.absent.iter().rev() {
            // One that has something in it is the user's by now.
            let _ = fs::remove_dir(folder);
        }
        for (name, stood) in self.stood.iter().filter(|(_, stood)| *stood != Stood::Nothing) {
            self.put_back_one(name, stood, copy, &mut left)?;
        }
        Ok(left)
    }

    fn put_back_one(
        &self,
        name: &[u8],
        stood: &Stood,
        copy: &Path,
        left: &mut Vec<Vec<u8>>,
    ) -> Result<(), TreeError> {
        let path = below(&self.top, name);
        let now = Stood::at(&path)?;
        if now == *stood {
            return Ok(());
        }
        if !now.may_be_part_of(&Stood::at(&below(copy, name))?) {
            left.push(name.to_vec());
            return Ok(());
        }
        if now != Stood::Nothing {
            fs::remove_file(&path).map_err(TreeError::file("set back", &path))?;
        }
        stood.make(&path)
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

    /// Whether git, at work on making this, may have got as far.
    fn may_be_part_of(&self, made: &Self) -> bool {
        match (self, made) {
            (Self::Nothing, _) => true,
            (Self::File { bytes, .. }, Self::File { bytes: made, .. }) => made.starts_with(bytes),
            (Self::Link { target }, Self::Link { target: made }) => target == made,
            (Self::File { .. } | Self::Link { .. } | Self::Other, _) => false,
        }
    }

    /// Makes it where nothing stands, or, of a file, where one like it stands.
    fn make(&self, path: &Path) -> Result<(), TreeError> {
        let wrong = || TreeError::file("set back", path);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that held `old` and of which git would make `new words` holds this when git breaks off.
    fn put_back_over(now: Option<&str>) -> (String, usize) {
        let (top, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = top.path().join("a");
        fs::write(&file, "old").unwrap();
        let kept = Kept::of(top.path(), &[b"a".to_vec()]).unwrap();
        kept.copy_to(copy.path()).unwrap();
        assert_eq!(fs::read(copy.path().join("a")).unwrap(), b"old");
        fs::write(copy.path().join("a"), "new words").unwrap();
        match now {
            Some(now) => fs::write(&file, now).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let left = kept.put_back(copy.path()).unwrap();
        (fs::read_to_string(&file).unwrap(), left.len())
    }

    #[test]
    fn what_git_took_away_or_wrote_in_full_or_in_part_is_set_back() {
        for now in [None, Some(""), Some("new"), Some("new words")] {
            assert_eq!(put_back_over(now), ("old".to_owned(), 0), "{now:?}");
        }
    }

    #[test]
    fn what_git_cannot_have_written_stays_and_is_told() {
        for now in ["mine", "new words and mine", "older"] {
            assert_eq!(put_back_over(Some(now)), (now.to_owned(), 1));
        }
    }
}
