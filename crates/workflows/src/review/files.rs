//! Which files a review writes: the contract's layout, as pure functions of the run.
//!
//! Invariant: the same run gives the same files, byte for byte, however often it is asked.
//! Absent here: the disk. Paths are relative to the workspace, with `/` between segments.

use super::{
    html,
    json::{self, JsonError},
    kept,
    model::{AssetId, Candidate, ProvenanceRef, ReviewIteration, TextFormat},
    ours::Ours,
    protocol::{CreatorTurn, LoopDecision, PROTOCOL_VERSION, ProtocolIteration, ProtocolState},
    shape::{CREATE, REVIEW},
};
use redraft_loop::{Outcome, Run, Turn};
use std::collections::BTreeSet;

/// A change to one file of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    /// The file has this text from now on.
    Write {
        /// Where, relative to the workspace.
        path: String,
        /// Its whole text.
        text: String,
    },
    /// The file is gone from now on.
    Remove {
        /// Where, relative to the workspace.
        path: String,
    },
}

impl FileChange {
    fn write(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Write { path: path.into(), text: text.into() }
    }

    /// The file that changes.
    pub fn path(&self) -> &str {
        match self {
            Self::Write { path, .. } | Self::Remove { path } => path,
        }
    }
}

/// Paths of the contract's layout that belong to the journal or hold a person's input. Agents may not
/// write to them.
pub const OWNED: [&str; 8] = [
    "episode.yaml",
    "state.json",
    "transcript",
    "auphonic",
    "summaries",
    "copy",
    ".redraft",
    ".git",
];

/// Where the reviews of these assets write: folders, and `state.json`.
pub fn places(assets: &[AssetId]) -> Vec<String> {
    let of_asset = |asset: &AssetId| {
        let folders = ["candidates", "reviews", "protocol"];
        let folders = folders.map(|folder| format!("copy/{folder}/{asset}"));
        let selected = TextFormat::ALL.map(|format| selection_path(asset, format));
        folders.into_iter().chain(selected)
    };
    let shared = ["copy/provenance", "state.json"].map(str::to_owned);
    shared.into_iter().chain(assets.iter().flat_map(of_asset)).collect()
}

/// The files of one finished turn, and what its agents wanted written beside them.
///
/// # Errors
/// [`JsonError`] for values that JSON cannot hold.
pub fn of_turn(asset: &AssetId, turn: &Turn) -> Result<Vec<FileChange>, JsonError> {
    let mut changes = Vec::new();
    for reading in &turn.readings {
        let mutated = kept::mutate_files(reading);
        changes.extend(mutated.into_iter().map(|(path, text)| FileChange::write(path, text)));
        if let Some(candidate) = kept::candidate_of(asset, reading) {
            changes.extend(of_candidate(&candidate)?);
        }
    }
    if turn.step.as_str() == REVIEW {
        changes.extend(of_reviews(asset, turn)?);
    }
    Ok(changes)
}

/// The places of a turn's files where other runs of the workspace may write too.
pub fn shared_places(turn: &Turn) -> BTreeSet<String> {
    let of_reading = |reading| {
        let provenance = kept::provenance(reading);
        let provenance = provenance.iter().map(provenance_path).collect::<Vec<_>>();
        kept::mutate_files(reading).into_keys().chain(provenance)
    };
    turn.readings.iter().flat_map(of_reading).collect()
}

/// The files of a candidate: its record, its text, and for Markdown the derived HTML.
///
/// # Errors
/// [`JsonError`] for values that JSON cannot hold.
pub fn of_candidate(candidate: &Candidate) -> Result<Vec<FileChange>, JsonError> {
    let stem =
        format!("copy/candidates/{}/candidate_{}", candidate.asset_id, candidate.candidate_id);
    let mut changes = vec![FileChange::write(format!("{stem}.json"), json::write(candidate)?)];
    changes.extend(of_text(&stem, candidate));
    changes.extend(of_provenance(&candidate.provenance)?);
    Ok(changes)
}

fn of_text(stem: &str, candidate: &Candidate) -> Vec<FileChange> {
    let extension = candidate.format.extension();
    let text = FileChange::write(format!("{stem}.{extension}"), &*candidate.content);
    match candidate.format {
        TextFormat::Markdown => {
            let page = html::from_markdown(&candidate.content);
            vec![text, FileChange::write(format!("{stem}.html"), page)]
        }
        TextFormat::Plain | TextFormat::Html => vec![text],
    }
}

fn of_provenance(refs: &[ProvenanceRef]) -> Result<Vec<FileChange>, JsonError> {
    let file = |provenance: &ProvenanceRef| {
        Ok(FileChange::write(provenance_path(provenance), json::write(provenance)?))
    };
    refs.iter().map(file).collect()
}

fn provenance_path(provenance: &ProvenanceRef) -> String {
    format!("copy/provenance/{}/{}.json", provenance.kind, provenance.reference)
}

