//! What decides how git works in a repository and no change may touch: its configuration and its hooks.
//!
//! A program that works in one worktree can reach them, since it has the user's rights; then it is told, by name. Who
//! changed them is not known: the user works on meanwhile, so what his daily work writes to the configuration is passed
//! over.
//!
//! Invariant: what was changed under watch is told again at the end of each call, until it stands as before.
//! Absent here: putting them back. The user may have changed them meanwhile. Branches: he may commit meanwhile.

use super::{
    fault::TreeError,
    protected::{Refusal, shown},
    settings,
    tree::{Worktree, blocking},
};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What is looked at in the folder that all worktrees share. Git itself writes some other files of `info`.
const OF_ALL: [&str; 7] = [
    "config",
    "config.worktree",
    "hooks",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "info/sparse-checkout",
];

/// What is looked at in the folder of the one worktree.
const OF_ONE: [&str; 3] = ["commondir", "config.worktree", "gitdir"];

/// Looks from call to call whether they stand as they did.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// As they stood before whoever changed them; `None` while nobody is at work and all is well.
    before: Mutex<Option<Shared>>,
    /// Our own index, as it stood when this call began: whoever can write it can hide what is changed.
    index: Mutex<Option<Shared>>,
}

impl Watch {
    /// Before a program is at work.
    pub(super) async fn begin(&self, tree: &Worktree) -> Result<(), TreeError> {
        let (now, index) = (Shared::of(tree).await?, Shared::at([tree.index()]).await?);
        lock(&self.before).get_or_insert(now);
        *lock(&self.index) = Some(index);
        Ok(())
    }

    /// When its work is done: whether they stand as they did.
    pub(super) async fn end(&self, tree: &Worktree) -> Result<Result<(), Refusal>, TreeError> {
        let (now, index) = (Shared::of(tree).await?, Shared::at([tree.index()]).await?);
        if lock(&self.index).take() != Some(index) {
            tree.renew_index().await?;
        }
        let mut before = lock(&self.before);
        let same = before.as_ref().map_or(Ok(()), |before| before.check_same(&now));
        if same.is_ok() {
            *before = None;
        }
        Ok(same)
    }
}

/// How they stood at some moment: mode and SHA-256 by path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shared(BTreeMap<PathBuf, (u32, Vec<u8>)>);

impl Shared {
    async fn of(tree: &Worktree) -> Result<Self, TreeError> {
        let (common, own) = (&tree.root().common, &tree.admin().folder);
        let all = OF_ALL.map(|name| common.join(name)).into_iter();
        let all = all.chain(OF_ONE.map(|name| own.join(name))).collect::<Vec<_>>();
        let mut found = Self::at(all).await?;
        let config = common.join("config");
        if let (Some((_, digest)), Some(read)) =
            (found.0.get_mut(&config), settings::that_count(tree.root(), &config).await?)
        {
            *digest = Sha256::digest(read).to_vec();
        }
        Ok(found)
    }

    async fn at(
        paths: impl IntoIterator<Item = PathBuf> + Send + 'static,
    ) -> Result<Self, TreeError> {
        blocking(move || {
            let mut found = BTreeMap::new();
            paths.into_iter().for_each(|path| look(&path, &mut found));
            Ok(Self(found))
        })
        .await
    }

    fn check_same(&self, now: &Self) -> Result<(), Refusal> {
        let paths = self.0.keys().chain(now.0.keys());
        let mut changed = paths.filter(|path| self.0.get(*path) != now.0.get(*path));
        match changed.next() {
            Some(path) => Err(Refusal::Shared { path: shown(path.as_os_str().as_bytes()) }),
            None => Ok(()),
        }
    }
}

fn look(path: &Path, found: &mut BTreeMap<PathBuf, (u32, Vec<u8>)>) {
    let Ok(at) = fs::symlink_metadata(path) else { return };
    if at.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| look(&entry.path(), found));
        return;
    }
    let content = match at.is_symlink() {
        true => fs::read_link(path).map(|target| target.as_os_str().as_bytes().to_vec()),
        false if at.is_file() => fs::read(path),
        false => Ok(Vec::new()),
    };
    let digest = Sha256::digest(content.unwrap_or_default()).to_vec();
    found.insert(path.to_owned(), (at.permissions().mode(), digest));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
