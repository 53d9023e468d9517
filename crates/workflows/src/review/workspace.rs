//! The workspace's own stream: what happened to an episode beside its runs, and the fold of both.
//!
//! Invariant: `state.json` follows from this stream and the workspace's runs alone, whoever reviewed what
//! first. Nothing that an earlier run kept is ever dropped from it.
//! Absent here: locks and files.

mod fact;

pub use fact::{
    Adopted, Created, Drafted, FileAdopted, Ingested, Picked, RunEnded, SourceFile, Summarised,
    Synced, WorkspaceFact, decode, encode,
};

use super::{
    files,
    model::{Asset, AssetId, Candidate, EpisodeWorkspace, ReviewIteration, SCHEMA_VERSION},
    reply,
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

    /// Whether a person picked a candidate of the asset after this run had ended.
    pub fn picked_after(&self, asset: &AssetId, run: &RunId) -> bool {
        let later = self.facts.iter().rev().take_while(
            |fact| !matches!(fact, WorkspaceFact::RunEnded(ended) if ended.run == *run),
        );
        let ended =
            self.facts.iter().any(|f| matches!(f, WorkspaceFact::RunEnded(e) if e.run == *run));
        let picked =
            |f: &WorkspaceFact| matches!(f, WorkspaceFact::Picked(p) if p.asset_id == *asset);
        ended && later.into_iter().any(picked)
    }

    /// The person's pick that stands for an asset: none of its runs has ended since.
    pub fn pick(&self, asset: &AssetId) -> Option<&Picked> {
        for fact in self.facts.iter().rev() {
            if let WorkspaceFact::Picked(picked) = fact
                && picked.asset_id == *asset
            {
                return Some(picked);
            }
            if matches!(fact, WorkspaceFact::RunEnded(ended) if ended.asset_id == *asset) {
                return None;
            }
        }
        None
    }

    /// The fold of the stream and of the workspace's runs (oldest first): `state.json`.
    /// `None` while the workspace was neither made nor taken in.
    pub fn state(&self, runs: &[(AssetId, &Run)]) -> Option<EpisodeWorkspace> {
        let mut state = self.base()?;
        for (asset, run) in runs {
            add_run(asset_entry(&mut state, asset), asset, run);
        }
        for fact in &self.facts {
            select(&mut state, fact, runs);
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
                | WorkspaceFact::Picked(_)
                | WorkspaceFact::FileAdopted(_)
                | WorkspaceFact::RunEnded(_)
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
    let seed = run.opened().seed.as_ref().and_then(|seed| reply::candidate_of(id, seed));
    seed.into_iter().for_each(|candidate| add_candidate(asset, candidate));
    for turn in run.turns() {
        if turn.step.as_str() == REVIEW {
            reply::merged_review(turn).into_iter().for_each(|review| add_review(asset, review));
        } else {
            let candidates = turn.readings.iter().filter_map(|r| reply::candidate_of(id, r));
            candidates.for_each(|candidate| add_candidate(asset, candidate));
        }
    }
}

/// Selections follow the order of the stream, so a later pick or agreement wins over an earlier one.
fn select(state: &mut EpisodeWorkspace, fact: &WorkspaceFact, runs: &[(AssetId, &Run)]) {
    let (asset, candidate) = match fact {
        WorkspaceFact::Picked(picked) => (&picked.asset_id, Some(picked.candidate_id)),
        WorkspaceFact::RunEnded(ended) => {
            let run = runs.iter().find(|(_, run)| run.opened().run == ended.run);
            let selected = run.and_then(|(asset, run)| files::selected(asset, run));
            (&ended.asset_id, selected.map(|candidate| candidate.candidate_id))
        }
        WorkspaceFact::Created(_)
        | WorkspaceFact::Ingested(_)
        | WorkspaceFact::Summarised(_)
        | WorkspaceFact::Drafted(_)
        | WorkspaceFact::Adopted(_)
        | WorkspaceFact::FileAdopted(_)
        | WorkspaceFact::Synced(_) => return,
    };
    if candidate.is_some() {
        asset_entry(state, asset).selected_candidate_id = candidate;
    }
}
