//! The files of a workspace, written whole or not at all.
//!
//! Invariant: a reader sees the old file or the new one. What was written is durable after
//! [`WorkspaceFiles::sync`], and only after it; a file that already had the bytes counts as
//! written, since whoever wrote it may not have lived to sync it.
//! Absent here: which files there are and what stands in them.

use crate::paths::{self, PathError};
use crate::temporary;
use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// Why a workspace's file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The path is not allowed.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A folder, a link or a device stands where a file should be.
    #[error("{path}: not a regular file")]
    NotAFile {
        /// What stands there.
        path: PathBuf,
    },
    /// The file is larger than the reader can take.
    #[error("{path}: {size} bytes, more than the {most} that are read")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// The most that is read, in bytes.
        most: u64,
    },
    /// Two files of one write would stand in each other's way.
    #[error("{one:?} and {other:?} cannot both be written")]
    Clash {
        /// A path as given.
        one: String,
        /// Another.
        other: String,
    },
    /// An earlier sync failed, so nobody can tell what is durable.
    #[error("{root}: an earlier sync failed; what is durable is unknown")]
    Unsynced {
        /// The workspace.
        root: PathBuf,
    },
    /// The file system failed.
    #[error("{path}: cannot {doing}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
}

/// For the engine's port, which speaks of files in general.
impl From<FileError> for std::io::Error {
    fn from(error: FileError) -> Self {
        Self::other(error)
    }
}

/// The folder of a workspace, open for reading and writing.
#[derive(Debug)]
pub struct WorkspaceFiles {
    root: PathBuf,
    unsynced: Mutex<Unsynced>,
}

#[derive(Debug, Default)]
struct Unsynced {
    files: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
    /// Folders that were looked through for abandoned temporary files.
    cleaned: BTreeSet<PathBuf>,
    failed: bool,
}

/// A file that is ready to be put in its place.
struct Ready {
    place: PathBuf,
    file: NamedTempFile,
}

