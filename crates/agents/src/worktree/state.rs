//! What stands in a worktree: set to a recorded change, and read as a change again.
//!
//! Trees are made in an index that stands for no files. A change reaches the files only as a whole, and only after it
//! was looked at.
//!
//! Invariant: the same files give the same diff, byte for byte, whatever the user's configuration says.
//! Absent here: how a model's diff is read.

use super::{
    admin,
    changes::{self, Change},
    fault::TreeError,
    git::{Git, GitError},
    protected::{Protected, Refusal},
    tree::{Worktree, blocking},
};
use redraft_workflows::pair::Outcome;
use std::path::{Path, PathBuf};

/// The longest change, in bytes: what a reply may hold, and more than anybody reads.
pub const LONGEST: usize = 8 << 20;

/// How git writes a change.
const AS_TEXT: &[&str] = &[
    "-r",
    "-p",
    "--no-renames",
    "--full-index",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--unified=3",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--indent-heuristic",
];

impl Worktree {
    /// Sets the worktree to its commit with a recorded change: all else is gone, except what the repository ignores.
    ///
    /// # Errors
    /// When the change does not apply, or git fails.
    pub async fn reset_to(&self, diff: &str) -> Result<(), TreeError> {
        let tree = self.recorded(diff).await?;
        self.set_to(&tree).await
    }

    /// The tree of a recorded change.
    pub(super) async fn recorded(&self, diff: &str) -> Result<String, TreeError> {
        self.admin().settle()?;
        let tree = self.tree_with(self.commit(), diff, &[]).await?;
        tree.map_err(|words| TreeError::Recorded {
            place: self.place().to_owned(),
            commit: self.commit().to_owned(),
            words,
        })
    }

    /// Sets tracked files back to this tree; files that git does not know of stay.
    pub(super) async fn restore(&self, tree: &str) -> Result<(), TreeError> {
        self.admin().settle()?;
        let read = || self.git("read-tree").args(&["--reset", "-u", tree]);
        if read().run(b"").await?.is_fine() {
            return Ok(());
        }
        // A program has made folders unwritable, or spoilt the index.
        let (place, index) = (self.place().to_owned(), self.index());
        blocking(move || {
            admin::writable(&place);
            admin::remove(&index)
        })
        .await?;
        read().fine(b"").await.map(drop).map_err(TreeError::from)
    }

    /// Makes our index anew, in place of one that a program has written to.
    pub(super) async fn renew_index(&self) -> Result<(), TreeError> {
        admin::remove(&self.index())?;
        self.git("read-tree").args(&[self.commit()]).fine(b"").await?;
        Ok(())
    }

    /// Sets the worktree to this tree.
    pub(super) async fn set_to(&self, tree: &str) -> Result<(), TreeError> {
        self.restore(tree).await?;
        let clean = || self.git("clean").args(&["-ffdq"]);
        if !clean().run(b"").await?.is_fine() {
            let place = self.place().to_owned();
            blocking(move || {
                admin::writable(&place);
                Ok(())
            })
            .await?;
            clean().fine(b"").await?;
        }
        for (path, _) in self.planted().await? {
            admin::remove(&path)?;
        }
        // What programs see as the commit, and their index, as if nobody had been there.
        admin::remove(&self.admin().folder.join("index"))?;
        let head = self.plain_git("update-ref").args(&["--no-deref", "HEAD", self.commit()]);
        head.fine(b"").await?;
        let index = self.plain_git("read-tree").args(&[self.commit()]);
        index.fine(b"").await?;
        Ok(())
    }

    /// What a program made of the worktree, as git's own diff against the commit; refused where it touches what may
    /// not be touched.
    ///
    /// # Errors
    /// When git fails.
    pub async fn changed(&self, rules: &Protected) -> Result<Outcome, TreeError> {
        self.admin().settle()?;
        if let Err(refusal) = self.look(rules).await? {
            return Ok(refused(&refusal));
        }
        let added = self.git("add").args(&["--all"]).run(b"").await?;
        if !added.is_fine() {
            return Ok(Outcome::Refused(added.words));
        }
        if let Some((_, refusal)) = self.planted().await?.first() {
            return Ok(refused(refusal));
        }
        let tree = self.git("write-tree").args(&["--missing-ok"]).fine(b"").await?.line();
        self.judged(&tree, rules).await
    }

