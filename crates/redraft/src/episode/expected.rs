//! What the journal says the workspace's files are.
//!
//! Invariant: every file that Redraft wrote and still stands by is here, with its bytes.
//! Absent here: the files as they are. Whoever asks compares.

use super::View;
use crate::exit::{Code, Failure};
use redraft_loop::Hash;
use redraft_store::Store;
use redraft_workflows::review::{
    files::{self, FileChange},
    json,
    model::AssetId,
    workspace::WorkspaceFact,
};
use std::collections::BTreeMap;

/// One file as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) bytes: Vec<u8>,
    /// The asset whose run wrote it; `None` for files of the workspace.
    pub(crate) asset: Option<AssetId>,
    /// A person's input: restored where it is missing, and never written over.
    pub(crate) is_input: bool,
}

/// Every file that the journal has, by path.
pub(crate) fn expected(view: &View, store: &Store) -> Result<BTreeMap<String, Expected>, Failure> {
    let mut all = All { files: BTreeMap::new(), store };
    for stored in &view.runs {
        let asset = Some(&stored.asset);
        let past = stored.run.opened().past.len();
        let new = &stored.run.turns()[past..];
        for turn in new {
            all.change(asset, files::of_turn(&stored.asset, turn).map_err(unwritable)?);
        }
        let closed = view.workspace.is_closed(&stored.id);
        if !closed && files::has_protocol(&stored.run, new) {
            let protocol = files::of_protocol(&stored.asset, &stored.run, past);
            all.change(asset, protocol.map_err(unwritable)?);
        }
    }
    for fact in view.workspace.facts() {
        all.fact(view, fact)?;
    }
    let state = json::write(&view.state()?).map_err(unwritable)?;
    all.put("state.json", None, state.into_bytes());
    Ok(all.files)
}

/// Captured contents, at the places they were captured from.
pub(super) fn captured(
    written: &BTreeMap<String, Hash>,
    asset: Option<&AssetId>,
    store: &Store,
) -> Result<BTreeMap<String, Expected>, Failure> {
    let mut all = All { files: BTreeMap::new(), store };
    all.captured(written, asset, str::to_owned)?;
    Ok(all.files)
}

/// The files of the workspace's facts that may not all be on disk, for whoever writes them again.
pub(crate) fn unsynced(view: &View, store: &Store) -> Result<BTreeMap<String, Expected>, Failure> {
    let mut all = All { files: BTreeMap::new(), store };
    for fact in view.workspace.unsynced() {
        all.fact(view, fact)?;
    }
    Ok(all.files)
}

#[allow(clippy::needless_pass_by_value)] // as map_err gives it
fn unwritable(error: json::JsonError) -> Failure {
    Failure::of(Code::Failure, &error)
}

struct All<'a> {
    files: BTreeMap<String, Expected>,
    store: &'a Store,
}

impl All<'_> {
    fn put(&mut self, path: &str, asset: Option<&AssetId>, bytes: Vec<u8>) {
        let is_input = path == "episode.yaml" || path.starts_with("transcript/");
        self.files.insert(path.to_owned(), Expected { bytes, asset: asset.cloned(), is_input });
    }

    fn change(&mut self, asset: Option<&AssetId>, changes: Vec<FileChange>) {
        for change in changes {
            match change {
                FileChange::Write { path, text } => self.put(&path, asset, text.into_bytes()),
                FileChange::Remove { path } => drop(self.files.remove(&path)),
            }
        }
    }

    fn captured(
        &mut self,
        written: &BTreeMap<String, Hash>,
        asset: Option<&AssetId>,
        place: impl Fn(&str) -> String,
    ) -> Result<(), Failure> {
        for (path, sha256) in written {
            let bytes = self.content(sha256)?;
            self.put(&place(path), asset, bytes);
        }
        Ok(())
    }

    fn content(&self, sha256: &Hash) -> Result<Vec<u8>, Failure> {
        self.store.content(sha256.as_str())?.ok_or_else(|| {
            Failure::new(Code::Damaged, format!("the journal has lost the content {sha256}"))
                .help("restore .redraft from a backup")
        })
    }

    fn fact(&mut self, view: &View, fact: &WorkspaceFact) -> Result<(), Failure> {
        match fact {
            WorkspaceFact::Created(created) => {
                for (path, text) in &created.files {
                    self.put(path, None, text.clone().into_bytes());
                }
            }
            WorkspaceFact::Ingested(ingested) => {
                self.files.retain(|path, _| !path.starts_with("transcript/"));
                self.captured(&ingested.files, None, str::to_owned)?;
            }
            WorkspaceFact::Summarised(summarised) => {
                self.files.retain(|path, _| !path.starts_with("summaries/"));
                self.captured(&summarised.files, None, str::to_owned)?;
            }
            WorkspaceFact::Exported(exported) => {
                self.captured(&exported.files, None, str::to_owned)?;
            }
            WorkspaceFact::Drafted(drafted) => {
                for candidate in &drafted.candidates {
                    let changes = files::of_candidate(candidate).map_err(unwritable)?;
                    self.change(Some(&candidate.asset_id), changes);
                }
            }
            WorkspaceFact::Picked(picked) => {
                let state = view.state()?;
                let asset = state.asset(&picked.asset_id);
                let chosen = asset.into_iter().flat_map(|asset| &asset.candidates);
                let chosen = chosen.filter(|c| c.candidate_id == picked.candidate_id);
                let changes = chosen.flat_map(files::of_selection).collect();
                self.change(Some(&picked.asset_id), changes);
            }
            WorkspaceFact::RunEnded(ended) => {
                let stored = view.runs.iter().find(|stored| stored.id == ended.run);
                let stored = stored.filter(|_| view.workspace.selects(&ended.run, &ended.asset_id));
                let selected = stored.and_then(|s| files::selected(&s.asset, &s.run));
                let changes = selected.iter().flat_map(files::of_selection).collect();
                self.change(Some(&ended.asset_id), changes);
            }
            WorkspaceFact::FileAdopted(adopted) => match &adopted.sha256 {
                Some(sha256) => {
                    let bytes = self.content(sha256)?;
                    self.put(&adopted.path, None, bytes);
                }
                None => drop(self.files.remove(&adopted.path)),
            },
            WorkspaceFact::Reopened(reopened) => {
                let asset = Some(&reopened.asset_id);
                let closed =
                    view.runs.iter().find(|stored| Some(&stored.id) == reopened.run.as_ref());
                if let Some(closed) = closed {
                    self.change(asset, reopened.files_of(&closed.run).map_err(unwritable)?);
                }
                self.captured(&reopened.files, asset, |path| reopened.closed_path(path))?;
            }
            WorkspaceFact::Adopted(_) | WorkspaceFact::Released(_) | WorkspaceFact::Synced(_) => {}
        }
        Ok(())
    }
}
