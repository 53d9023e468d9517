//! A workspace a loop writes to, as the binary's own projection does it.
//!
//! Why it stands here again: the binary is no library. Kept line for line beside
//! `crates/redraft/src/episode/projection.rs`: texts by the workflow, `state.json` under the workspace's
//! lock from what the journal holds, at most once an iteration.
//! Absent here: what a person may have changed meanwhile.

use crate::{
    Outcome,
    play::{self, ASSET, NoFiles, Players, Script},
};
use redraft_engine::{BoxFuture, Files};
use redraft_loop::{Hash, Reading, Run, RunId, Turn};
use redraft_store::{
    Append, Filter, Home, Registration, Store, StreamId, StreamRow, StreamWrite, Wait,
    WorkspaceFiles, decode_fact,
};
use redraft_workflows::review::{
    files::{self, FileChange},
    json, kept,
    model::AssetId,
    shape,
    workspace::{self, RunEnded, Synced, Workspace, WorkspaceFact},
};
use std::{collections::BTreeMap, io, path::Path, sync::Mutex};

/// A workspace with one asset.
pub(crate) struct Episode {
    home: Home,
    store: Store,
    key: String,
    asset: AssetId,
    files: WorkspaceFiles,
    view: Mutex<View>,
}

#[derive(Default)]
struct View {
    workspace: Workspace,
    stream_facts: u64,
    run: Option<Run>,
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::other(error)
}

impl Episode {
    /// Makes the workspace: its first fact and its first files.
    pub(crate) async fn make(home: &Home, store: &Store, root: &Path) -> Outcome<Self> {
        let files = WorkspaceFiles::create(root)?;
        let episode = Self {
            key: home.workspace_key(root)?,
            home: home.clone(),
            store: store.clone(),
            asset: AssetId::parse(ASSET)?,
            files,
            view: Mutex::default(),
        };
        let created = r#"{"v":1,"fact":{"created":{"created_at":"2000-01-01T00:00:00Z","episode_id":"e1","root_dir":"w"}}}"#;
        let write = StreamWrite::shared(episode.stream(), vec![created.to_owned()]);
        store.append(Append::new(vec![write.registered(episode.registration())])).await?;
        episode.write_state()?;
        Ok(episode)
    }

    /// Plays a loop in it.
    pub(crate) async fn play(&self, script: Script) -> Outcome<()> {
        let run = play::new_run_id();
        let ended =
            WorkspaceFact::RunEnded(RunEnded { run: run.clone(), asset_id: self.asset.clone() });
        let journal = play::journal(&self.store, &run, &self.key, Some(self.write_of(&ended)?));
        play::play(run, script, &Players::scripted(script), &journal, self).await
    }

    /// What a command does before it reports its end: all files synced, and a mark that they are.
    pub(crate) async fn settle(&self) -> Outcome<()> {
        self.write_state()?;
        self.files.sync()?;
        let runs: BTreeMap<RunId, u64> = {
            let view = self.view.lock().map_err(|error| error.to_string())?;
            view.run.iter().map(|run| (run.opened().run.clone(), run.facts())).collect()
        };
        let synced = WorkspaceFact::Synced(Synced { runs, workspace: 0 });
        self.store.append(Append::new(vec![self.write_of(&synced)?])).await?;
        Ok(())
    }

    fn stream(&self) -> StreamId {
        StreamId::new(format!("workspace:{}", self.key))
    }

    fn registration(&self) -> Registration {
        Registration {
            kind: "workspace".into(),
            workspace: Some(self.key.clone()),
            subject: None,
            workflow: None,
            at: play::now().0,
        }
    }

    fn write_of(&self, fact: &WorkspaceFact) -> Outcome<StreamWrite> {
        let body = workspace::encode(fact)?;
        Ok(StreamWrite::shared(self.stream(), vec![body]).registered(self.registration()))
    }

    fn write_state(&self) -> io::Result<()> {
        let mut view = self.view.lock().map_err(|error| other(error.to_string()))?;
        let _lock =
            self.home.lock(&format!("workspace:{}", self.key), Wait::Forever).map_err(other)?;
        let filter = Filter { workspace: Some(self.key.clone()), ..Filter::default() };
        for row in self.store.streams(&filter).map_err(other)?.iter().rev() {
            view.refresh(&self.store, row)?;
        }
        let runs: Vec<(AssetId, &Run)> = view.run.iter().map(|r| (self.asset.clone(), r)).collect();
        let state = view.workspace.state(&runs).ok_or_else(|| other("no beginning"))?;
        let text = json::write(&state).map_err(other)?;
        self.files.write("state.json", text.as_bytes())?;
        Ok(())
    }

    fn write(&self, run: &Run, from: usize) -> io::Result<()> {
        let new = run.turns().get(from..).unwrap_or_default();
        let reviewed = new.iter().any(|turn| turn.step.as_str() == shape::REVIEW);
        let ended = reviewed || run.decision().is_some();
        let mut changes = Vec::new();
        for turn in new {
            changes.extend(files::of_turn(&self.asset, turn).map_err(other)?);
        }
        if ended {
            changes.extend(files::of_protocol(&self.asset, run, from).map_err(other)?);
        }
        let selected = files::selected(&self.asset, run);
        changes.extend(selected.iter().flat_map(files::of_selection));
        self.apply(&changes)?;
        if ended { self.write_state() } else { Ok(()) }
    }

    fn apply(&self, changes: &[FileChange]) -> io::Result<()> {
        let mut writes: Vec<(&str, &[u8])> = Vec::new();
        for change in changes {
            if let FileChange::Write { path, text } = change {
                writes.push((path, text.as_bytes()));
            }
        }
        self.files.write_all(&writes)?;
        for change in changes {
            if let FileChange::Remove { path } = change {
                self.files.remove(path)?;
            }
        }
        Ok(())
    }
}

impl View {
    fn refresh(&mut self, store: &Store, row: &StreamRow) -> io::Result<()> {
        if row.registration.kind == "workspace" {
            if row.seq == self.stream_facts {
                return Ok(());
            }
            for entry in store.read_after(&row.stream, self.stream_facts).map_err(other)? {
                self.workspace.add(workspace::decode(&entry.body).map_err(other)?);
                self.stream_facts = entry.seq;
            }
            return Ok(());
        }
        let have = self.run.as_ref().map_or(0, Run::facts);
        if row.seq == have {
            return Ok(());
        }
        let mut facts = Vec::new();
        for entry in store.read_after(&row.stream, have).map_err(other)? {
            facts.push(decode_fact(&entry.body).map_err(other)?);
        }
        match self.run.as_mut() {
            Some(run) => facts.iter().for_each(|fact| run.apply(fact)),
            None => self.run = Some(Run::replay(facts).map_err(other)?),
        }
        Ok(())
    }
}

impl Files for Episode {
    fn admit(&self, _: &Run, reading: &Reading) -> Result<(), String> {
        let paths = kept::mutate_files(reading);
        if paths.is_empty() {
            Ok(())
        } else {
            Err("these loops write no files of their own".into())
        }
    }

    fn seal(&self, run: &Run, turn: &Turn) -> io::Result<Hash> {
        NoFiles.seal(run, turn)
    }

    fn project<'a>(&'a self, run: &'a Run, from: usize) -> BoxFuture<'a, io::Result<()>> {
        Box::pin(async move { self.write(run, from) })
    }
}