    async fn planted(&self) -> Result<Vec<(PathBuf, Refusal)>, TreeError> {
        let files = self.git("ls-files").args(&["-z"]).fine(b"").await?.stdout;
        Ok(changes::planted(self.place(), &files))
    }

    /// What is new in the files is looked at before git reads it.
    async fn look(&self, rules: &Protected) -> Result<Result<(), Refusal>, TreeError> {
        let list = ["-z", "--modified", "--others", "--exclude-standard"];
        let found = self.git("ls-files").args(&list).fine(b"").await?.stdout;
        let check = |path| {
            rules.path(path)?;
            changes::check_file(self.place(), path)
        };
        let few = changes::check_number(changes::paths(&found).count());
        if let Err(refusal) = few.and_then(|()| changes::paths(&found).try_for_each(check)) {
            return Ok(Err(refusal));
        }
        let list = ["-z", "--others", "--exclude-standard"];
        let new = self.git("ls-files").args(&list).fine(b"").await?.stdout;
        Ok(changes::check_new(self.place(), &new))
    }

    /// The change that this tree is, if it may be.
    pub(super) async fn judged(&self, tree: &str, rules: &Protected) -> Result<Outcome, TreeError> {
        let between = |options: &[&str]| self.between(options, tree);
        let raw = between(&["-r", "-z", "--raw", "--no-renames"]).fine(b"").await?.stdout;
        for change in changes::read(&raw) {
            let target = match change.is_link() {
                true => Some(self.git("cat-file").args(&["blob", &change.blob]).fine(b"").await?),
                false => None,
            };
            let target = target.as_ref().map(|said| &*said.stdout);
            if let Err(refusal) = Change::check(&change, rules, target) {
                return Ok(refused(&refusal));
            }
        }
        let counts = between(&["-r", "-z", "--numstat", "--no-renames"]).fine(b"").await?.stdout;
        if let Some(path) = changes::binary(&counts) {
            return Ok(refused(&Refusal::Binary { path }));
        }
        let diff = match between(AS_TEXT).fine(b"").await {
            Ok(said) => changes::text(said.stdout, &counts),
            Err(GitError::TooLong { cap, .. }) => Err(changes::too_long(cap, &counts)),
            Err(error) => return Err(error.into()),
        };
        Ok(diff.map_or_else(|refusal| refused(&refusal), Outcome::Applied))
    }

    fn between(&self, options: &[&str], tree: &str) -> Git {
        self.git("diff-tree").args(options).args(&[self.commit(), tree])
    }

    /// The tree that a diff makes of another; git's own words where it does not apply. No file is touched.
    pub(super) async fn tree_with(
        &self,
        base: &str,
        diff: &str,
        options: &[&str],
    ) -> Result<Result<String, String>, TreeError> {
        tree_with(|what| self.scratch(what), base, diff, options).await
    }
}

/// The tree that a diff makes of another, by commands whose index stands for no files.
pub(super) async fn tree_with(
    git: impl Fn(&str) -> Git,
    base: &str,
    diff: &str,
    options: &[&str],
) -> Result<Result<String, String>, TreeError> {
    git("read-tree").args(&[base]).fine(b"").await?;
    if !diff.is_empty() {
        let apply = git("apply").args(&["--cached", "--whitespace=nowarn"]);
        let said = apply.args(options).arg("-").run(diff.as_bytes()).await?;
        if !said.is_fine() {
            return Ok(Err(said.words));
        }
    }
    let tree = git("write-tree").args(&["--missing-ok"]).fine(b"").await?;
    Ok(Ok(tree.line()))
}

pub(super) fn refused(refusal: &Refusal) -> Outcome {
    Outcome::Refused(refusal.to_string())
}

/// A path below the worktree, as git gives it.
pub(super) fn below(place: &Path, path: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    place.join(std::ffi::OsStr::from_bytes(path))
}
