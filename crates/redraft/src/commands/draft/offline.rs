//! Drafts by the offline agent: extracts, made anew each time, since they cost nothing.
//!
//! Invariant: a text that the asset has already is not drafted again.
//! Absent here: telling what was drafted.

use crate::{
    clock,
    commands::{agents, block_on},
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
};
use jiff::Timestamp;
use redraft_agents::{format_name, offline, provenance};
use redraft_workflows::review::{
    files, kept,
    model::{AssetId, Candidate},
    workspace::{Drafted, WorkspaceFact},
};
use serde_json::json;

/// Writes so many candidates of each asset, and keeps those that are new.
pub(super) fn write(
    episode: &Episode,
    view: &View,
    assets: &[AssetId],
    count: u32,
) -> Result<Vec<Candidate>, Failure> {
    let heard = agents::hear(episode, view, episode.store()?.as_ref())?
        .ok_or_else(|| agents::no_transcript(&episode.root))?;
    let chapters = view.state()?.chapters.into_iter().map(Into::into).collect();
    let heard = offline::Episode::new(heard.transcript, chapters);
    let mut candidates = Vec::new();
    for asset in assets {
        candidates.extend(drafts(asset, &heard, count, view)?);
    }
    if !candidates.is_empty() {
        episode.admit(files::places(assets))?;
        keep(episode, view, &candidates)?;
    } else if view.exists() {
        // A draft that was killed may have left its files behind the journal.
        block_on(Shared::of(episode)?.check_state())?;
    }
    Ok(candidates)
}

/// Candidates that differ: the first as it comes, each further one as a revision of the one before.
fn drafts(
    asset: &AssetId,
    heard: &offline::Episode,
    count: u32,
    view: &View,
) -> Result<Vec<Candidate>, Failure> {
    let kind = asset.as_str();
    let unknown =
        || Failure::usage(format!("{kind}: the offline agent has no rubric for this asset"));
    let state = view.state()?;
    let known: Vec<String> = state
        .asset(asset)
        .into_iter()
        .flat_map(|asset| &asset.candidates)
        .map(|candidate| candidate.content.clone())
        .collect();
    let mut drafts: Vec<Candidate> = Vec::new();
    let mut draft = offline::draft(kind, heard, None).ok_or_else(unknown)?;
    for iteration in 1..=count {
        let seen = known.contains(&draft.text) || drafts.iter().any(|c| c.content == draft.text);
        if !seen {
            drafts.push(candidate(asset, &draft, drafts.len())?);
        }
        let findings = offline::review(kind, heard, &draft.text);
        let previous = offline::Previous { text: &draft.text, findings: &findings, iteration };
        draft = offline::draft(kind, heard, Some(previous)).ok_or_else(unknown)?;
    }
    Ok(drafts)
}

fn candidate(asset: &AssetId, draft: &offline::Draft, n: usize) -> Result<Candidate, Failure> {
    let odd = |error: serde_json::Error| Failure::of(Code::Failure, &error);
    // Later candidates are newer, so that the last one becomes the seed of a review.
    let at = clock::now().0 + i64::try_from(n).unwrap_or_default();
    Ok(Candidate {
        asset_id: asset.clone(),
        candidate_id: kept::named_uuid(&format!("draft:{asset}:{at}:{}", draft.text)),
        content: draft.text.clone(),
        created_at: Timestamp::from_microsecond(at).unwrap_or_default(),
        format: serde_json::from_value(json!(format_name(draft.format))).map_err(odd)?,
        provenance: vec![serde_json::from_value(provenance(asset.as_str())).map_err(odd)?],
    })
}

fn keep(episode: &Episode, view: &View, candidates: &[Candidate]) -> Result<(), Failure> {
    let drafted = Drafted {
        at: clock::now(),
        by: crate::players::OFFLINE.to_owned(),
        candidates: candidates.to_vec(),
    };
    let mut changes = Vec::new();
    for candidate in candidates {
        let written = files::of_candidate(candidate);
        changes.extend(written.map_err(|error| Failure::of(Code::Failure, &error))?);
    }
    let fact = WorkspaceFact::Drafted(drafted);
    let shared = Shared::of(episode)?;
    block_on(shared.record(view.pending.as_ref(), &fact, Vec::new(), &changes))
}
