//! A worktree of ours: made, opened again after a kill, and removed without a trace.
//!
//! Invariant: the user's files, index, `HEAD`, stash and branches are never written; what git has to keep while we work
//! stands in its folder for this worktree, objects included, and goes with it.
//! Absent here: what is done in it.

use super::{
    admin::{self, Admin, is_folder},
    fault::TreeError,
    git::Git,
    root::Root,
};
use crate::command::end_leftovers;
use std::{
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::task::spawn_blocking;

/// How long it may take to set a worktree to a state before a call, and to look at it afterwards.
pub(super) const TIDYING: Duration = Duration::from_secs(120);

/// A worktree of our own at a commit of the user's repository. One thing at a time is done in it.
#[derive(Debug)]
pub struct Worktree {
    admin: Admin,
    root: Root,
    commit: String,
}

impl Worktree {
    /// A worktree at this place, with the files of this commit. One that stands there already, as a killed run leaves
    /// it, is taken over and set back; ignored files such as build caches stay.
    ///
    /// # Errors
    /// When the place holds something else, or git fails.
    pub async fn open(root: &Root, place: &Path, commit: &str) -> Result<Self, TreeError> {
        // What a killed run left at work here must not go on.
        let _ = spawn_blocking(end_leftovers).await;
        let (root, place) = (root.clone(), settled(place)?);
        let commit = root.commit(commit).await?;
        let known = admin::all(&root.common)?.into_iter().find(|known| known.place == place);
        if let Some(admin) = known {
            if admin.is_whole() {
                let tree =
                    Self { admin: admin.clone(), root: root.clone(), commit: commit.clone() };
                if tree.ready().await.is_ok() {
                    return Ok(tree);
                }
            }
            // Half made, or spoilt beyond what can be set back.
            blocking(move || admin.remove()).await?;
        }
        if !is_free(&place) {
            return Err(TreeError::Foreign { place, repository: root.folder });
        }
        // A kill may have left a folder of that name with nothing in it; git would take another name.
        if let Some(name) = place.file_name() {
            admin::remove_blank(&root.common.join("worktrees").join(name));
        }
        let tree = Self { admin: add(&root, place, &commit).await?, root, commit };
        if let Err(error) = tree.ready().await {
            // What went wrong first is told; what cannot be removed goes with the next run.
            let _ = tree.remove().await;
            return Err(error);
        }
        Ok(tree)
    }

    async fn ready(&self) -> Result<(), TreeError> {
        keep_objects_apart(&self.root, &self.objects())?;
        self.reset_to("").await
    }

    /// Where it stands.
    pub fn place(&self) -> &Path {
        &self.admin.place
    }

    /// The commit that changes are made against, by its full name.
    pub fn commit(&self) -> &str {
        &self.commit
    }

    /// The repository.
    pub fn root(&self) -> &Root {
        &self.root
    }

    pub(super) fn admin(&self) -> &Admin {
        &self.admin
    }

    /// Removes it, and all that git keeps of it.
    ///
    /// # Errors
    /// When a file cannot be removed; it is still known as ours then.
    pub async fn remove(&self) -> Result<(), TreeError> {
        let admin = self.admin.clone();
        blocking(move || admin.remove()).await
    }

    /// A command in the worktree, whose index is neither the user's nor the one that programs see: what they hide in
    /// theirs is not hidden from us.
    pub(super) fn git(&self, what: &str) -> Git {
        self.git_with(self.index(), what)
    }

    /// A command whose index stands for no files: what is tried there touches none.
    pub(super) fn scratch(&self, what: &str) -> Git {
        self.git_with(self.admin.folder.join("redraft-scratch"), what)
    }

    fn git_with(&self, index: PathBuf, what: &str) -> Git {
        let git = self.plain_git(what).env("GIT_INDEX_FILE", index);
        git.env("GIT_OBJECT_DIRECTORY", self.objects())
    }

    /// A command as programs in the worktree would give it.
    pub(super) fn plain_git(&self, what: &str) -> Git {
        Git::of(&self.admin.folder, &self.root.common, &self.admin.place, what)
    }

    pub(super) fn index(&self) -> PathBuf {
        self.admin.folder.join("redraft-index")
    }

    fn objects(&self) -> PathBuf {
        self.admin.folder.join("redraft-objects")
    }
}

/// New objects stand apart from the user's, which are read where they are.
pub(super) fn keep_objects_apart(root: &Root, objects: &Path) -> Result<(), TreeError> {
    let info = objects.join("info");
    fs::create_dir_all(&info).map_err(TreeError::file("make", &info))?;
    let (file, theirs) = (info.join("alternates"), root.common.join("objects"));
    let mut line = theirs.as_os_str().as_bytes().to_vec();
    line.push(b'\n');
    fs::write(&file, line).map_err(TreeError::file("write", &file))
}

/// Removes the worktrees that killed runs left below this folder. `is_gone` says of a place whether its run is over; it is
/// asked of places that are nobody's run, too.
/// Gives the places that were freed.
///
/// # Errors
/// When one cannot be removed.
pub async fn remove_leftovers(
    root: &Root,
    folder: &Path,
    is_gone: impl Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, TreeError> {
    // Whoever is still at work there would write anew what is removed.
    let _ = spawn_blocking(end_leftovers).await;
    let mut freed = Vec::new();
    for admin in leftovers_in(root, folder)?.into_iter().filter(|admin| is_gone(&admin.place)) {
        let place = admin.place.clone();
        blocking(move || admin.remove()).await?;
        freed.push(place);
    }
    for blank in admin::blank(&root.common) {
        // Git names its folder as the place.
        let place = blank.file_name().map(|name| folder.join(name));
        if place.is_some_and(|place| is_gone(&place)) {
            admin::remove_blank(&blank);
        }
    }
    Ok(freed)
}

/// The places below this folder at which the repository has worktrees of ours.
///
/// # Errors
/// When git's own folder cannot be read.
pub fn leftovers(root: &Root, folder: &Path) -> Result<Vec<PathBuf>, TreeError> {
    Ok(leftovers_in(root, folder)?.into_iter().map(|admin| admin.place).collect())
}

fn leftovers_in(root: &Root, folder: &Path) -> Result<Vec<Admin>, TreeError> {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let known = admin::all(&root.common)?.into_iter();
    Ok(known.filter(|admin| admin.place.starts_with(&folder)).collect())
}

async fn add(root: &Root, place: PathBuf, commit: &str) -> Result<Admin, TreeError> {
    let add = root.git("worktree").args(&["add", "--detach", "--no-checkout", "--quiet", "--lock"]);
    let add = add.arg("--reason").arg(admin::reason(&place)).arg(&place).arg(commit);
    add.fine(b"").await?;
    let known = admin::all(&root.common)?.into_iter().find(|known| known.place == place);
    known.ok_or_else(|| TreeError::Foreign { place, repository: root.folder.clone() })
}

/// The place with its folder made, named without links.
fn settled(place: &Path) -> Result<PathBuf, TreeError> {
    let place = std::path::absolute(place).map_err(TreeError::file("find", place))?;
    let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else {
        return Err(TreeError::NoFolder { path: place });
    };
    fs::create_dir_all(folder).map_err(TreeError::file("make", folder))?;
    let folder = folder.canonicalize().map_err(TreeError::file("find", folder))?;
    Ok(folder.join(name))
}

/// Whether nothing stands there.
fn is_free(place: &Path) -> bool {
    match fs::symlink_metadata(place) {
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        Ok(_) => is_folder(place) && fs::read_dir(place).is_ok_and(|mut all| all.next().is_none()),
    }
}

/// Work on many files, away from the threads on which others wait.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, TreeError> + Send + 'static,
) -> Result<T, TreeError> {
    let done = spawn_blocking(work).await;
    done.unwrap_or_else(|error| {
        Err(TreeError::file("work on", Path::new("worktree"))(std::io::Error::other(error)))
    })
}
