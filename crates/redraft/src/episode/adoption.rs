//! Taking in a workspace that has the contract's files and no journal.
//!
//! Invariant: nothing is written here. What the files say becomes one fact, once a call is due.
//! Absent here: files that the contract does not name.

use super::{Episode, read_text};
use crate::{
    clock,
    exit::{Code, Failure},
};
use redraft_workflows::review::{
    documents::{self, DocumentError},
    model::{AssetId, EpisodeWorkspace},
    protocol::ProtocolState,
    workspace::{Adopted, Created, WorkspaceFact},
};
use std::collections::BTreeMap;

/// The fact that takes the workspace in: what its files say, or that it is new.
pub(super) fn of_files(episode: &Episode) -> Result<WorkspaceFact, Failure> {
    let Some(state) = read(episode, "state.json", documents::episode_workspace)? else {
        let at = jiff::Timestamp::from_microsecond(clock::now().0).unwrap_or_default();
        return Ok(WorkspaceFact::Created(Created {
            created_at: at,
            episode_id: episode.yaml.episode_id.clone(),
            root_dir: episode.root.display().to_string(),
            files: BTreeMap::new(),
        }));
    };
    let protocols = protocols(episode, &state)?;
    let adopted = Adopted { at: clock::now(), state, protocols, files: BTreeMap::new() };
    Ok(WorkspaceFact::Adopted(Box::new(adopted)))
}

fn protocols(episode: &Episode, state: &EpisodeWorkspace) -> Result<Vec<ProtocolState>, Failure> {
    let mut assets: Vec<AssetId> =
        state.assets.iter().map(|asset| asset.asset_id.clone()).collect();
    let folder = episode.files.root().join("copy/protocol");
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Ok(asset) = AssetId::parse(&entry.file_name().to_string_lossy())
            && !assets.contains(&asset)
        {
            assets.push(asset);
        }
    }
    assets.sort();
    assets.into_iter().filter_map(|asset| protocol(episode, &asset).transpose()).collect()
}

fn protocol(episode: &Episode, asset: &AssetId) -> Result<Option<ProtocolState>, Failure> {
    let path = format!("copy/protocol/{asset}/state.json");
    let protocol = read(episode, &path, documents::protocol_state)?;
    match &protocol {
        Some(other) if other.asset_id != *asset => {
            let (place, other) = (episode.root.join(path), &other.asset_id);
            let message = format!("{}: asset_id: must be {asset}, not {other}", place.display());
            Err(Failure::new(Code::Damaged, message))
        }
        Some(_) | None => Ok(protocol),
    }
}

fn read<T>(
    episode: &Episode,
    path: &str,
    parse: fn(&str) -> Result<T, DocumentError>,
) -> Result<Option<T>, Failure> {
    let Some(text) = read_text(&episode.files, path, Code::Damaged)? else { return Ok(None) };
    parse(&text).map(Some).map_err(|error| {
        Failure::in_file(Code::Damaged, &episode.root.join(path), &error)
            .help("the file stays as it is; correct it, or restore it from where it was written")
    })
}
