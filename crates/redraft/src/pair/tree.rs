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
use redraft_store::{HOME, Home, LockError, LockGuard, Store, Wait};
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

/// Beside the place of a worktree: its run is decided, and nobody has been handed its change yet.
fn mark_of(worktrees: &Path, run: &RunId) -> PathBuf {
    worktrees.join(format!("{run}.decided"))
}

/// Whether a decided run's driver was killed before anything was handed over: a worktree goes, and so does its mark, when
/// that is done.
pub(super) fn is_to_be_handed_over(worktrees: &Path, run: &RunId) -> bool {
    worktrees.join(run.as_str()).exists() || mark_of(worktrees, run).exists()
}

/// The lock under which worktrees of others are removed.
const CLEANING: &str = "worktrees";

/// The lock of a run. Whoever removes what killed runs have left holds theirs meanwhile, and is waited for.
///
/// # Errors
/// When somebody else drives it.
pub(crate) fn lock(home: &Home, run: &RunId) -> Result<LockGuard, LockError> {
    match standalone::lock(home, run) {
        Err(LockError::Busy { .. }) => {
            drop(home.lock(CLEANING, Wait::Forever)?);
            standalone::lock(home, run)
        }
        other => other,
    }
}

/// The repository where it was when the run was opened; where it has moved, the one that the command names, if that has
/// the commit.
///
/// # Errors
/// When there is none, or git fails.
pub(crate) async fn root_of(repository: &Repository, from: &Path) -> Result<Root, Failure> {
    match Root::find(Path::new(&repository.folder)).await {
        Ok(root) => Ok(root),
        Err(gone) => {
            let named = Root::find(from).await.map_err(|_| Failure::from(gone))?;
            named.commit(&repository.commit).await?;
            Ok(named)
        }
    }
}

/// A run's worktree, made or taken over as a killed driver left it.
///
/// # Errors
/// When the repository or its commit is gone, or git fails.
pub(super) async fn tree_of(
    repository: &Repository,
    place: &Place,
    run: &RunId,
) -> Result<Worktree, Failure> {
    let root = root_of(repository, &place.from).await?;
    let opened = Worktree::open(&root, &place_of(place, run), &repository.commit).await;
    if opened.is_err() {
        clear_folder(&worktrees(place));
    }
    Ok(opened?)
}

/// Removes the worktrees of runs that nobody drives; one that is resumed makes its own anew. Of a decided one a mark
/// stays until its change is handed over.
///
/// # Errors
/// When one cannot be removed.
pub(crate) async fn clear(root: &Root, home: &Home, store: &Store) -> Result<(), Failure> {
    let folder = home.dir().join(WORKTREES);
    let _cleaning = home.lock(CLEANING, Wait::Forever)?;
    // Nobody may begin to drive a run while its worktree goes.
    let held: RefCell<Vec<LockGuard>> = RefCell::default();
    let is_gone = |place: &Path| {
        let run = place.file_name().map(|name| name.to_string_lossy());
        // Other folders are git's or the user's.
        let run = run.filter(|name| uuid::Uuid::try_parse(name).is_ok()).map(RunId::new);
        let guard = run.as_ref().and_then(|run| standalone::lock(home, run).ok());
        let is_gone =
            guard.is_some() && run.is_some_and(|run| is_kept_in_mind(store, &folder, &run));
        held.borrow_mut().extend(guard);
        is_gone
    };
    worktree::remove_leftovers(root, &folder, is_gone).await?;
    clear_folder(&folder);
    Ok(())
}

/// Marks the run where it is decided; one that cannot be marked keeps its worktree.
fn is_kept_in_mind(store: &Store, folder: &Path, run: &RunId) -> bool {
    // A run that was never opened has nothing to hand over.
    let is_decided = standalone::stored(store, run).is_ok_and(|run| run.decision().is_some());
    !is_decided || std::fs::write(mark_of(folder, run), "").is_ok()
}

/// Removes the worktree of a run whose change is handed over, and the mark that it had to be.
///
/// # Errors
/// When a file cannot be removed.
pub(crate) async fn handed_over(
    repository: &Repository,
    place: &Place,
    run: &RunId,
) -> Result<(), Failure> {
    let (folder, own) = (worktrees(place), place_of(place, run));
    match root_of(repository, &place.from).await {
        // Whoever was killed here may have left git's own note of a worktree that is gone.
        Ok(root) => {
            let own = folder.canonicalize().map_or(own, |folder| folder.join(run.as_str()));
            worktree::remove_leftovers(&root, &folder, |place| place == own).await?;
        }
        // A repository that is not there any more keeps no such note.
        Err(_) if !own.exists() => {}
        Err(failure) => return Err(failure),
    }
    let _ = std::fs::remove_file(mark_of(&folder, run));
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

/// Removes the folder of worktrees, unless something stands there.
fn clear_folder(worktrees: &Path) {
    let _ = std::fs::remove_dir(worktrees);
}