/// One file a reviewer, and the iteration's protocol.
fn of_reviews(asset: &AssetId, turn: &Turn) -> Result<Vec<FileChange>, JsonError> {
    let folder = format!("copy/reviews/{asset}");
    let reviews = turn.readings.iter().filter_map(|r| kept::review_of(turn.round, r));
    let mut names = BTreeSet::new();
    let mut changes = Vec::new();
    for (seat, review) in (1..).zip(reviews) {
        let mut name = reviewer_suffix(&review);
        // Two reviewers of one name still get a file each.
        while !names.insert(name.clone()) {
            name = format!("{name}.{seat}");
        }
        let path = format!("{folder}/iteration_{:02}{name}.json", turn.round);
        changes.push(FileChange::write(path, json::write(&review)?));
        changes.extend(of_provenance(&review.provenance)?);
    }
    Ok(changes)
}

fn reviewer_suffix(review: &ReviewIteration) -> String {
    review.reviewer.as_ref().map_or(String::new(), |name| format!(".{name}"))
}

/// The loop protocol of a run: its whole rounds, and the decision once there is one.
pub fn protocol(asset: &AssetId, run: &Run) -> ProtocolState {
    let iterations = run.turns().iter().filter(|turn| turn.step.as_str() == REVIEW);
    ProtocolState {
        asset_id: asset.clone(),
        decision: run
            .decision()
            .map(|exit| LoopDecision::of(exit, run.last_turn().map_or(0, |turn| turn.round))),
        iterations: iterations.filter_map(|turn| iteration(asset, run, turn)).collect(),
        max_iterations: run.limits().rounds,
        version: PROTOCOL_VERSION,
    }
}

fn iteration(asset: &AssetId, run: &Run, review: &Turn) -> Option<ProtocolIteration> {
    let created = run.turn(review.round, &CREATE.into())?;
    let reading = created.readings.first()?;
    Some(ProtocolIteration {
        creator: CreatorTurn { candidate: kept::candidate_of(asset, reading)?, done: reading.done },
        iteration: review.round,
        reviewer: kept::merged_review(review)?,
        version: PROTOCOL_VERSION,
    })
}

/// Whether the protocol has something new to tell: a whole iteration among these turns, or the decision.
pub fn has_protocol(run: &Run, new: &[Turn]) -> bool {
    run.decision().is_some() || new.iter().any(|turn| turn.step.as_str() == REVIEW)
}

/// The protocol's files for the turns from `from` on: one file an iteration, the whole state, and what is ours
/// beside it.
///
/// # Errors
/// [`JsonError`] for values that JSON cannot hold.
pub fn of_protocol(asset: &AssetId, run: &Run, from: usize) -> Result<Vec<FileChange>, JsonError> {
    let folder = format!("copy/protocol/{asset}");
    let state = protocol(asset, run);
    let first = run.turns().get(from).map_or(u32::MAX, |turn| turn.round);
    let mut changes = Vec::new();
    for iteration in state.iterations.iter().filter(|iteration| iteration.iteration >= first) {
        let path = format!("{folder}/iteration_{:02}.json", iteration.iteration);
        changes.push(FileChange::write(path, json::write(iteration)?));
    }
    changes.push(FileChange::write(protocol_path(asset), json::write(&state)?));
    changes.push(FileChange::write(ours_path(asset), json::write(&Ours::of(asset, run))?));
    Ok(changes)
}

/// The file that holds the whole protocol.
pub fn protocol_path(asset: &AssetId) -> String {
    format!("copy/protocol/{asset}/state.json")
}

/// The file that holds what is ours beside the protocol.
pub fn ours_path(asset: &AssetId) -> String {
    format!("copy/protocol/{asset}/redraft.json")
}

/// The candidate that the run selects: the last one, when both sides agreed on it.
pub fn selected(asset: &AssetId, run: &Run) -> Option<Candidate> {
    if run.decision()?.outcome != Outcome::Converged {
        return None;
    }
    kept::candidate_of(asset, run.newest(&CREATE.into())?.readings.first()?)
}

/// The files of a selection; those of the other formats go.
pub fn of_selection(candidate: &Candidate) -> Vec<FileChange> {
    let stem = selection_stem(&candidate.asset_id);
    let mut changes = of_text(&stem, candidate);
    for format in TextFormat::ALL {
        let path = format!("{stem}.{}", format.extension());
        if !changes.iter().any(|change| change.path() == path) {
            changes.push(FileChange::Remove { path });
        }
    }
    changes
}

/// The file that holds a selection's text.
pub fn selection_path(asset: &AssetId, format: TextFormat) -> String {
    format!("{}.{}", selection_stem(asset), format.extension())
}

fn selection_stem(asset: &AssetId) -> String {
    format!("copy/selected/{asset}")
}
