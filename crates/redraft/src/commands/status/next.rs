//! What to do next with a workspace, as commands to be pasted.
//!
//! Absent here: doing it.

use super::{Item, asset::AssetStatus};
use crate::{
    commands::{
        review::{Unblocks, releases},
        stale,
    },
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
    next.extend(goes_on(&at, &open));
    for asset in undecided.iter().filter(|asset| asset.has_text) {
        let (id, offer) = (&asset.asset_id, say::offer(asset.best));
        next.push(format!("redraft podcast pick {at} --asset-id {id}{offer}"));
    }
    let (locked, free): (Vec<_>, Vec<_>) =
        undecided.iter().partition(|asset| !releases(&asset.blocking).is_empty());
    for assets in [free, locked].iter().filter(|assets| !assets.is_empty()) {
        let (ids, more) = (ids(assets), releases(&assets[0].blocking));
        next.push(format!("redraft podcast review {at}{ids} --reopen --reason TEXT{more}"));
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

/// What lets open loops go on: those that need the same are reviewed together, after caps of the home.
fn goes_on(at: &str, open: &[&AssetStatus]) -> Vec<String> {
    let (mut caps, mut reviews): (Vec<String>, Vec<(String, Vec<&AssetStatus>)>) =
        Default::default();
    for asset in open {
        let unblocks = asset.waits.as_ref().map_or(Unblocks::Unsaid, |waits| waits.unblocks);
        let more = match unblocks {
            Unblocks::Flag(flag) => format!(" {flag} N"),
            Unblocks::OfHome(flag) => {
                let cap = format!("redraft budget set {at} {flag} N");
                caps.extend(Some(cap).filter(|cap| !caps.contains(cap)));
                String::new()
            }
            Unblocks::Unsaid => String::new(),
        };
        match reviews.iter_mut().find(|(known, _)| *known == more) {
            Some((_, assets)) => assets.push(asset),
            None => reviews.push((more, vec![asset])),
        }
    }
    let review = |(more, assets): (String, Vec<&AssetStatus>)| {
        format!("redraft podcast review {at}{}{more}", ids(&assets))
    };
    caps.into_iter().chain(reviews.into_iter().map(review)).collect()
}

fn ids(assets: &[&AssetStatus]) -> String {
    assets.iter().map(|asset| format!(" --asset-id {}", asset.asset_id)).collect()
}
