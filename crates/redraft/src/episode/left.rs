//! What a command that was killed, or is still at work, may have left in the workspace's files.
//!
//! Invariant: each text stood in the journal at some moment since all files were last known to be on disk; any other
//! is somebody's change.
//! Absent here: what has to stand there now; see `expected`.

use super::{
    Expected, LARGEST_FILE, StoredRun, View, expected, expected::captured, past::Past, read_text,
};
use crate::{
    commands::files::is_as_written,
    exit::{Code, Failure},
};
use redraft_engine::sha256;
use redraft_loop::{Hash, Run, RunId};
use redraft_store::{FileError, Store, WorkspaceFiles};
use redraft_workflows::review::{
    documents,
    files::{self, FileChange},
    json,
    model::{Asset, EpisodeWorkspace},
    ours::Ours,
    workspace::{Workspace, WorkspaceFact},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// The files of a workspace, as commands may have left them.
pub(crate) struct Left {
    /// Every file as the journal had it before the facts whose files may not all be on disk.
    before: BTreeMap<String, Expected>,
    /// What else may stand there since.
    since: BTreeMap<String, Vec<Expected>>,
    /// The SHA-256 of what runs may have written since.
    written: BTreeMap<String, BTreeSet<Hash>>,
}

impl Left {
    /// What may stand in the workspace's files.
    pub(crate) fn of(view: &View, store: &Store, files: &WorkspaceFiles) -> Result<Self, Failure> {
        let (since, written) = (BTreeMap::new(), BTreeMap::new());
        let mut left = Self { before: before(view, store)?, since, written };
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
        let open = open.map(|stored| Past::of(stored, store));
        let open: Vec<Past<'_>> = open.collect::<Result<_, _>>()?;
        for past in &open {
            left.of_run(past).map_err(|error| Failure::of(Code::Failure, &error))?;
            left.protocol(past, files)?;
        }
        left.state(view, &moments, &open, files)?;
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
        let Some(written) = self.written.get(path) else { return Ok(false) };
        match files.read(path, LARGEST_FILE) {
            Ok(found) => Ok(found.is_some_and(|found| written.contains(&sha256(found)))),
            Err(FileError::NotAFile { .. } | FileError::TooLarge { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn add(&mut self, path: String, file: Expected) {
        let texts = self.since.entry(path).or_default();
        if !texts.contains(&file) {
            texts.push(file);
        }
    }

    fn wrote(&mut self, path: impl Into<String>, text: &str) {
        self.written.entry(path.into()).or_default().insert(sha256(text));
    }

    /// The files of a run, as each of its turns wrote them, and its protocol as it is now.
    fn of_run(&mut self, past: &Past<'_>) -> Result<(), json::JsonError> {
        let StoredRun { asset, run, .. } = past.stored;
        let elsewhere = run.opened().past.len();
        let new = &run.turns()[elsewhere..];
        for turn in new {
            self.wrote_all(files::of_turn(asset, turn)?);
        }
        if files::has_protocol(run, new) {
            self.wrote_all(files::of_protocol(asset, run, elsewhere)?);
        }
        Ok(())
    }

    fn wrote_all(&mut self, changes: Vec<FileChange>) {
        for change in changes {
            if let FileChange::Write { path, text } = change {
                self.wrote(path, &text);
            }
        }
    }

    /// What grows with each iteration, as far as it had grown when it was written: only the moments at which it was
    /// as long as what stands there are rendered.
    fn protocol(&mut self, past: &Past<'_>, files: &WorkspaceFiles) -> Result<(), Failure> {
        let StoredRun { asset, run, .. } = past.stored;
        let elsewhere = run.opened().past.len();
        let wrote = |run: &Run| files::has_protocol(run, &run.turns()[elsewhere..]);
        let path = files::protocol_path(asset);
        if let Some(text) = self.other(files, &path)
            && let Ok(found) = documents::protocol_state(&text)
        {
            let length = |run: &Run| files::protocol(asset, run).iterations.len();
            let as_long = as_long(past, found.iterations.len(), length)?;
            let is_it = |run: &Run| is_written(&files::protocol(asset, run), &text);
            if past.was(as_long, |run| wrote(run) && is_it(run))? {
                self.wrote(path, &text);
            }
        }
        let path = files::ours_path(asset);
        if let Some(text) = self.other(files, &path)
            && let Ok(found) = serde_json::from_str::<Listed>(&text)
        {
            let length = |run: &Run| Ours::of(asset, run).findings.len();
            let as_long = as_long(past, found.findings.len(), length)?;
            let is_it = |run: &Run| is_written(&Ours::of(asset, run), &text);
            if past.was(as_long, |run| wrote(run) && is_it(run))? {
                self.wrote(path, &text);
            }
        }
        Ok(())
    }

    /// What stands in a file that is not as the last fact has it.
    fn other(&self, files: &WorkspaceFiles, path: &str) -> Option<String> {
        let text = read_text(files, path, Code::Damaged).ok().flatten()?;
        let known = self.written.get(path).is_some_and(|texts| texts.contains(&sha256(&text)));
        (!known).then_some(text)
    }

    /// `state.json` is the fold of all runs, each as far as it was when it was written.
    fn state(
        &mut self,
        view: &View,
        moments: &[Workspace],
        open: &[Past<'_>],
        files: &WorkspaceFiles,
    ) -> Result<(), Failure> {
        let text = read_text(files, "state.json", Code::Damaged).ok().flatten();
        let read = text.and_then(|text| documents::episode_workspace(&text).ok().zip(Some(text)));
        let Some((found, text)) = read.filter(|_| !open.is_empty()) else { return Ok(()) };
        let marked = view.workspace.marked();
        let then: Result<BTreeMap<&RunId, Option<Run>>, Failure> = open
            .iter()
            .map(|past| Ok((&past.stored.id, newest_within(past, &marked, &found)?)))
            .collect();
        let then = then?;
        let runs = view.runs.iter().filter_map(|stored| {
            let run = match then.get(&stored.id) {
                Some(then) => then.as_ref()?,
                None => &stored.run,
            };
            Some((stored.asset.clone(), run))
        });
        let runs: Vec<_> = runs.collect();
        let mut states = moments.iter().chain([&marked]).filter_map(|then| then.state(&runs));
        if states.any(|state| is_written(&state, &text)) {
            self.wrote("state.json", &text);
        }
        Ok(())
    }
}

/// What of a `redraft.json` tells how far its run was.
#[derive(serde::Deserialize)]
struct Listed {
    findings: Vec<serde::de::IgnoredAny>,
}

fn is_written(value: &impl serde::Serialize, text: &str) -> bool {
    json::write(value).is_ok_and(|written| written == text)
}

/// The moments at which what grows with a run was so long.
fn as_long(
    past: &Past<'_>,
    length: usize,
    of: impl Fn(&Run) -> usize,
) -> Result<Range<usize>, Failure> {
    Ok(past.first(|run| of(run) >= length)?..past.first(|run| of(run) > length)?)
}

/// The run at the last moment of which `state.json` has everything; `None` where it has nothing of it.
fn newest_within(
    past: &Past<'_>,
    workspace: &Workspace,
    found: &EpisodeWorkspace,
) -> Result<Option<Run>, Failure> {
    let asset = &past.stored.asset;
    let Some(found) = found.asset(asset) else { return Ok(None) };
    let is_in = |run: &Run| {
        let state = workspace.state(&[(asset.clone(), run)]);
        state.is_some_and(|state| state.asset(asset).is_some_and(|asset| is_within(asset, found)))
    };
    match past.first(|run| !is_in(run))? {
        0 => Ok(None),
        beyond => past.at(beyond - 1).map(Some),
    }
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
