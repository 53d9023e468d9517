//! Projecting runs to the workspace's files: after the facts are durable, before the next call leaves.
//!
//! Invariant: files follow from the journal; writing them again changes nothing. `state.json` is written under
//! the workspace's lock from the fold of all runs, at most once an iteration.
//! Absent here: what the files say, which the workflow knows.

use super::{Desk, View};
use crate::exit::Failure;
use futures::FutureExt;
use redraft_engine::{BoxFuture, Files, sha256};
use redraft_loop::{Hash, Reading, Run, Turn};
use redraft_store::WorkspaceFiles;
use redraft_workflows::review::{
    files::{self, FileChange},
    json, kept,
    model::AssetId,
};
use std::{collections::BTreeMap, io, path::Path, sync::Arc};
use tokio::sync::Mutex;

/// What the runs of one workspace share in one process.
pub(crate) struct Shared {
    pub(crate) desk: Desk,
    pub(crate) files: Arc<WorkspaceFiles>,
    pub(crate) view: Mutex<View>,
}

impl Shared {
    /// Writes `state.json` as the journal has it now.
    pub(crate) async fn write_state(&self) -> Result<(), Failure> {
        let mut view = self.view.lock().await;
        let _lock = self.desk.lock_shared()?;
        view.refresh(&self.desk.store, &self.desk.key)?;
        self.put_state(&view)
    }

    /// The same for whoever holds the lock.
    pub(super) fn put_state(&self, view: &View) -> Result<(), Failure> {
        let text = json::write(&view.state()?).map_err(io::Error::other).map_err(failed)?;
        self.files.write("state.json", text.as_bytes())?;
        Ok(())
    }

    /// Brings files to what the changes say, all or nothing.
    pub(crate) fn apply(&self, changes: &[FileChange]) -> Result<(), Failure> {
        apply(&self.files, changes).map_err(failed)
    }
}

#[allow(clippy::needless_pass_by_value)] // as map_err gives it
fn failed(error: io::Error) -> Failure {
    Failure::of(crate::exit::Code::Failure, &error)
}

fn apply(files: &WorkspaceFiles, changes: &[FileChange]) -> io::Result<()> {
    // Several turns may write one file, such as a source they share; the last of them counts.
    let last: BTreeMap<&str, &FileChange> = changes.iter().map(|c| (c.path(), c)).collect();
    let (mut writes, mut removes) = (Vec::new(), Vec::new());
    for (path, change) in last {
        match change {
            FileChange::Write { text, .. } => writes.push((path, text.as_bytes())),
            FileChange::Remove { .. } => removes.push(path),
        }
    }
    files.write_all(&writes)?;
    for path in removes {
        files.remove(path)?;
    }
    Ok(())
}

/// The files of one asset's run.
pub(crate) struct AssetFiles {
    pub(crate) asset: AssetId,
    pub(crate) shared: Arc<Shared>,
}

impl AssetFiles {
    async fn write(&self, run: &Run, from: usize) -> Result<(), Failure> {
        let new = run.turns().get(from..).unwrap_or_default();
        let tells = files::has_protocol(run, new);
        let mut changes = changes(&self.asset, new).map_err(io::Error::other).map_err(failed)?;
        if tells {
            let protocol = files::of_protocol(&self.asset, run, from);
            changes.extend(protocol.map_err(io::Error::other).map_err(failed)?);
        }
        if self.selects(run).await {
            let selected = files::selected(&self.asset, run);
            changes.extend(selected.iter().flat_map(files::of_selection));
        }
        self.apply(run, new, changes).await?;
        if tells {
            self.shared.write_state().await?;
        }
        Ok(())
    }

    /// Where runs share a file, the newest run that writes it counts, whichever of them writes last.
    async fn apply(
        &self,
        run: &Run,
        new: &[Turn],
        mut changes: Vec<FileChange>,
    ) -> Result<(), Failure> {
        if new.iter().all(|turn| files::shared_places(turn).is_empty()) {
            return self.shared.apply(&changes);
        }
        let mut view = self.shared.view.lock().await;
        // Held until the files are there: a newer run that commits meanwhile writes after this.
        let _lock = self.shared.desk.lock_shared()?;
        view.refresh(&self.shared.desk.store, &self.shared.desk.key)?;
        let newer = view.written_by_newer(&run.opened().run);
        changes.retain(|change| !newer.contains(change.path()));
        self.shared.apply(&changes)
    }

    /// A path that could not be written later is refused now, while the reply is not yet durable.
    fn admit_path(&self, path: &str) -> Result<(), String> {
        let Ok(place) = self.shared.files.resolve(path) else {
            return Err(format!("mutate_files path escapes root: {path}"));
        };
        let Some(real) = real_path(self.shared.files.root(), &place) else {
            return Err(format!("mutate_files path escapes root: {path}"));
        };
        let is = |part: &str, name: &str| part.eq_ignore_ascii_case(name);
        let mut parts = real.split('/');
        if files::OWNED.iter().any(|owned| parts.clone().take(1).any(|first| is(first, owned))) {
            return Err(format!("mutate_files path belongs to the journal: {path}"));
        }
        if parts.any(|part| is(part, ".git")) {
            return Err(format!("mutate_files path belongs to a repository: {path}"));
        }
        if place.ancestors().skip(1).any(|folder| folder.is_file()) {
            return Err(format!("mutate_files path lies below a file: {path}"));
        }
        match place.symlink_metadata() {
            Ok(found) if !found.is_file() => {
                Err(format!("mutate_files path is no regular file: {path}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the selection's files are the run's; where a person's pick stands they are not.
    async fn selects(&self, run: &Run) -> bool {
        self.shared.view.lock().await.workspace.selects(&run.opened().run, &self.asset)
    }
}

fn changes(asset: &AssetId, new: &[Turn]) -> Result<Vec<FileChange>, json::JsonError> {
    let mut changes = Vec::new();
    for turn in new {
        changes.extend(files::of_turn(asset, turn)?);
    }
    Ok(changes)
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The path within the workspace that a place really has, folder links followed.
fn real_path(root: &Path, place: &Path) -> Option<String> {
    let folder = place.ancestors().skip(1).find(|folder| folder.exists())?;
    let rest = place.strip_prefix(folder).ok()?;
    let real = folder.canonicalize().ok()?.join(rest);
    let inside = real.strip_prefix(root.canonicalize().ok()?).ok()?;
    Some(inside.to_string_lossy().into_owned())
}

impl Files for AssetFiles {
    /// What other seats of the step have said already is written together with this.
    fn admit(&self, run: &Run, reading: &Reading) -> Result<(), String> {
        let wanted = kept::mutate_files(reading);
        let beside: Vec<String> =
            run.said().flat_map(|said| kept::mutate_files(said).into_keys()).collect();
        for path in wanted.keys() {
            self.admit_path(path)?;
            let clash = |other: &&String| is_below(other, path) || is_below(path, other);
            if let Some(other) = wanted.keys().chain(&beside).find(clash) {
                return Err(format!("mutate_files cannot write both {path} and {other}"));
            }
        }
        Ok(())
    }

    fn seal(&self, _run: &Run, turn: &Turn) -> io::Result<Hash> {
        Ok(sha256(turn.text()))
    }

    fn project<'a>(&'a self, run: &'a Run, from: usize) -> BoxFuture<'a, io::Result<()>> {
        async move {
            let written = self.write(run, from).await;
            written.map_err(|failure| io::Error::other(failure.message))
        }
        .boxed()
    }
}
