//! `redraft podcast summarize`: summaries of the chunks and of the episode.

use super::{
    WorkspaceArg, agents, block_on,
    files::check_changes,
    ingest::{CHUNK, hashes},
};
use crate::{
    clock,
    episode::Shared,
    exit::{Code, Failure},
    say,
};
use jiff::Timestamp;
use redraft_agents::offline::{self, ChunkDigest, EpisodeDigest};
use redraft_workflows::{
    episode::{Link, chunks},
    review::{
        files::FileChange,
        from_markdown, json,
        workspace::{Summarised, WorkspaceFact},
    },
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Summarise the chunks and the episode
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
}

#[derive(Serialize)]
struct SummaryLink {
    label: String,
    url: String,
}

/// `chunk_0001.summary.json`, in the contract's words.
#[derive(Serialize)]
struct ChunkSummary<'a> {
    bullets: Vec<String>,
    chunk_id: &'a str,
    created_at: Timestamp,
    entities: Vec<String>,
    links: Vec<SummaryLink>,
    provenance: Vec<Value>,
    summary_markdown: String,
    version: u32,
}

/// `episode_summary.json`, in the contract's words.
#[derive(Serialize)]
struct EpisodeSummary {
    created_at: Timestamp,
    key_points: Vec<String>,
    links: Vec<SummaryLink>,
    provenance: Vec<Value>,
    summary_markdown: String,
    topics: Vec<String>,
    version: u32,
}

fn links(links: Vec<Link>) -> Vec<SummaryLink> {
    links.into_iter().map(|Link { label, url }| SummaryLink { label, url }).collect()
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let episode = args.workspace.open()?;
    let view = episode.view()?;
    let store = episode.store()?;
    let heard = agents::hear(&episode, &view, store.as_ref())?.ok_or_else(|| {
        Failure::usage(format!("{}: there is no transcript yet", episode.root.display()))
            .help("take one in: redraft podcast ingest --transcript FILE")
    })?;
    let chapters = view.state()?.chapters.into_iter().map(Into::into).collect();
    let chunks = chunks::chunks(&heard.transcript, CHUNK);
    let heard = offline::Episode::new(heard.transcript, chapters);
    let files = summaries(&heard, &chunks)?;
    episode.admit(files.keys())?;
    check_changes(&episode, &view, files.keys())?;
    let by = crate::players::OFFLINE.to_owned();
    let fact = Summarised { at: clock::now(), by, files: hashes(&files) };
    let contents = files.values().map(|text| text.clone().into_bytes()).collect();
    let write = |(path, text): (&String, &String)| FileChange::Write {
        path: path.clone(),
        text: text.clone(),
    };
    let changes: Vec<FileChange> = files.iter().map(write).collect();
    let (shared, fact) = (Shared::of(&episode)?, WorkspaceFact::Summarised(fact));
    block_on(shared.record(view.pending.as_ref(), &fact, contents, &changes))?;
    let root = episode.root.display().to_string();
    if as_json {
        let paths: Vec<&String> = files.keys().collect();
        let fields = json!({"workspace": root, "note": offline::EXTRACTIVE_NOTE, "files": paths});
        say::json("podcast summarize", Code::Done, fields);
    } else {
        say::out(&format!("Workspace: {root}"));
        say::out(&format!("Summaries: {} chunks, 1 episode", chunks.len()));
        say::err(&format!("The offline agent wrote them. They are {}.", offline::EXTRACTIVE_NOTE));
    }
    Ok(Code::Done)
}

fn summaries(
    episode: &offline::Episode,
    chunks: &[chunks::Chunk],
) -> Result<BTreeMap<String, String>, Failure> {
    let created_at = Timestamp::from_microsecond(clock::now().0).unwrap_or_default();
    let unwritable = |error: json::JsonError| Failure::of(Code::Failure, &error);
    let provenance = || {
        vec![
            json!({"kind": "offline", "ref": "extractive-1", "created_at": null, "metadata": {"note": offline::EXTRACTIVE_NOTE}}),
        ]
    };
    let mut files = BTreeMap::new();
    for chunk in chunks {
        let digest: ChunkDigest = offline::summarize_chunk(&chunk.text, episode);
        let summary = ChunkSummary {
            bullets: digest.bullets,
            chunk_id: &chunk.chunk_id,
            created_at,
            entities: digest.entities,
            links: links(digest.links),
            provenance: provenance(),
            summary_markdown: digest.summary_markdown,
            version: 1,
        };
        let path = format!("summaries/chunks/{}.summary.json", chunk.chunk_id);
        files.insert(path, json::write(&summary).map_err(unwritable)?);
    }
    let digest: EpisodeDigest = offline::summarize_episode(episode);
    let stem = "summaries/episode/episode_summary";
    files.insert(format!("{stem}.md"), digest.summary_markdown.clone());
    files.insert(format!("{stem}.html"), from_markdown(&digest.summary_markdown));
    let summary = EpisodeSummary {
        created_at,
        key_points: digest.key_points,
        links: links(digest.links),
        provenance: provenance(),
        summary_markdown: digest.summary_markdown,
        topics: digest.topics,
        version: 1,
    };
    files.insert(format!("{stem}.json"), json::write(&summary).map_err(unwritable)?);
    Ok(files)
}
