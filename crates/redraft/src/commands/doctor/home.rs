//! The home and its journal: where it is, who may read it, and how new its newest fact is.
//!
//! Absent here: whether the journal is whole, which `redraft verify` says.

use super::check::Check;
use crate::standalone;
use redraft_loop::Time;
use redraft_store::{Filter, HOME, Home, Store, StoreError, decode_fact};
use std::path::{Path, PathBuf};

/// What later checks build on.
pub(super) struct Found {
    /// Where files are going to be written; `None` where nothing stands yet.
    pub(super) folder: Option<PathBuf>,
    /// When the newest fact happened.
    pub(super) newest: Option<Time>,
}

/// The newest runs are enough to find the newest fact, give or take a run that was left open.
const RUNS: usize = 100;

pub(super) fn checks(workspace: &Path) -> (Vec<Check>, Found) {
    let nothing = Found { folder: None, newest: None };
    match standalone::known(workspace) {
        Err(failure) => {
            let message = failure.message;
            let fix = "move what stands there away, or make it a folder of yours";
            (vec![Check::error("home", message, fix)], nothing)
        }
        Ok(None) => none(workspace),
        Ok(Some(home)) => of_home(&home),
    }
}

fn none(workspace: &Path) -> (Vec<Check>, Found) {
    let folder = Some(workspace.to_path_buf()).filter(|folder| folder.is_dir());
    let found = format!("none at {} or above", workspace.display());
    let own = standalone::data_folder().map(|folder| folder.join(HOME).display().to_string());
    let own =
        own.map_or(String::new(), |own| format!("; redraft solve makes one at {own} on first use"));
    let fix = format!("nothing to do: redraft podcast init or redraft init makes one{own}");
    (vec![Check::note("home", found, fix)], Found { folder, newest: None })
}

fn of_home(home: &Home) -> (Vec<Check>, Found) {
    let dir = home.dir();
    let mut checks = vec![Check::ok("home", dir.display().to_string()), permissions(home)];
    let newest = match newest(home) {
        Ok(Some((runs, newest))) => {
            checks.push(journal(&dir.join("journal.db"), runs));
            newest
        }
        Ok(None) => {
            checks.push(Check::ok("journal", "none yet; the first command that needs it makes it"));
            None
        }
        Err(error) => {
            let failure = crate::exit::Failure::from(error);
            let causes = failure.causes.iter().map(|cause| format!(": {cause}"));
            let found = format!("{}{}", failure.message, causes.collect::<String>());
            let fix = format!(
                "let your user read and write in {}; redraft verify says whether the journal is whole",
                dir.display()
            );
            checks.push(Check::error("journal", found, fix));
            None
        }
    };
    (checks, Found { folder: Some(dir.to_path_buf()), newest })
}

/// A journal that opens.
fn journal(path: &Path, runs: usize) -> Check {
    match is_writable(path) {
        true => Check::ok("journal", format!("it opens; runs: {runs}")),
        false => {
            let fix = format!("let your user write to {}", path.display());
            Check::error("journal", format!("it opens, but cannot be written; runs: {runs}"), fix)
        }
    }
}

/// Asked of the system. Opening and closing the file would drop locks that this process may hold on it.
#[cfg(unix)]
fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.permissions().readonly())
}

/// How many runs there are, and the time of the newest fact.
fn newest(home: &Home) -> Result<Option<(usize, Option<Time>)>, StoreError> {
    let Some(store) = Store::open_existing(home)? else { return Ok(None) };
    let filter = Filter { kind: Some("run".into()), ..Filter::default() };
    let runs = store.streams(&filter)?;
    let mut newest = None;
    for run in runs.iter().take(RUNS) {
        let last = store.read_after(&run.stream, run.seq.saturating_sub(1))?;
        let fact = last.last().and_then(|entry| decode_fact(&entry.body).ok());
        newest = newest.max(fact.map(|fact| fact.at()));
    }
    Ok(Some((runs.len(), newest)))
}

#[cfg(unix)]
fn permissions(home: &Home) -> Check {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| path.metadata().ok().map(|found| found.permissions().mode() & 0o777);
    let dir = home.dir();
    // The folder guards what is in it; the journal's own mode matters once the folder is open.
    match (mode(dir), mode(&dir.join("journal.db"))) {
        (Some(folder), journal) if folder & 0o077 != 0 => {
            let journal = journal.map_or(String::new(), |mode| format!(", the journal {mode:03o}"));
            let found = format!("others may look in: the folder has mode {folder:03o}{journal}");
            Check::warning("permissions", found, format!("chmod 700 {}", quoted(dir)))
        }
        (Some(folder), _) => Check::ok("permissions", format!("yours alone (mode {folder:03o})")),
        (None, _) => {
            let fix = format!("let your user look into {}", dir.display());
            Check::error("permissions", "the folder cannot be looked at", fix)
        }
    }
}

#[cfg(unix)]
fn quoted(path: &Path) -> String {
    crate::say::quoted(&path.display().to_string())
}

#[cfg(not(unix))]
fn permissions(_: &Home) -> Check {
    Check::ok("permissions", "not checked on this system")
}
