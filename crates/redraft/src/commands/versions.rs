//! The versions of an asset's text, with what their reviews said.
//!
//! Invariant: iterations stand in their order, whichever run played them; the newest run's word for one counts.
//! Absent here: how versions are compared or shown.

use crate::episode::View;
use redraft_workflows::review::{
    files, kept,
    model::{AssetId, Candidate, EpisodeWorkspace, ReviewIteration},
    shape::CREATE,
};
use std::collections::BTreeMap;
use uuid::Uuid;

/// One version of a text.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    /// What it is called: `seed`, an iteration's number, or `selected`.
    pub(crate) name: String,
    pub(crate) candidate: Candidate,
    /// Its review, where it was reviewed.
    pub(crate) review: Option<ReviewIteration>,
}

/// The versions of an asset, oldest first: the seed, where there is one, and each iteration.
pub(crate) fn versions(view: &View, state: &EpisodeWorkspace, asset: &AssetId) -> Vec<Version> {
    let mut found = Vec::new();
    let runs: Vec<_> = view.runs.iter().filter(|stored| stored.asset == *asset).collect();
    let opened = runs.first().and_then(|stored| stored.run.opened().seed.as_ref());
    let seed = match runs.is_empty() {
        false => opened.and_then(|seed| kept::candidate_of(asset, seed)),
        true => state.asset(asset).and_then(|asset| asset.newest_candidate()).cloned(),
    };
    let iterations = iterations(view, asset);
    // A workspace that was taken in has its iterations' candidates; the newest of them is no seed before them.
    let seed = seed.filter(|seed| {
        !iterations.values().any(|(candidate, _)| candidate.candidate_id == seed.candidate_id)
    });
    found.extend(seed.map(|candidate| Version { name: "seed".into(), candidate, review: None }));
    found.extend(iterations.into_iter().map(|(number, (candidate, review))| Version {
        name: number.to_string(),
        candidate,
        review,
    }));
    found
}

/// The version that is selected, if any.
pub(crate) fn selected(view: &View, state: &EpisodeWorkspace, asset: &AssetId) -> Option<Version> {
    let candidate = state.asset(asset)?.selected()?.clone();
    let review = reviews(view, asset).remove(&candidate.candidate_id);
    Some(Version { name: "selected".into(), candidate, review })
}

/// The newest review of each candidate of an asset.
pub(crate) fn reviews(view: &View, asset: &AssetId) -> BTreeMap<Uuid, ReviewIteration> {
    let iterations = iterations(view, asset).into_values();
    iterations.filter_map(|(candidate, review)| Some((candidate.candidate_id, review?))).collect()
}

fn iterations(view: &View, asset: &AssetId) -> BTreeMap<u32, (Candidate, Option<ReviewIteration>)> {
    let mut all = BTreeMap::new();
    let runs = view.runs.iter().filter(|stored| stored.asset == *asset);
    for stored in runs.clone() {
        for turn in stored.run.turns().iter().filter(|turn| turn.step.as_str() == CREATE) {
            let reading = turn.readings.first();
            let candidate = reading.and_then(|reading| kept::candidate_of(asset, reading));
            all.extend(candidate.map(|candidate| (turn.round, (candidate, None))));
        }
    }
    let adopted = view.adopted_protocol(asset).cloned().into_iter();
    for protocol in adopted.chain(runs.map(|stored| files::protocol(asset, &stored.run))) {
        for iteration in protocol.iterations {
            let reviewed = (iteration.creator.candidate, Some(iteration.reviewer));
            all.insert(iteration.iteration, reviewed);
        }
    }
    all
}
