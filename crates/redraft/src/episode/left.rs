//! What a command that was killed, or is still at work, may have left in the workspace's files.
//!
//! Invariant: each text stood in the journal at some moment since all files were last known to be on disk; any other
//! is somebody's change.
//! Absent here: what has to stand there now; see `expected`.

use super::{Expected, StoredRun, View, expected, expected::captured, facts, read_text};
use crate::{
    commands::files::is_as_written,
    exit::{Code, Failure},
};
use redraft_loop::Run;
use redraft_store::{Store, StreamId, WorkspaceFiles};
use redraft_workflows::review::{
    documents,
    files::{self, FileChange},
    json,
    model::{Asset, EpisodeWorkspace},
    workspace::{Workspace, WorkspaceFact},
};
use std::collections::BTreeMap;

/// The files of a workspace, as commands may have left them.
pub(crate) struct Left {
    /// Every file as the journal had it before the facts whose files may not all be on disk.
    before: BTreeMap<String, Expected>,
    /// What else may stand there since.
    since: BTreeMap<String, Vec<Expected>>,
}

impl Left {
    /// What may stand in the workspace's files.
    pub(crate) fn of(view: &View, store: &Store, files: &WorkspaceFiles) -> Result<Self, Failure> {
        let mut left = Self { before: before(view, store)?, since: BTreeMap::new() };
        let moments: Vec<Workspace> = view.workspace.since_mark().collect();
        let (marked, mut then) = (view.workspace.marked(), view.clone());
        for workspace in &moments {
            if *workspace == marked {
                continue;
            }
            then.workspace.clone_from(workspace);
            let all = expected(&then, store)?;
            all.into_iter().for_each(|(path, file)| left.add(path, file));
        }
        let open = view.runs.iter().filter(|stored| !view.is_synced(stored));
        let open: Result<Vec<Past<'_>>, Failure> =
            open.map(|stored| Ok((stored, past(stored, store)?))).collect();
        let open = open?;
        for (stored, past) in &open {
            left.of_run(stored, past).map_err(|error| Failure::of(Code::Failure, &error))?;
        }
        left.state(view, &moments, &open, files);
        Ok(left)
    }

    /// Whether the journal had a file there before all this.
    pub(crate) fn knows(&self, path: &str) -> bool {
        self.before.contains_key(path)
    }

    /// The files that the journal had before all this.
    pub(crate) fn known(&self) -> impl Iterator<Item = (&String, &Expected)> {
        self.before.iter()
    }

    /// Whether a file is as a command left it.
    pub(crate) fn has(&self, files: &WorkspaceFiles, path: &str) -> Result<bool, Failure> {
        let texts =
            self.before.get(path).into_iter().chain(self.since.get(path).into_iter().flatten());
        for text in texts {
            if is_as_written(files, path, text)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn add(&mut self, path: String, file: Expected) {
        let texts = self.since.entry(path).or_default();
        if !texts.contains(&file) {
            texts.push(file);
        }
    }

    /// The files of a run, as each of its turns wrote them.
    fn of_run(&mut self, stored: &StoredRun, past: &[Run]) -> Result<(), json::JsonError> {
        let asset = &stored.asset;
        let elsewhere = stored.run.opened().past.len();
        let mut changes = Vec::new();
        for turn in &stored.run.turns()[elsewhere..] {
            changes.extend(files::of_turn(asset, turn)?);
        }
        for run in past.iter().filter(|run| files::has_protocol(run, &run.turns()[elsewhere..])) {
            changes.extend(files::of_protocol(asset, run, elsewhere)?);
        }
        for change in changes {
            if let FileChange::Write { path, text } = change {
                let bytes = text.into_bytes();
                self.add(path, Expected { bytes, asset: Some(asset.clone()), is_input: false });
            }
        }
        Ok(())
    }

    /// `state.json` is the fold of all runs, each as far as it was when it was written.
    fn state(
        &mut self,
        view: &View,
        moments: &[Workspace],
        open: &[Past<'_>],
        files: &WorkspaceFiles,
    ) {
        let text = read_text(files, "state.json", Code::Damaged).ok().flatten();
        let read = text.and_then(|text| documents::episode_workspace(&text).ok().zip(Some(text)));
        let Some((found, text)) = read.filter(|_| !open.is_empty()) else { return };
        let marked = view.workspace.marked();
        for workspace in moments.iter().chain([&marked]) {
            let runs = view.runs.iter().filter_map(|stored| {
                let past = open.iter().find(|(other, _)| other.id == stored.id);
                let run = match past {
                    Some((_, past)) => newest_within(stored, past, &marked, &found)?,
                    None => &stored.run,
                };
                Some((stored.asset.clone(), run))
            });
            let then = workspace.state(&runs.collect::<Vec<_>>());
            if then.is_some_and(|then| json::write(&then).is_ok_and(|then| then == text)) {
                let bytes = text.into_bytes();
                return self
                    .add("state.json".into(), Expected { bytes, asset: None, is_input: false });
            }
        }
    }
}

/// A run whose files may not all be on disk, and how it stood after each fact that files follow from.
type Past<'a> = (&'a StoredRun, Vec<Run>);

fn past(stored: &StoredRun, store: &Store) -> Result<Vec<Run>, Failure> {
    let mut facts = facts(store, &StreamId::from(&stored.id), 0)?.into_iter();
    let damaged = |error| Failure::of(Code::Damaged, &error);
    let mut run = Run::replay(facts.next()).map_err(damaged)?;
    let mut past = vec![run.clone()];
    for fact in facts {
        let told = (run.turns().len(), run.limits().clone(), run.decision().cloned());
        run.apply(&fact);
        if told != (run.turns().len(), run.limits().clone(), run.decision().cloned()) {
            past.push(run.clone());
        }
    }
    Ok(past)
}

/// The run at the last moment of which `state.json` has everything; `None` where it has nothing of it.
fn newest_within<'a>(
    stored: &StoredRun,
    past: &'a [Run],
    workspace: &Workspace,
    found: &EpisodeWorkspace,
) -> Option<&'a Run> {
    let found = found.asset(&stored.asset)?;
    past.iter().rev().find(|run| {
        let state = workspace.state(&[(stored.asset.clone(), *run)]);
        state.is_some_and(|s| s.asset(&stored.asset).is_some_and(|asset| is_within(asset, found)))
    })
}

fn is_within(asset: &Asset, found: &Asset) -> bool {
    asset.candidates.iter().all(|candidate| found.candidates.contains(candidate))
        && asset.reviews.iter().all(|review| found.reviews.contains(review))
}

/// The files as they stood at the last mark, those at places that a reopening left among them.
fn before(view: &View, store: &Store) -> Result<BTreeMap<String, Expected>, Failure> {
    let marked = view.marked();
    let mut before = match marked.workspace.facts().is_empty() {
        true => BTreeMap::new(),
        false => expected(&marked, store)?,
    };
    for fact in view.workspace.unsynced() {
        if let WorkspaceFact::Reopened(reopened) = fact {
            before.extend(captured(&reopened.files, Some(&reopened.asset_id), store)?);
        }
    }
    Ok(before)
}
