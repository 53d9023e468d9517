//! The worktree of a run: its place below the home, and what killed runs left there.
//!
//! Invariant: a worktree is removed by whoever drives its run or hands it over, or by the next pair on the repository.
//! Absent here: what is done in it.

use crate::{
    exit::Failure,
    standalone::{self, Place},
};
use redraft_agents::worktree::{self, Root, Worktree};
use redraft_loop::RunId;
use redraft_store::{HOME, Home, LockGuard};
use redraft_workflows::pair::Repository;
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
};

/// Where worktrees stand in a home.
const WORKTREES: &str = "worktrees";

/// The folder of all worktrees of a home.
pub(crate) fn worktrees(place: &Place) -> PathBuf {
    place.root.join(HOME).join(WORKTREES)
}

/// The place of a run's worktree.
pub(super) fn place_of(place: &Place, run: &RunId) -> PathBuf {
    worktrees(place).join(run.as_str())
}

/// A run's worktree, made or taken over as a killed driver left it.
///
/// # Errors
/// When the repository or its commit is gone, or git fails.
pub(super) async fn tree_of(repository: &Repository, at: &Path) -> Result<Worktree, Failure> {
    let root = Root::find(Path::new(&repository.folder)).await?;
    let opened = Worktree::open(&root, at, &repository.commit).await;
    if opened.is_err() {
        clear_folder(at.parent().unwrap_or(at));
    }
    Ok(opened?)
}

/// Removes the worktrees of runs that nobody drives; one that is resumed makes its own anew.
///
/// # Errors
/// When one cannot be removed.
pub(crate) async fn clear(repository: &Repository, home: &Home) -> Result<(), Failure> {
    let root = Root::find(Path::new(&repository.folder)).await?;
    let folder = home.dir().join(WORKTREES);
    // Nobody may begin to drive a run while its worktree goes.
    let held: RefCell<Vec<LockGuard>> = RefCell::default();
    let is_gone = |place: &Path| {
        let run = place.file_name().map(|name| name.to_string_lossy());
        // Other folders are git's or the user's.
        let run = run.filter(|name| uuid::Uuid::try_parse(name).is_ok()).map(RunId::new);
        let guard = run.and_then(|run| standalone::lock(home, &run).ok());
        let is_gone = guard.is_some();
        held.borrow_mut().extend(guard);
        is_gone
    };
    worktree::remove_leftovers(&root, &folder, is_gone).await?;
    clear_folder(&folder);
    Ok(())
}

/// Removes a worktree whose run rests.
///
/// # Errors
/// When a file of it cannot be removed.
pub(super) async fn remove(tree: &Worktree) -> Result<(), Failure> {
    tree.remove().await?;
    tree.place().parent().iter().for_each(|folder| clear_folder(folder));
    Ok(())
}

/// Removes the folder of worktrees, unless others work there.
fn clear_folder(worktrees: &Path) {
    let _ = std::fs::remove_dir(worktrees);
}
