//! Locks by name between processes, so that one driver works on a run at any time.
//!
//! Invariant: the system lets go of a lock when its holder ends, however it ends. Lock files stay:
//! deleting one could leave two holders of one name.
//! Absent here: epochs, which stop a holder that was believed dead.

use crate::db::chain;
use crate::home::{Home, private_folder};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often a waiting process looks again.
const POLL: Duration = Duration::from_millis(5);

/// What to do while somebody else holds the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Give up at once.
    No,
    /// Wait as long as it takes.
    Forever,
    /// Wait so long and then give up.
    For(Duration),
}

/// A held lock; dropping it lets go.
#[derive(Debug)]
#[must_use]
pub struct LockGuard {
    _file: File,
}

/// Why a lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody else holds it.
    #[error("{name}: held by {}", .holder.as_deref().unwrap_or("another process"))]
    Busy {
        /// What was to be locked.
        name: String,
        /// Who holds it, as far as it is known: `process <pid>`.
        holder: Option<String>,
    },
    /// The file system failed.
    #[error("{path}: cannot lock {name}")]
    Io {
        /// What was to be locked.
        name: String,
        /// The lock file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

impl Home {
    /// Takes the lock of this name. Blocks the thread while it waits.
    ///
    /// # Errors
    /// [`LockError::Busy`] when it is held for longer than `wait` allows, or the file system fails.
    pub fn lock(&self, name: &str, wait: Wait) -> Result<LockGuard, LockError> {
        let folder = self.dir().join("locks");
        let digits = chain::hex(&chain::content(name.as_bytes()));
        let path = folder.join(format!("{}.lock", &digits[..16]));
        let io = |source| LockError::Io { name: name.to_owned(), path: path.clone(), source };
        match private_folder().create(&folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(io(error)),
            _ => {}
        }
        let started = Instant::now();
        loop {
            if let Some(file) = take(&path).map_err(io)? {
                return Ok(LockGuard { _file: file });
            }
            let goes_on = match wait {
                Wait::No => false,
                Wait::Forever => true,
                Wait::For(time) => started.elapsed() < time,
            };
            if !goes_on {
                let holder = holder(&path);
                return Err(LockError::Busy { name: name.to_owned(), holder });
            }
            std::thread::sleep(POLL);
        }
    }
}

/// Tries once; `None` when somebody else holds it.
fn take(path: &Path) -> std::io::Result<Option<File>> {
    loop {
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if is_still(path, &file)? {
            sign(&file)?;
            return Ok(Some(file));
        }
    }
}

/// Whether the path still leads to the file that was locked: somebody may have removed it.
pub(crate) fn is_still(path: &Path, file: &File) -> std::io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(same_file(&found, &file.metadata()?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

fn sign(mut file: &File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(format!("{}\n", std::process::id()).as_bytes())
}

fn holder(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(32).read_to_string(&mut text).ok()?;
    let pid: u32 = text.trim().parse().ok()?;
    Some(format!("process {pid}"))
}
