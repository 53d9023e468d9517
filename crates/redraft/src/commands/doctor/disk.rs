//! The disk: free space, and whether a small file can be written and synced, and how fast.
//!
//! Absent here: the journal.

use super::check::Check;
use std::{
    io::Write,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

const ENOUGH: u64 = 200 * 1024 * 1024;
const SLOW: Duration = Duration::from_millis(500);
/// File systems round their times; a network's clock that is off by more is wrong.
const SKEW: Duration = Duration::from_secs(10);

/// The space that is free for this user.
pub(super) fn space(folder: &Path) -> Check {
    let Some(free) = free_bytes(folder) else {
        let fix = "look at the disk yourself";
        return Check::note("disk space", "this system does not tell", fix);
    };
    let found = format!("{} MB free", free / (1024 * 1024));
    match free < ENOUGH {
        true => Check::warning("disk space", found, "make room: at least 200 MB should be free"),
        false => Check::ok("disk space", found),
    }
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Writes and syncs a small file, and removes it.
pub(super) fn sync(folder: &Path) -> Vec<Check> {
    let (took, stamped) = match write(folder) {
        Ok(written) => written,
        Err(error) => {
            let found =
                format!("{}: a file cannot be written and synced: {error}", folder.display());
            let fix = format!("let your user ({}) write there, or use another folder", user());
            return vec![Check::error("disk writes", found, fix)];
        }
    };
    let found = format!("a small file was synced in {} ms", took.as_millis());
    let writes = match took > SLOW {
        true => {
            Check::warning("disk writes", found, "each call waits for one sync; use a faster disk")
        }
        false => Check::ok("disk writes", found),
    };
    vec![writes, file_times(stamped, SystemTime::now())]
}

fn write(folder: &Path) -> std::io::Result<(Duration, SystemTime)> {
    // Without a name where the system can do that, so that a kill leaves nothing behind.
    let mut file = tempfile::tempfile_in(folder)?;
    let begun = Instant::now();
    file.write_all(&[0; 4096])?;
    file.sync_all()?;
    Ok((begun.elapsed(), file.metadata()?.modified()?))
}

#[cfg(unix)]
fn user() -> String {
    format!("id {}", rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn user() -> String {
    "the current one".to_owned()
}

/// Whether the file system's clock and this machine's agree.
fn file_times(stamped: SystemTime, now: SystemTime) -> Check {
    let apart = match now.duration_since(stamped) {
        Ok(apart) => apart,
        Err(error) => error.duration(),
    };
    let found = format!("{} s apart from this machine's clock", apart.as_secs());
    match apart > SKEW {
        true => Check::warning("file times", found, "set the clock of the file server"),
        false => Check::ok("file times", "as this machine's clock"),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::check::State, *};

    #[test]
    fn a_file_server_with_another_clock_is_told() {
        let now = SystemTime::now();
        let hour = Duration::from_secs(3600);
        assert_eq!(file_times(now, now).state, State::Ok);
        assert_eq!(file_times(now - hour, now).state, State::Warning);
        assert_eq!(file_times(now + hour, now).found, "3600 s apart from this machine's clock");
    }
}
