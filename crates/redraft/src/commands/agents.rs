//! Which agents there are, and what they are made from.

use crate::{
    episode::{Episode, View, read_text},
    exit::{Code, Failure},
    play::Plan,
    players::{OFFLINE, SCRIPTED},
    say,
};
use redraft_agents::offline;
use redraft_engine::sha256;
use redraft_loop::{Hash, Source};
use redraft_store::Store;
use redraft_workflows::{
    episode::{Transcript, transcript},
    review::model::AssetId,
};
use std::path::Path;

/// Refuses assets that the offline agent has no rubric for, before anything is claimed.
pub(crate) fn check_offline_asset(asset: &AssetId) -> Result<(), Failure> {
    if offline::rubric(asset.as_str()).is_some() {
        return Ok(());
    }
    let kinds: Vec<&str> = offline::kinds().collect();
    Err(Failure::usage(format!("{asset}: the offline agent has no rubric for this asset"))
        .help(format!("it knows {}", kinds.join(", "))))
}

/// Whether an agent reads prompts as models do; ours work from the request alone.
pub(crate) fn reads_prompts(name: &str) -> bool {
    ![OFFLINE, SCRIPTED].contains(&name)
}

/// The rubric and the word lists that the offline agent works by, for the record.
pub(crate) fn rubric_sources(asset: &AssetId, plan: &Plan) -> Vec<Source> {
    let uses = plan.creator == OFFLINE || plan.reviewers.iter().any(|name| name == OFFLINE);
    if uses { rubrics(asset) } else { Vec::new() }
}

/// The same, whoever plays.
pub(crate) fn rubrics(asset: &AssetId) -> Vec<Source> {
    let Some((name, text)) = offline::rubric_source(asset.as_str()) else { return Vec::new() };
    let version = offline::rubric(asset.as_str()).map_or(0, |rubric| rubric.version).to_string();
    let rubric = Source { name: format!("rubric/{name}"), version, sha256: sha256(text) };
    let lists: String =
        offline::LISTS.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect();
    let lists = Source {
        name: "rubric/word lists".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        sha256: sha256(lists),
    };
    vec![rubric, lists]
}

/// The transcript that a workspace works with, and where it came from.
pub(crate) struct Heard {
    pub(crate) transcript: Transcript,
    pub(crate) source: Source,
}

/// Reads the workspace's transcript: as it was taken in, or as `episode.yaml` names it.
pub(crate) fn hear(
    episode: &Episode,
    view: &View,
    store: Option<&Store>,
) -> Result<Option<Heard>, Failure> {
    let (name, bytes, sha256) = match (view.workspace.ingested(), store) {
        (Some(ingested), Some(store)) => {
            let hash = &ingested.source.sha256;
            let bytes = store.content(hash.as_str())?.ok_or_else(|| {
                Failure::new(Code::Damaged, format!("the journal has lost the transcript {hash}"))
            })?;
            (ingested.source.name.clone(), bytes, hash.clone())
        }
        _ => match of_file(episode)? {
            Some(found) => found,
            None => return Ok(None),
        },
    };
    let transcript = transcript::parse(&name, &bytes)
        .map_err(|error| Failure::in_file(Code::Usage, &episode.root.join(&name), &error))?;
    let source = Source { name: "transcript".into(), version: name, sha256 };
    Ok(Some(Heard { transcript, source }))
}

/// There is nothing that anybody could have heard.
pub(crate) fn no_transcript(workspace: &Path) -> Failure {
    let (root, at) = (workspace.display(), say::at(workspace));
    Failure::usage(format!("{root}: there is no transcript yet"))
        .help(format!("take one in: redraft podcast ingest {at} --transcript FILE"))
}

/// The transcript's file in the workspace.
pub(crate) fn transcript_file(episode: &Episode, view: &View) -> String {
    let named = episode.yaml.transcript.clone().filter(|_| view.workspace.ingested().is_none());
    named.unwrap_or_else(|| TRANSCRIPT.to_owned())
}

/// Where a transcript stands unless `episode.yaml` names another place.
const TRANSCRIPT: &str = "transcript/transcript.txt";

fn of_file(episode: &Episode) -> Result<Option<(String, Vec<u8>, Hash)>, Failure> {
    let path = episode.yaml.transcript.clone();
    let path = path.unwrap_or_else(|| TRANSCRIPT.to_owned());
    let Some(text) = read_text(&episode.files, &path, Code::Usage)? else { return Ok(None) };
    let hash = sha256(&text);
    Ok(Some((path, text.into_bytes(), hash)))
}

/// Tells a person when texts are extractive.
pub(crate) fn note(plan: &Plan) -> Option<String> {
    (plan.creator == OFFLINE)
        .then(|| format!("The offline agent writes. It is {}.", offline::EXTRACTIVE_NOTE))
}
