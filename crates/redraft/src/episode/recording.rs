//! Recording what a command does to a workspace: its fact, then its files, under the workspace's lock.
//!
//! Invariant: a `state.json` that is not what the journal wrote is never written over, and a workspace is taken
//! in once, however many processes start at once.
//! Absent here: runs, which write as they go on; see `projection`.

use super::{Episode, Left, Shared, View, expected, read_text, unsynced};
use crate::{
    commands::files::{differs, is_as_written, is_changed},
    exit::{Code, Failure},
};
use redraft_loop::RunId;
use redraft_workflows::review::{
    documents,
    files::FileChange,
    json,
    workspace::{Synced, WorkspaceFact},
};
use std::{collections::BTreeMap, sync::Arc};

impl Shared {
    /// What a command works with that writes to the workspace.
    pub(crate) fn of(episode: &Episode) -> Result<Self, Failure> {
        let files = Arc::clone(&episode.files);
        Ok(Self { desk: episode.desk()?, files, view: tokio::sync::Mutex::new(View::default()) })
    }

    /// Takes the workspace in as its files have it, unless another process has just done so.
    pub(crate) async fn take_in(&self, pending: Option<&WorkspaceFact>) -> Result<(), Failure> {
        let mut view = self.view.lock().await;
        let _lock = self.desk.lock_shared()?;
        self.take_in_locked(&mut view, pending).await
    }

    async fn take_in_locked(
        &self,
        view: &mut View,
        pending: Option<&WorkspaceFact>,
    ) -> Result<(), Failure> {
        view.refresh(&self.desk.store, &self.desk.key)?;
        if let Some(pending) = pending.filter(|_| !view.exists()) {
            self.desk.append(pending, Vec::new()).await?;
            view.refresh(&self.desk.store, &self.desk.key)?;
        }
        Ok(())
    }

    /// Makes a fact of the workspace durable, with the contents it names, and writes what follows from it.
    pub(crate) async fn record(
        &self,
        pending: Option<&WorkspaceFact>,
        fact: &WorkspaceFact,
        contents: Vec<Vec<u8>>,
        changes: &[FileChange],
    ) -> Result<(), Failure> {
        let mut view = self.view.lock().await;
        let _lock = self.desk.lock_shared()?;
        self.take_in_locked(&mut view, pending).await?;
        self.catch_up(&view).await?;
        self.check_state_locked(&view)?;
        self.desk.append(fact, contents).await?;
        view.refresh(&self.desk.store, &self.desk.key)?;
        self.apply(changes)?;
        self.put_state(&view)?;
        self.mark(&view).await
    }

    /// Writes again what a process that was killed may not have written of the workspace's own facts, and removes
    /// what it may not have removed. What a person has changed since stays as it is.
    async fn catch_up(&self, view: &View) -> Result<(), Failure> {
        if view.workspace.unsynced().is_empty() {
            return Ok(());
        }
        let files = unsynced(view, &self.desk.store)?;
        let left = Left::of(view, &self.desk.store, &self.files)?;
        let mut writes = Vec::new();
        for (path, file) in &files {
            match is_changed(&self.files, path, file, &left)? {
                // The description of the episode stood there before its fact.
                false if path != "episode.yaml" => writes.push((path, &file.bytes)),
                true if !file.is_input => return Err(differs(&self.files, path)),
                _ => {}
            }
        }
        self.files.write_all(&writes)?;
        let now = expected(view, &self.desk.store)?;
        for (path, file) in left.known().filter(|(path, _)| !now.contains_key(*path)) {
            if is_as_written(&self.files, path, file)? {
                self.files.remove(path)?;
            }
        }
        self.put_state(view)?;
        self.mark(view).await
    }

    /// Everything is written: syncs it, and says so in the journal.
    pub(crate) async fn mark(&self, view: &View) -> Result<(), Failure> {
        self.files.sync()?;
        let synced = Synced { runs: BTreeMap::new(), workspace: view.stream_facts() };
        self.desk.append(&WorkspaceFact::Synced(synced), Vec::new()).await?;
        Ok(self.desk.store.checkpoint().await?)
    }

    /// All files of these runs are written, as far as they go: writes what all runs share, syncs, and says so in
    /// the journal.
    pub(crate) async fn settle(&self, runs: BTreeMap<RunId, u64>) -> Result<(), Failure> {
        let workspace = self.view.lock().await.stream_facts();
        self.write_state().await?;
        self.files.sync()?;
        let synced = WorkspaceFact::Synced(Synced { runs, workspace });
        self.desk.append(&synced, Vec::new()).await?;
        let mut view = self.view.lock().await;
        view.refresh(&self.desk.store, &self.desk.key)?;
        Ok(self.desk.store.checkpoint().await?)
    }

    /// Refuses to go on from a `state.json` that is not what the journal wrote.
    pub(crate) async fn check_state(&self) -> Result<(), Failure> {
        let mut view = self.view.lock().await;
        let _lock = self.desk.lock_shared()?;
        view.refresh(&self.desk.store, &self.desk.key)?;
        self.catch_up(&view).await?;
        view.refresh(&self.desk.store, &self.desk.key)?;
        self.check_state_locked(&view)
    }

    /// Whoever writes it holds the lock too, and has written down before what it then says. While a run is not
    /// synced, it may be behind.
    fn check_state_locked(&self, view: &View) -> Result<(), Failure> {
        if !view.exists() || !view.runs.iter().all(|run| view.is_synced(run)) {
            return Ok(());
        }
        let state = view.state()?;
        let expected = json::write(&state).map_err(|error| Failure::of(Code::Failure, &error))?;
        let as_it_is = match read_text(&self.files, "state.json", Code::Damaged)? {
            // One that was never written yet, or that another implementation wrote in its own way, is as good.
            None => view.runs.is_empty(),
            Some(text) => {
                let same =
                    |text| documents::episode_workspace(text).is_ok_and(|read| read == state);
                text == expected || view.runs.is_empty() && same(&text)
            }
        };
        if as_it_is { Ok(()) } else { Err(differs(&self.files, "state.json")) }
    }
}
