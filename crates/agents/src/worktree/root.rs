//! A repository of the user's: where it is, and whether one can work on it.
//!
//! Invariant: nothing here writes.
//! Absent here: worktrees.

use super::{
    fault::TreeError,
    git::{Git, GitError},
};
use std::{
    ffi::OsString,
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};

/// A repository with files and at least one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The top folder of its files.
    pub folder: PathBuf,
    /// The folder that all of its worktrees share: `.git`, as a rule.
    pub common: PathBuf,
}

impl Root {
    /// The repository that this folder belongs to.
    ///
    /// # Errors
    /// When it belongs to none, to one without files of its own, or git does not trust it.
    pub async fn find(folder: &Path) -> Result<Self, TreeError> {
        let path = || folder.to_owned();
        if !folder.is_dir() {
            return Err(TreeError::NoFolder { path: path() });
        }
        let asked = Git::in_folder(folder, "rev-parse").args(&["--is-bare-repository"]);
        let said = asked.run(b"").await?;
        if !said.is_fine() {
            return Err(TreeError::NoRepository { path: path(), words: said.words });
        }
        if said.line() == "true" {
            return Err(TreeError::Bare { path: path() });
        }
        let top = Git::in_folder(folder, "rev-parse").args(&["--show-toplevel"]).run(b"").await?;
        if !top.is_fine() {
            return Err(TreeError::NoRepository { path: path(), words: top.words });
        }
        let (top, common) = (one_path(top.stdout), common_of(folder).await?);
        // `core.worktree` may name any folder, be it another repository's.
        if common_of(&top).await.is_ok_and(|theirs| theirs == common) {
            return Ok(Self { folder: top, common });
        }
        let words = format!("its files stand in {}, which does not belong to it", top.display());
        Err(TreeError::NoRepository { path: path(), words })
    }

    /// The full name of a commit, `HEAD` for the newest.
    ///
    /// # Errors
    /// When there is none of that name.
    pub async fn commit(&self, name: &str) -> Result<String, TreeError> {
        let asked = self.git("rev-parse").args(&["--verify", "--quiet", "--end-of-options"]);
        let said = asked.arg(format!("{name}^{{commit}}")).run(b"").await?;
        match said.is_fine() {
            true => Ok(said.line()),
            false if name == "HEAD" => Err(TreeError::NoCommit { path: self.folder.clone() }),
            false => {
                Err(TreeError::NoSuchCommit { path: self.folder.clone(), commit: name.to_owned() })
            }
        }
    }

    /// How many files are changed or new, and not committed.
    ///
    /// # Errors
    /// When git fails.
    pub async fn uncommitted(&self) -> Result<usize, TreeError> {
        let status = self.git("status").args(&["--porcelain=v1", "-z", "--no-renames"]);
        let said = status.fine(b"").await?;
        Ok(said.stdout.iter().filter(|&&byte| byte == 0).count())
    }

    /// A command in the repository.
    pub(super) fn git(&self, what: &str) -> Git {
        Git::in_folder(&self.folder, what)
    }
}

/// The folder that all worktrees of the repository here share.
async fn common_of(folder: &Path) -> Result<PathBuf, TreeError> {
    let asked = Git::in_folder(folder, "rev-parse").args(&["--git-common-dir"]);
    let common = folder.join(one_path(asked.fine(b"").await?.stdout));
    common.canonicalize().map_err(TreeError::file("find", &common))
}

impl From<GitError> for TreeError {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}

fn one_path(mut line: Vec<u8>) -> PathBuf {
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    OsString::from_vec(line).into()
}
