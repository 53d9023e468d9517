//! Relative paths from outside are made safe before anything is read or written.
//!
//! Invariant: what [`resolve`] gives lies inside the root, also when links on the way are followed.
//! Absent here: a guard against somebody who swaps folders for links between the check and the
//! use. Whoever can do that in the workspace owns it anyway.

use crate::home::HOME;
use crate::temporary::PREFIX;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Why a path is refused.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// It is empty.
    #[error("the path is empty")]
    Empty,
    /// It starts at the root of the file system.
    #[error("{path:?}: an absolute path; it must start in the workspace")]
    Absolute {
        /// The path as given.
        path: String,
    },
    /// It has a part that names no file.
    #[error("{path:?}: the part {part:?} is not allowed in a path")]
    Part {
        /// The path as given.
        path: String,
        /// The part.
        part: String,
    },
    /// It has a character that no path here may have.
    #[error("{path:?}: the character {character:?} is not allowed in a path")]
    Character {
        /// The path as given.
        path: String,
        /// The character.
        character: char,
    },
    /// It leads out of the workspace through a link.
    #[error("{path:?}: {link} is a link that leads out of {root}")]
    Outside {
        /// The path as given.
        path: String,
        /// The link.
        link: PathBuf,
        /// The workspace.
        root: PathBuf,
    },
    /// A link on the way leads nowhere.
    #[error("{path:?}: {link} is a link that leads nowhere")]
    Dangling {
        /// The path as given.
        path: String,
        /// The link.
        link: PathBuf,
    },
    /// A part on the way is a file.
    #[error("{path:?}: {part} is not a folder")]
    NotAFolder {
        /// The path as given.
        path: String,
        /// The file.
        part: PathBuf,
    },
    /// The file system failed.
    #[error("{path}: cannot look at it")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// Checks a relative path by its words alone and gives its parts.
pub(crate) fn parts(path: &str) -> Result<Vec<&str>, PathError> {
    let given = || path.to_owned();
    if path.is_empty() {
        return Err(PathError::Empty);
    }
    if path.starts_with('/') {
        return Err(PathError::Absolute { path: given() });
    }
    if let Some(character) = path.chars().find(|c| c.is_control() || *c == '\\') {
        return Err(PathError::Character { path: given(), character });
    }
    let parts: Vec<&str> = path.split('/').collect();
    match parts.iter().find(|part| is_refused(part)) {
        Some(part) => Err(PathError::Part { path: given(), part: (*part).to_owned() }),
        None => Ok(parts),
    }
}

/// The journal's own folder and the names of temporary files are refused too.
fn is_refused(part: &str) -> bool {
    matches!(part, "" | "." | "..") || part.eq_ignore_ascii_case(HOME) || part.starts_with(PREFIX)
}

/// The place of a relative path under `root`, which must be free of links itself.
pub(crate) fn resolve(root: &Path, path: &str) -> Result<PathBuf, PathError> {
    let parts = parts(path)?;
    walk(root, path, &parts)
}

/// The same, but the last part may be anything, also a link that leads out: it is the link itself
/// that the caller means.
pub(crate) fn resolve_entry(root: &Path, path: &str) -> Result<PathBuf, PathError> {
    let parts = parts(path)?;
    let (last, folders) = parts.split_last().ok_or(PathError::Empty)?;
    Ok(walk(root, path, folders)?.join(last))
}

fn walk(root: &Path, path: &str, parts: &[&str]) -> Result<PathBuf, PathError> {
    let mut place = root.to_path_buf();
    let mut known = true;
    for (n, part) in parts.iter().enumerate() {
        place.push(part);
        if !known {
            continue;
        }
        let last = n + 1 == parts.len();
        known = match fs::symlink_metadata(&place) {
            Ok(found) if found.is_symlink() => follow(root, path, &place, last)?,
            Ok(found) if found.is_dir() || last => true,
            Ok(_) => return Err(PathError::NotAFolder { path: path.to_owned(), part: place }),
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(source) => return Err(PathError::Io { path: place, source }),
        };
    }
    Ok(place)
}

/// Whether a link that stays inside leads on; an error when it does not stay inside.
fn follow(root: &Path, path: &str, link: &Path, last: bool) -> Result<bool, PathError> {
    let (given, at) = (|| path.to_owned(), || link.to_path_buf());
    let target = match fs::canonicalize(link) {
        Ok(target) => target,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(PathError::Dangling { path: given(), link: at() });
        }
        Err(source) => return Err(PathError::Io { path: at(), source }),
    };
    if !target.starts_with(root) {
        return Err(PathError::Outside { path: given(), link: at(), root: root.to_path_buf() });
    }
    if !last && !target.is_dir() {
        return Err(PathError::NotAFolder { path: given(), part: at() });
    }
    Ok(true)
}
