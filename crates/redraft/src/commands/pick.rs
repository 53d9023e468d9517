//! `redraft podcast pick`: a person selects a candidate.
//!
//! Invariant: stdin is read only where a person sits at a terminal; what is recorded is the same either way.
//! Absent here: the talk with that person.

mod asking;

use super::{
    WorkspaceArg, block_on,
    files::{check_changes, check_selection, known},
    person, slips,
};
use crate::{
    clock,
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
    say,
};
use redraft_workflows::review::{
    files::{self, FileChange},
    model::{AssetId, Candidate, EpisodeWorkspace},
    workspace::{Picked, WorkspaceFact},
};
use serde_json::json;
use uuid::Uuid;

/// Select a candidate; without one, choose at a terminal, or list those that there are
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// The asset
    #[arg(long, value_name = "ID")]
    asset_id: Option<String>,
    /// The candidate to select
    #[arg(long, value_name = "UUID", requires = "asset_id")]
    candidate_id: Option<Uuid>,
    /// Who selects [default: the user's name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let asset = args.asset_id.as_deref().map(AssetId::parse).transpose();
    let asset = asset.map_err(|error| Failure::usage(error.to_string()))?;
    let episode = args.workspace.open()?;
    slips::check(&episode, &episode.view()?, asset.as_slice())?;
    match (asset, args.candidate_id) {
        (Some(asset), Some(id)) => select(args, &episode, &asset, id, as_json),
        (asset, _) if !as_json && say::is_a_person_there() => match asking::ask(&episode, asset)? {
            Some((asset, id)) => select(args, &episode, &asset, id, as_json),
            None => Ok(Code::Done),
        },
        (asset, _) => Ok(list(&episode, &episode.view()?.state()?, asset.as_ref(), as_json)),
    }
}

/// Records the pick as the workspace stands now, and writes the selection.
fn select(
    args: &Args,
    episode: &Episode,
    asset: &AssetId,
    id: Uuid,
    as_json: bool,
) -> Result<Code, Failure> {
    let view = episode.view()?;
    let state = view.state()?;
    let candidates = state.asset(asset).into_iter().flat_map(|asset| &asset.candidates);
    let candidate = candidates.into_iter().find(|candidate| candidate.candidate_id == id);
    let candidate = candidate.ok_or_else(|| {
        Failure::usage(format!("{asset}: there is no candidate {id}")).help(format!(
            "list them: redraft podcast pick {} --asset-id {asset}",
            say::at(&episode.root)
        ))
    })?;
    if !candidate.has_text() {
        return Err(Failure::usage(format!("{asset}: candidate {id} has no text")).help(format!(
            "pick another, or review it again: redraft podcast pick {} --asset-id {asset} lists them",
            say::at(&episode.root)
        )));
    }
    let changes = changes(episode, &view, &state, candidate)?;
    let by = person(args.by.as_ref());
    let fact = WorkspaceFact::Picked(Picked {
        at: clock::now(),
        by: by.clone(),
        asset_id: asset.clone(),
        candidate_id: id,
    });
    let shared = Shared::of(episode)?;
    block_on(shared.record(view.pending.as_ref(), &fact, Vec::new(), &changes))?;
    let path = episode.root.join(files::selection_path(asset, candidate.format));
    if as_json {
        let fields = json!({"asset_id": asset, "candidate_id": id, "by": by, "selected": path.display().to_string()});
        say::json("podcast pick", Code::Done, fields);
    } else {
        say::out(&format!("Selected: {}", path.display()));
    }
    Ok(Code::Done)
}

/// What a selection changes, where nobody's text stands in its way.
fn changes(
    episode: &Episode,
    view: &View,
    state: &EpisodeWorkspace,
    candidate: &Candidate,
) -> Result<Vec<FileChange>, Failure> {
    let asset = &candidate.asset_id;
    episode.admit(files::places(std::slice::from_ref(asset)))?;
    let changes = files::of_selection(candidate);
    check_changes(episode, view, changes.iter().map(FileChange::path))?;
    let selected = state.asset(asset).and_then(|asset| asset.selected());
    let written = known(view, episode.store()?.as_ref(), selected)?;
    check_selection(&episode.files, &written, &changes)?;
    Ok(changes)
}

fn list(
    episode: &Episode,
    state: &EpisodeWorkspace,
    asset: Option<&AssetId>,
    as_json: bool,
) -> Code {
    let wanted = |id: &AssetId| asset.is_none_or(|asset| asset == id);
    let mut rows = Vec::new();
    for asset in state.assets.iter().filter(|entry| wanted(&entry.asset_id)) {
        for candidate in &asset.candidates {
            let selected = asset.selected_candidate_id == Some(candidate.candidate_id);
            rows.push((asset, candidate, selected));
        }
    }
    if as_json {
        let row = |(asset, candidate, selected): &(
            &redraft_workflows::review::model::Asset,
            &Candidate,
            bool,
        )| {
            json!({"asset_id": asset.asset_id, "candidate_id": candidate.candidate_id, "created_at": candidate.created_at, "selected": selected, "content": candidate.content})
        };
        let rows: Vec<_> = rows.iter().map(row).collect();
        say::json("podcast pick", Code::Done, json!({ "candidates": rows }));
        return Code::Done;
    }
    let empty = rows.is_empty();
    for (asset, candidate, selected) in rows {
        let mark = if selected { "*" } else { " " };
        let opening: String = candidate.content.chars().take(60).collect();
        let opening = opening.replace('\n', " ");
        say::out(&format!("{mark} {} {}  {opening}", asset.asset_id, candidate.candidate_id));
    }
    let at = say::at(&episode.root);
    say::err(&match empty {
        true => format!("no candidates yet: redraft podcast review {at} --all"),
        false => format!("Select one: redraft podcast pick {at} --asset-id ID --candidate-id UUID"),
    });
    Code::Done
}