fn io(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> FileError + use<> {
    let path = path.to_path_buf();
    move |source| FileError::Io { path, doing, source }
}

impl WorkspaceFiles {
    /// Opens a workspace's folder, which must exist; links on the way to it are followed.
    ///
    /// # Errors
    /// When it is not there or no folder.
    pub fn open(root: &Path) -> Result<Self, FileError> {
        let root = fs::canonicalize(root).map_err(io(root, "find the workspace"))?;
        if !root.is_dir() {
            return Err(FileError::Path(PathError::NotAFolder { path: ".".into(), part: root }));
        }
        Ok(Self { root, unsynced: Mutex::default() })
    }

    /// Makes a workspace's folder, with those above it, and opens it. [`Self::sync`] makes their
    /// names durable too.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(root: &Path) -> Result<Self, FileError> {
        let absolute = std::path::absolute(root).map_err(io(root, "find the workspace"))?;
        let missing = absolute.ancestors().take_while(|folder| !folder.exists()).count();
        fs::create_dir_all(&absolute).map_err(io(root, "make the workspace"))?;
        let files = Self::open(&absolute)?;
        let above = files.root.ancestors().skip(1).take(missing).map(Path::to_path_buf);
        files.unsynced().folders.extend(above);
        Ok(files)
    }

    /// The folder, free of links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The place of a relative path; it need not exist.
    ///
    /// # Errors
    /// When the path is not made of plain names, or leads out of the workspace through a link.
    pub fn resolve(&self, path: &str) -> Result<PathBuf, PathError> {
        paths::resolve(&self.root, path)
    }

    /// The bytes of a file of at most `most` bytes; `None` when there is none.
    ///
    /// # Errors
    /// When the path is refused, no regular file stands there, it is larger, or reading fails.
    pub fn read(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, FileError> {
        let place = self.resolve(path)?;
        let Some(found) = look(&place, fs::metadata(&place))? else {
            return Ok(None);
        };
        if found.len() > most {
            return Err(FileError::TooLarge { path: place, size: found.len(), most });
        }
        fs::read(&place).map(Some).map_err(io(&place, "read the file"))
    }

    /// Writes a file in one step, with the folders it needs. Gives whether it was different before.
    /// An existing file keeps its mode, a new one gets 0644 less the umask.
    ///
    /// # Errors
    /// When the path is refused, a folder or link stands in its place, or writing fails.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<bool, FileError> {
        self.write_all(&[(path, bytes)]).map(|written| written > 0)
    }

    /// Writes several files; every path is checked and all bytes are on disk before the first file
    /// changes. Gives how many were different before.
    ///
    /// # Errors
    /// As for [`Self::write`]; then no file has changed, unless a rename itself failed half-way.
    pub fn write_all(
        &self,
        files: &[(impl AsRef<str>, impl AsRef<[u8]>)],
    ) -> Result<usize, FileError> {
        refuse_clashes(&files.iter().map(|(path, _)| path.as_ref()).collect::<Vec<_>>())?;
        let mut places = Vec::with_capacity(files.len());
        for (path, bytes) in files {
            let place = self.resolve(path.as_ref())?;
            let before = look(&place, fs::symlink_metadata(&place))?;
            places.push((place, before, bytes.as_ref()));
        }
        let mut ready = Vec::new();
        for (place, before, bytes) in &places {
            ready.extend(self.prepare(place, before.as_ref(), bytes)?);
        }
        let written = ready.len();
        for Ready { place, file } in ready {
            let put = file.persist(&place).map_err(|error| error.error);
            put.map_err(io(&place, "put the file in its place"))?;
        }
        for (place, ..) in places {
            self.remember(Some(&place), place.parent());
        }
        Ok(written)
    }

    fn prepare(
        &self,
        place: &Path,
        before: Option<&Metadata>,
        bytes: &[u8],
    ) -> Result<Option<Ready>, FileError> {
        let folder = place.parent().unwrap_or(&self.root);
        if before.is_none() {
            fs::create_dir_all(folder).map_err(io(folder, "make the folder"))?;
        }
        self.clean_once(folder)?;
        if before.is_some_and(|before| before.len() == bytes.len() as u64) {
            let same = fs::read(place).map_err(io(place, "compare the file"))? == bytes;
            if same {
                return Ok(None);
            }
        }
        let file = temporary::write(folder, bytes, before).map_err(io(place, "write the file"))?;
        Ok(Some(Ready { place: place.to_path_buf(), file }))
    }

    /// Makes all that was written through this handle durable: files, then folders up to the root.
    ///
    /// # Errors
    /// When the system cannot promise it; from then on every sync fails, since asking again would
    /// only seem to help.
    pub fn sync(&self) -> Result<(), FileError> {
        let mut unsynced = self.unsynced();
        if unsynced.failed {
            return Err(FileError::Unsynced { root: self.root.clone() });
        }
        for path in unsynced.files.iter().chain(&unsynced.folders) {
            let synced = match File::open(path).and_then(|file| file.sync_all()) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                other => other,
            };
            if let Err(error) = synced {
                let error = io(path, "sync it")(error);
                unsynced.failed = true;
                return Err(error);
            }
        }
        unsynced.files.clear();
        unsynced.folders.clear();
        Ok(())
    }

    /// Puts what stands at a path aside as `<name>.damaged-N` and gives the new relative path.
    ///
    /// # Errors
    /// When the path is refused, nothing is there, or renaming fails.
    pub fn rename_damaged(&self, path: &str) -> Result<String, FileError> {
        let place = paths::resolve_entry(&self.root, path)?;
        let mut n = 1_u32;
        let aside = loop {
            let aside = format!("{path}.damaged-{n}");
            let taken = fs::symlink_metadata(paths::resolve_entry(&self.root, &aside)?);
            match taken {
                Err(error) if error.kind() == ErrorKind::NotFound => break aside,
                Err(error) => return Err(io(&place, "find a name for the damaged file")(error)),
                Ok(_) => n += 1,
            }
        };
        self.rename(path, &aside)?;
        Ok(aside)
    }

    /// Gives what stands at a path, a link or a folder too, another path in the same folder.
    ///
    /// # Errors
    /// When a path is refused, nothing is there, or renaming fails.
    pub fn rename(&self, path: &str, new: &str) -> Result<(), FileError> {
        let place = paths::resolve_entry(&self.root, path)?;
        let new = paths::resolve_entry(&self.root, new)?;
        fs::rename(&place, &new).map_err(io(&place, "put it aside"))?;
        self.remember(None, place.parent());
        Ok(())
    }

    /// Removes a file; gives whether there was one.
    ///
    /// # Errors
    /// When the path is refused, no regular file stands there, or removing fails.
    pub fn remove(&self, path: &str) -> Result<bool, FileError> {
        let place = self.resolve(path)?;
        if look(&place, fs::symlink_metadata(&place))?.is_none() {
            return Ok(false);
        }
        fs::remove_file(&place).map_err(io(&place, "remove the file"))?;
        self.remember(None, place.parent());
        Ok(true)
    }

    /// Removes what killed processes left half-written in a folder (`""` for the root); gives how
    /// many files. Folders that are written to are cleaned without being asked.
    ///
    /// # Errors
    /// When the path is refused or the folder cannot be read.
    pub fn clean_temporaries(&self, folder: &str) -> Result<usize, FileError> {
        let place = if folder.is_empty() { self.root.clone() } else { self.resolve(folder)? };
        match temporary::clean(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            other => other.map_err(io(&place, "clean the folder")),
        }
    }

    fn clean_once(&self, folder: &Path) -> Result<(), FileError> {
        if self.unsynced().cleaned.insert(folder.to_path_buf()) {
            temporary::clean(folder).map_err(io(folder, "clean the folder"))?;
        }
        Ok(())
    }

    fn remember(&self, file: Option<&Path>, folder: Option<&Path>) {
        let mut unsynced = self.unsynced();
        unsynced.files.extend(file.map(Path::to_path_buf));
        let inside = |folder: &&Path| folder.starts_with(&self.root);
        let up = folder.into_iter().flat_map(Path::ancestors).take_while(inside);
        unsynced.folders.extend(up.map(Path::to_path_buf));
    }

    fn unsynced(&self) -> MutexGuard<'_, Unsynced> {
        self.unsynced.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What stands at a place, as long as it is nothing or a regular file.
fn look(place: &Path, found: std::io::Result<Metadata>) -> Result<Option<Metadata>, FileError> {
    match found {
        Ok(found) if found.is_file() => Ok(Some(found)),
        Ok(_) => Err(FileError::NotAFile { path: place.to_path_buf() }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(place, "look at the file")(error)),
    }
}

/// Refuses two writes to one path, and a file where another write needs a folder.
fn refuse_clashes(paths: &[&str]) -> Result<(), FileError> {
    for (n, one) in paths.iter().enumerate() {
        let inside =
            |path: &str, of: &str| path.strip_prefix(of).is_some_and(|p| p.starts_with('/'));
        let clashes = |other: &&&str| *other == one || inside(other, one) || inside(one, other);
        if let Some(other) = paths[..n].iter().find(clashes) {
            return Err(FileError::Clash { one: (*other).to_owned(), other: (*one).to_owned() });
        }
    }
    Ok(())
}
