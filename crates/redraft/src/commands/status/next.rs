//! What to do next with a workspace, as commands to be pasted.
//!
//! Absent here: doing it.

use super::{Item, asset::AssetStatus};
use crate::{
    commands::stale,
    episode::{Episode, View},
    exit::Failure,
    say,
};
use redraft_workflows::review::{model::AssetId, workspace::WorkspaceFact};

/// The commands, most urgent first.
pub(super) fn next(
    episode: &Episode,
    view: &View,
    assets: &[AssetStatus],
    checklist: &[Item],
) -> Result<Vec<String>, Failure> {
    let at = say::at(&episode.root);
    let missing = |path: &str| checklist.iter().any(|i| i.path == path && i.state == "missing");
    let summarised =
        view.workspace.facts().iter().any(|f| matches!(f, WorkspaceFact::Summarised(_)));
    let damaged = checklist
        .iter()
        .any(|item| item.state != "present" && view.exists() && item.path.starts_with("copy/"));
    let mut next = Vec::new();
    if damaged {
        next.push(format!("redraft repair {at}"));
        let changed =
            checklist.iter().filter(|i| i.state == "changed" && i.path.starts_with("copy/"));
        let texts = changed.filter(|i| !i.path.ends_with(".json"));
        next.extend(texts.map(|i| format!("redraft adopt {at} {} (keeps your change)", i.path)));
    }
    if missing("transcript/transcript.txt") {
        next.push(format!("redraft podcast ingest {at} --transcript FILE"));
        if assets.is_empty() {
            return Ok(next);
        }
    } else if !summarised && missing("summaries/episode/episode_summary.json") {
        next.push(format!("redraft podcast summarize {at}"));
    }
    if assets.iter().all(|asset| asset.outcome == "drafted") {
        next.push(format!("redraft podcast review {at} --all"));
    }
    let of =
        |outcome: &str| assets.iter().filter(move |a| a.outcome == outcome).collect::<Vec<_>>();
    let (open, undecided) = (of("in_progress"), of("needs_human"));
    if !open.is_empty() {
        next.push(format!("redraft podcast review {at}{}", ids(&open)));
    }
    for asset in &undecided {
        let (id, offer) = (&asset.asset_id, say::offer(asset.best));
        next.push(format!("redraft podcast pick {at} --asset-id {id}{offer}"));
    }
    if !undecided.is_empty() {
        let ids = ids(&undecided);
        next.push(format!("redraft podcast review {at}{ids} --reopen --reason TEXT"));
    }
    // Undecided ones are offered to be reopened already.
    let old = stale::of_workspace(view);
    let old: Vec<AssetId> = old
        .into_iter()
        .filter(|old| !undecided.iter().any(|asset| asset.asset_id == *old))
        .collect();
    next.extend(stale::commands(episode, view, &old)?);
    let exported = view.workspace.facts().iter().any(|f| matches!(f, WorkspaceFact::Exported(_)));
    if next.is_empty() && !exported {
        next.push(format!("redraft podcast export {at}"));
    }
    Ok(next)
}

fn ids(assets: &[&AssetStatus]) -> String {
    assets.iter().map(|asset| format!(" --asset-id {}", asset.asset_id)).collect()
}
