//! Which candidate is selected: what a person picked, what runs agreed on, and what a person let go.
//!
//! Invariant: selections follow the order of the stream. A person's pick stands above what runs agree on, until a
//! person lets it go; a selection that was let go stays where it is until something is selected anew.
//! Absent here: which assets lock their selection, and the files of a selection.

use super::{Picked, Released, Workspace, WorkspaceFact, asset_entry};
use crate::review::{
    files,
    model::{AssetId, Candidate, EpisodeWorkspace},
};
use redraft_loop::{Run, RunId};

impl Workspace {
    /// The person's pick that stands for an asset. It stands until the person picks anew or lets it go: no run
    /// replaces it.
    pub fn pick(&self, asset: &AssetId) -> Option<&Picked> {
        standing_pick(&self.facts, asset)
    }

    /// The person's pick that answers how the asset's newest run ended: one made since.
    pub fn pick_since_end(&self, asset: &AssetId) -> Option<&Picked> {
        let ended =
            self.facts.iter().rposition(|fact| fact.ends(asset) || fact.reopening(asset).is_some());
        standing_pick(&self.facts[ended.map_or(0, |n| n + 1)..], asset)
    }

    /// Whether what this run of the asset agreed on is selected: no person's pick stood when it ended (or stands
    /// now, while it is open), and none was made since.
    pub fn selects(&self, run: &RunId, asset: &AssetId) -> bool {
        let (before, since) = self.facts.split_at(self.end_of(run));
        standing_pick(before, asset).is_none() && !since.iter().any(|fact| fact.picks(asset))
    }

    /// How a person let the asset's selection go, if nothing was selected since. The runs are the workspace's, as for
    /// [`Workspace::state`].
    pub fn released(&self, asset: &AssetId, runs: &[(AssetId, &Run)]) -> Option<&Released> {
        self.released_at(self.facts.len(), asset, runs)
    }

    /// Whether that was so when this run of the asset ended.
    pub fn was_released_for(&self, run: &RunId, asset: &AssetId, runs: &[(AssetId, &Run)]) -> bool {
        self.released_at(self.end_of(run), asset, runs).is_some()
    }

    /// The candidate that was drafted or adopted last, unless the asset was selected or decided since.
    pub fn drafted_since_end(&self, asset: &AssetId) -> Option<&Candidate> {
        let ended = self.facts.iter().rposition(|fact| fact.ends(asset) || fact.picks(asset));
        let since = self.facts[ended.map_or(0, |n| n + 1)..].iter().rev();
        since.into_iter().find_map(|fact| {
            let WorkspaceFact::Drafted(drafted) = fact else { return None };
            drafted.candidates.iter().rev().find(|candidate| candidate.asset_id == *asset)
        })
    }

    fn released_at(
        &self,
        end: usize,
        asset: &AssetId,
        runs: &[(AssetId, &Run)],
    ) -> Option<&Released> {
        let agreed =
            |fact: &WorkspaceFact| fact.ends(asset) && self.agreed_on(fact, runs).is_some();
        let newest = self.facts[..end]
            .iter()
            .rev()
            .find(|fact| fact.releases(asset) || fact.picks(asset) || agreed(fact))?;
        if let WorkspaceFact::Released(released) = newest { Some(released) } else { None }
    }

    /// Where the stream says that the run has ended; its length while the run is open.
    fn end_of(&self, run: &RunId) -> usize {
        let ends = |fact: &WorkspaceFact| matches!(fact, WorkspaceFact::RunEnded(ended) if ended.run == *run);
        self.facts.iter().position(ends).unwrap_or(self.facts.len())
    }

    /// The candidate that a run which has ended selects.
    fn agreed_on(&self, fact: &WorkspaceFact, runs: &[(AssetId, &Run)]) -> Option<Candidate> {
        let WorkspaceFact::RunEnded(ended) = fact else { return None };
        let (asset, run) = runs.iter().find(|(_, run)| run.opened().run == ended.run)?;
        files::selected(asset, run).filter(|_| self.selects(&ended.run, &ended.asset_id))
    }

    /// Selects what a fact selects.
    pub(super) fn select(
        &self,
        state: &mut EpisodeWorkspace,
        fact: &WorkspaceFact,
        runs: &[(AssetId, &Run)],
    ) {
        let mut set =
            |asset: &AssetId, id| asset_entry(state, asset).selected_candidate_id = Some(id);
        if let WorkspaceFact::Picked(picked) = fact {
            set(&picked.asset_id, picked.candidate_id);
        } else if let Some(agreed) = self.agreed_on(fact, runs) {
            set(&agreed.asset_id, agreed.candidate_id);
        }
    }
}

/// The newest pick among these facts that was not let go after it.
fn standing_pick<'a>(facts: &'a [WorkspaceFact], asset: &AssetId) -> Option<&'a Picked> {
    let newest = |fact: &&WorkspaceFact| fact.picks(asset) || fact.releases(asset);
    let newest = facts.iter().rev().find(newest)?;
    if let WorkspaceFact::Picked(picked) = newest { Some(picked) } else { None }
}

impl WorkspaceFact {
    fn picks(&self, asset: &AssetId) -> bool {
        matches!(self, Self::Picked(picked) if picked.asset_id == *asset)
    }

    fn releases(&self, asset: &AssetId) -> bool {
        matches!(self, Self::Released(released) if released.asset_id == *asset)
    }

    fn ends(&self, asset: &AssetId) -> bool {
        matches!(self, Self::RunEnded(ended) if ended.asset_id == *asset)
    }
}
