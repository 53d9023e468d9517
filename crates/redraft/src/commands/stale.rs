//! Texts that were decided on another transcript than the one that stands now.
//!
//! Why: taking in another transcript changes no text, so that nobody may publish old ones unknowingly.
//! Absent here: refusing anything. A person may want the old texts.

use crate::{
    episode::{Episode, View},
    exit::Failure,
    play, say,
};
use redraft_workflows::review::model::AssetId;

/// Whether the asset's present run began with another transcript.
pub(crate) fn is_stale(asset: &AssetId, view: &View) -> bool {
    let Some(ingested) = view.workspace.ingested() else { return false };
    let runs = view.current_run(asset).into_iter();
    let mut sources = runs.flat_map(|stored| &stored.run.opened().sources);
    sources.any(|source| source.name == "transcript" && source.sha256 != ingested.source.sha256)
}

/// Those of the assets whose decision stands on another transcript.
pub(crate) fn decided<'a>(
    assets: impl IntoIterator<Item = &'a AssetId>,
    view: &View,
) -> Vec<AssetId> {
    let stale = |asset: &&AssetId| view.decision(asset).is_some() && is_stale(asset, view);
    let mut stale: Vec<AssetId> = assets.into_iter().filter(stale).cloned().collect();
    stale.sort();
    stale.dedup();
    stale
}

/// All such assets of the workspace.
pub(crate) fn of_workspace(view: &View) -> Vec<AssetId> {
    decided(view.runs.iter().map(|stored| &stored.asset), view)
}

/// What writes them anew. A locked selection would hold the old text, so it is let go.
pub(crate) fn commands(
    episode: &Episode,
    view: &View,
    stale: &[AssetId],
) -> Result<Vec<String>, Failure> {
    let (mut locked, mut free) = (String::new(), String::new());
    for asset in stale {
        let is_locked = play::locked(asset, &episode.files, view)?.is_some();
        let words = if is_locked { &mut locked } else { &mut free };
        *words += &format!(" --asset-id {asset}");
    }
    let at = say::at(&episode.root);
    let command = |(ids, more): (String, &str)| {
        format!("redraft podcast review {at}{ids} --reopen --reason TEXT{more}")
    };
    let kinds = [(free, ""), (locked, " --release-selection")];
    Ok(kinds.into_iter().filter(|(ids, _)| !ids.is_empty()).map(command).collect())
}

/// Names them to a person, with what writes them anew.
pub(crate) fn warn(episode: &Episode, view: &View, stale: &[AssetId]) -> Result<(), Failure> {
    if stale.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = stale.iter().map(AssetId::as_str).collect();
    let names = names.join(", ");
    say::err(&format!(
        "warning: written from another transcript than the one that stands now: {names}"
    ));
    for command in commands(episode, view, stale)? {
        say::err(&format!("  next: {command}"));
    }
    Ok(())
}
