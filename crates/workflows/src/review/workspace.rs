//! The workspace's own stream: what happened to an episode beside its runs, and the fold of both.
//!
//! Invariant: `state.json` follows from this stream and the workspace's runs alone, whoever reviewed what
//! first. Nothing that an earlier run kept is ever dropped from it.
//! Absent here: locks and files.

mod closed;
mod fact;
mod selection;

pub use closed::{Closed, closed_folder, is_of_record};
pub use fact::{
    Adopted, Created, DecodeError, Drafted, Exported, FileAdopted, Ingested, Picked, Released,
    Reopened, RunEnded, SourceFile, Summarised, Synced, WorkspaceFact, decode, encode,
};

use super::{
    kept,
    model::{Asset, AssetId, Candidate, EpisodeWorkspace, ReviewIteration, SCHEMA_VERSION},
    shape::REVIEW,
};
use redraft_loop::{Run, RunId};

/// A workspace, folded from its stream.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Workspace {
    facts: Vec<WorkspaceFact>,
}

impl Workspace {
    /// Folds a stream.
    pub fn fold(facts: Vec<WorkspaceFact>) -> Self {
        Self { facts }
    }

    /// Adds what has just become durable.
    pub fn add(&mut self, fact: WorkspaceFact) {
        self.facts.push(fact);
    }

    /// The stream.
    pub fn facts(&self) -> &[WorkspaceFact] {
        &self.facts
    }

    /// The foreign workspace that was taken in, if any.
    pub fn adopted(&self) -> Option<&Adopted> {
        self.facts.iter().rev().find_map(|fact| {
            if let WorkspaceFact::Adopted(adopted) = fact { Some(&**adopted) } else { None }
        })
    }

    /// The newest transcript that was taken in.
    pub fn ingested(&self) -> Option<&Ingested> {
        self.facts.iter().rev().find_map(|fact| {
            if let WorkspaceFact::Ingested(ingested) = fact { Some(ingested) } else { None }
        })
    }

    /// How many facts of a run stood in files that were synced.
    pub fn synced(&self, run: &RunId) -> u64 {
        let newest = |fact: &WorkspaceFact| {
            if let WorkspaceFact::Synced(synced) = fact {
                synced.runs.get(run).copied()
            } else {
                None
            }
        };
        self.facts.iter().rev().find_map(newest).unwrap_or(0)
    }

    /// The facts whose files may not all be on disk: those with files since the last mark.
    pub fn unsynced(&self) -> &[WorkspaceFact] {
        let tail = &self.facts[self.mark()..];
        if tail.iter().any(WorkspaceFact::has_files) { tail } else { &[] }
    }

    /// How many facts stood when all files were last known to be on disk.
    fn mark(&self) -> usize {
        let marks = self.facts.iter().filter_map(|fact| {
            if let WorkspaceFact::Synced(synced) = fact { Some(synced.workspace) } else { None }
        });
        usize::try_from(marks.max().unwrap_or(0))
            .map_or(self.facts.len(), |n| n.min(self.facts.len()))
    }

    /// The workspace as it stood then, and after each fact since. Marks change no file.
    pub fn since_mark(&self) -> impl Iterator<Item = Self> {
        let moments = (self.mark().max(1)..=self.facts.len()).filter(|n| {
            *n == self.mark().max(1) || !matches!(self.facts[*n - 1], WorkspaceFact::Synced(_))
        });
        moments.map(|n| Self { facts: self.facts[..n].to_vec() })
    }

    /// The workspace as it stood when all files of its facts were last known to be on disk.
    #[must_use]
    pub fn marked(&self) -> Self {
        let known = self.facts.len() - self.unsynced().len();
        Self { facts: self.facts[..known].to_vec() }
    }

    /// The fold of the stream and of the workspace's runs (oldest first): `state.json`.
    /// `None` while the workspace was neither made nor taken in.
    pub fn state(&self, runs: &[(AssetId, &Run)]) -> Option<EpisodeWorkspace> {
        let mut state = self.base()?;
        for (asset, run) in runs {
            add_run(asset_entry(&mut state, asset), asset, run);
        }
        for fact in &self.facts {
            self.select(&mut state, fact, runs);
        }
        state.assets.sort_by(|a, b| a.asset_id.cmp(&b.asset_id));
        Some(state)
    }

    fn base(&self) -> Option<EpisodeWorkspace> {
        let mut state = None;
        for fact in &self.facts {
            match fact {
                WorkspaceFact::Created(created) => state = Some(empty(created)),
                WorkspaceFact::Adopted(adopted) => state = Some(adopted.state.clone()),
                WorkspaceFact::Ingested(ingested) => {
                    if let Some(state) = state.as_mut() {
                        state.chapters.clone_from(&ingested.chapters);
                        state.tracks.clone_from(&ingested.tracks);
                    }
                }
                WorkspaceFact::Drafted(drafted) => {
                    for candidate in &drafted.candidates {
                        if let Some(state) = state.as_mut() {
                            let asset = asset_entry(state, &candidate.asset_id);
                            add_candidate(asset, candidate.clone());
                        }
                    }
                }
                WorkspaceFact::Summarised(_)
                | WorkspaceFact::Exported(_)
                | WorkspaceFact::Picked(_)
                | WorkspaceFact::FileAdopted(_)
                | WorkspaceFact::RunEnded(_)
                | WorkspaceFact::Reopened(_)
                | WorkspaceFact::Released(_)
                | WorkspaceFact::Synced(_) => {}
            }
        }
        state
    }
}

fn empty(created: &Created) -> EpisodeWorkspace {
    EpisodeWorkspace {
        assets: Vec::new(),
        auphonic_production_uuid: None,
        chapters: Vec::new(),
        created_at: created.created_at,
        episode_id: created.episode_id.clone(),
        provenance: Vec::new(),
        root_dir: created.root_dir.clone(),
        schema_version: SCHEMA_VERSION,
        tracks: Vec::new(),
    }
}

fn asset_entry<'a>(state: &'a mut EpisodeWorkspace, id: &AssetId) -> &'a mut Asset {
    let n = state.assets.iter().position(|asset| asset.asset_id == *id).unwrap_or_else(|| {
        state.assets.push(Asset::new(id.clone()));
        state.assets.len() - 1
    });
    &mut state.assets[n]
}

fn add_candidate(asset: &mut Asset, candidate: Candidate) {
    if !asset.candidates.iter().any(|known| known.candidate_id == candidate.candidate_id) {
        asset.candidates.push(candidate);
    }
}

fn add_review(asset: &mut Asset, review: ReviewIteration) {
    if asset.reviews.last().is_none_or(|last| last.iteration < review.iteration) {
        asset.reviews.push(review);
    }
}

fn add_run(asset: &mut Asset, id: &AssetId, run: &Run) {
    let seed = run.opened().seed.as_ref().and_then(|seed| kept::candidate_of(id, seed));
    seed.into_iter().for_each(|candidate| add_candidate(asset, candidate));
    for turn in run.turns() {
        if turn.step.as_str() == REVIEW {
            kept::merged_review(turn).into_iter().for_each(|review| add_review(asset, review));
        } else {
            let candidates = turn.readings.iter().filter_map(|r| kept::candidate_of(id, r));
            candidates.for_each(|candidate| add_candidate(asset, candidate));
        }
    }
}

#[cfg(test)]
mod tests;
