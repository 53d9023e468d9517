//! The home is the folder `.redraft/` that holds the journal, found from a workspace upward.
//!
//! Invariant: a home is a real folder; a link to one elsewhere is refused, so that nothing is
//! written outside the tree the user stands in.
//! Absent here: the user's own data folder, which the binary chooses.

use std::fs::{self, DirBuilder};
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

/// The name of the folder.
pub const HOME: &str = ".redraft";

/// A home that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
    dir: PathBuf,
}

/// Why a home could not be found, made or used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// What bears the home's name is a link.
    #[error("{path}: a link, which is never followed; put a real folder in its place")]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// What bears the home's name is no folder.
    #[error("{path}: not a folder")]
    NotAFolder {
        /// The file.
        path: PathBuf,
    },
    /// The workspace does not lie under the home's folder.
    #[error("{path}: outside of {root}, the folder of the home")]
    Outside {
        /// The workspace.
        path: PathBuf,
        /// The home's parent.
        root: PathBuf,
    },
    /// The path has a part that cannot be a key.
    #[error("{path}: its name is not UTF-8")]
    NotText {
        /// The workspace.
        path: PathBuf,
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

impl Home {
    /// The nearest home from a folder upward; the folder itself need not exist yet.
    ///
    /// # Errors
    /// When the nearest `.redraft` is a link or no folder, or the file system fails.
    pub fn find(from: &Path) -> Result<Option<Self>, HomeError> {
        let from = real(from)?;
        for folder in from.ancestors() {
            if let Some(home) = Self::at(folder)? {
                return Ok(Some(home));
            }
        }
        Ok(None)
    }

    /// Makes a home in a folder, which must exist; a home that is already there is used as it is.
    ///
    /// # Errors
    /// When `.redraft` is a link or no folder, or the file system fails.
    pub fn create(parent: &Path) -> Result<Self, HomeError> {
        let root = real(parent)?;
        let dir = root.join(HOME);
        match private_folder().create(&dir) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(io(&dir, "make the home")(error));
            }
            _ => {}
        }
        let home = Self::at(&root)?.ok_or(HomeError::NotAFolder { path: dir })?;
        home.keep_out_of_git()?;
        Ok(home)
    }

    /// The folder that the home stands in.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder `.redraft` itself.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What names a workspace in this home: its path from the home's folder on, with `/`; `.` for
    /// that folder itself. The workspace need not exist yet.
    ///
    /// # Errors
    /// When the workspace lies outside, or its path is not UTF-8.
    pub fn workspace_key(&self, workspace: &Path) -> Result<String, HomeError> {
        let path = real(workspace)?;
        let Ok(inside) = path.strip_prefix(&self.root) else {
            return Err(HomeError::Outside { path, root: self.root.clone() });
        };
        let parts: Option<Vec<&str>> =
            inside.components().map(|c| c.as_os_str().to_str()).collect();
        let parts = parts.ok_or_else(|| HomeError::NotText { path: path.clone() })?;
        Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
    }

    fn at(root: &Path) -> Result<Option<Self>, HomeError> {
        let dir = root.join(HOME);
        match fs::symlink_metadata(&dir) {
            Ok(found) if found.is_dir() => Ok(Some(Self { root: root.to_path_buf(), dir })),
            Ok(found) if found.is_symlink() => Err(HomeError::Link { path: dir }),
            Ok(_) => Err(HomeError::NotAFolder { path: dir }),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(io(&dir, "look for the home")(error)),
        }
    }

    fn keep_out_of_git(&self) -> Result<(), HomeError> {
        let path = self.dir.join(".gitignore");
        let file = fs::OpenOptions::new().write(true).create_new(true).open(&path);
        match file.and_then(|mut file| file.write_all(b"*\n")) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                Err(io(&path, "write the file")(error))
            }
            _ => Ok(()),
        }
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn io(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> HomeError {
    let path = path.to_path_buf();
    move |source| HomeError::Io { path, doing, source }
}

#[cfg(unix)]
pub(crate) fn private_folder() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

#[cfg(not(unix))]
pub(crate) fn private_folder() -> DirBuilder {
    DirBuilder::new()
}

/// The path without links and `..`, as far as it exists; what does not exist yet is taken as
/// written.
fn real(path: &Path) -> Result<PathBuf, HomeError> {
    let path = std::path::absolute(path).map_err(io(path, "find the folder"))?;
    let mut known = path.as_path();
    let mut rest = Vec::new();
    loop {
        match fs::canonicalize(known) {
            Ok(mut real) => {
                rest.iter().rev().for_each(|part| take(&mut real, *part));
                return Ok(real);
            }
            Err(error) if is_absent(&error) => {
                match (known.parent(), known.components().next_back()) {
                    (Some(parent), Some(part)) => {
                        rest.push(part);
                        known = parent;
                    }
                    _ => return Err(io(&path, "find the folder")(error)),
                }
            }
            Err(error) => return Err(io(&path, "find the folder")(error)),
        }
    }
}

fn take(path: &mut PathBuf, part: Component<'_>) {
    match part {
        Component::ParentDir => drop(path.pop()),
        Component::CurDir => {}
        Component::Normal(_) | Component::RootDir | Component::Prefix(_) => path.push(part),
    }
}
