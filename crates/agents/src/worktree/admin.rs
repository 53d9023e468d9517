//! The folder that git keeps of a linked worktree, in `worktrees` of the repository: how ours are told from others.
//!
//! A worktree of ours is locked from its first moment, with a reason that names its place; so it is known as ours even
//! when whoever made it was killed half-way.
//!
//! Invariant: a folder whose reason is not ours is never written to or removed.
//! Absent here: what stands in the worktree.

use super::fault::TreeError;
use std::{
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        fs::PermissionsExt,
    },
    path::{Path, PathBuf},
};

/// How the reason of a lock of ours begins; the place follows.
const OURS: &str = "redraft works here: ";

/// The file that holds the reason.
const LOCKED: &str = "locked";

/// A worktree of ours, as git's own folder has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Admin {
    pub(super) folder: PathBuf,
    pub(super) place: PathBuf,
}

/// The reason with which a worktree at this place is locked.
pub(super) fn reason(place: &Path) -> OsString {
    let mut reason = OsString::from(OURS);
    reason.push(place);
    reason
}

/// All worktrees of ours in this repository, by name.
pub(super) fn all(common: &Path) -> Result<Vec<Admin>, TreeError> {
    let path = common.join("worktrees");
    let entries = match fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(TreeError::file("read", &path)(error)),
    };
    let folders = entries.flatten().map(|entry| entry.path());
    let mut ours: Vec<Admin> = folders.filter_map(ours).collect();
    ours.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(ours)
}

/// The folders of worktrees in which git has written nothing yet. One is what a kill leaves before it is known whose it
/// is, or after that was taken away; or git is about to fill it.
pub(super) fn blank(common: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|folder| is_blank(folder)).collect()
}

fn is_blank(folder: &Path) -> bool {
    let is_blank = |entry: fs::DirEntry| {
        entry.file_name() == LOCKED && entry.metadata().is_ok_and(|found| found.len() == 0)
    };
    fs::read_dir(folder).is_ok_and(|mut all| all.all(|entry| entry.is_ok_and(is_blank)))
}

/// Removes a folder in which git has written nothing; what it has begun to fill stays.
pub(super) fn remove_blank(folder: &Path) {
    if is_blank(folder) {
        let _ = fs::remove_file(folder.join(LOCKED));
        let _ = fs::remove_dir(folder);
        let _ = folder.parent().map(fs::remove_dir);
    }
}

fn ours(folder: PathBuf) -> Option<Admin> {
    let reason = fs::read(folder.join(LOCKED)).ok()?;
    let place = reason.strip_prefix(OURS.as_bytes())?;
    let place = place.strip_suffix(b"\n").unwrap_or(place);
    Some(Admin { folder, place: OsStr::from_bytes(place).into() })
}

impl Admin {
    /// Whether git finished making it, and it leads to its place.
    pub(super) fn is_whole(&self) -> bool {
        let leads = fs::read(self.folder.join("gitdir")).is_ok_and(|line| {
            let line = line.strip_suffix(b"\n").unwrap_or(&line).to_vec();
            self.folder.join(OsString::from_vec(line)) == self.place.join(".git")
        });
        leads && ["HEAD", "commondir"].iter().all(|name| self.folder.join(name).is_file())
    }

    /// Puts right what a program may have done to the worktree's place and its link to the repository, and takes away
    /// the locks of commands that were killed.
    pub(super) fn settle(&self) -> Result<(), TreeError> {
        let place = &self.place;
        if !is_folder(place) {
            remove(place)?;
            fs::create_dir(place).map_err(TreeError::file("make", place))?;
        }
        self.link()?;
        let entries = fs::read_dir(&self.folder).map_err(TreeError::file("read", &self.folder))?;
        let paths = entries.flatten().map(|entry| entry.path());
        for lock in paths.filter(|path| path.extension() == Some(OsStr::new("lock"))) {
            remove(&lock)?;
        }
        Ok(())
    }

    /// The file by which git finds the repository from the place.
    fn link(&self) -> Result<(), TreeError> {
        let link = self.place.join(".git");
        let mut wanted = b"gitdir: ".to_vec();
        wanted.extend(self.folder.as_os_str().as_bytes());
        wanted.push(b'\n');
        let plain = fs::symlink_metadata(&link).is_ok_and(|found| found.is_file());
        if plain && fs::read(&link).is_ok_and(|found| found == wanted) {
            return Ok(());
        }
        remove(&link)?;
        fs::write(&link, wanted).map_err(TreeError::file("write", &link))
    }

    /// Removes the worktree, and then what git knows of it, the sign that it is ours last: killed in between, it is still
    /// known.
    pub(super) fn remove(&self) -> Result<(), TreeError> {
        remove(&self.place)?;
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name() != LOCKED {
                remove(&entry.path())?;
            }
        }
        remove(&self.folder)?;
        // Others may have theirs beside it.
        let _ = self.folder.parent().map(fs::remove_dir);
        Ok(())
    }
}

pub(super) fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Removes whatever stands there; a link itself and not what it leads to.
pub(super) fn remove(path: &Path) -> Result<(), TreeError> {
    let gone = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path).or_else(|_| {
            writable(path);
            fs::remove_dir_all(path)
        }),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match gone {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TreeError::file("remove", path)(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Makes all folders below this one its owner's to change; some tools write-protect their caches. What stays
/// protected is named by whoever cannot change it.
pub(super) fn writable(folder: &Path) {
    let Ok(found) = fs::symlink_metadata(folder) else { return };
    if !found.is_dir() {
        return;
    }
    let mode = found.permissions().mode();
    if mode & 0o700 != 0o700 {
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(mode | 0o700));
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        writable(&entry.path());
    }
}
