//! Summaries by the offline agent: extracts, made anew each time, since they cost nothing.
//!
//! Absent here: writing them down.

use super::files;
use crate::{clock, exit::Failure, players::OFFLINE};
use jiff::Timestamp;
use redraft_agents::offline::{self, ChunkDigest, EpisodeDigest};
use redraft_workflows::{
    episode::{self, Transcript, chunks::Chunk},
    summary::{EpisodeSummary, Link, StretchSummary},
};
use serde_json::json;
use std::collections::BTreeMap;

/// The files of all summaries.
pub(super) fn write(
    transcript: Transcript,
    chapters: Vec<episode::Chapter>,
    chunks: &[Chunk],
) -> Result<BTreeMap<String, String>, Failure> {
    let heard = offline::Episode::new(transcript, chapters);
    let provenance = json!({
        "kind": OFFLINE, "ref": "extractive-1", "created_at": null,
        "metadata": {"note": offline::EXTRACTIVE_NOTE},
    });
    let created_at = Timestamp::from_microsecond(clock::now().0).unwrap_or_default();
    let digest = |chunk: &Chunk| stretch(offline::summarize_chunk(&chunk.text, &heard));
    let chunks = chunks.iter().map(|chunk| (chunk.chunk_id.as_str(), digest(chunk)));
    let episode = whole(offline::summarize_episode(&heard));
    files::files(chunks, &episode, created_at, &provenance)
}

fn stretch(digest: ChunkDigest) -> StretchSummary {
    let ChunkDigest { summary_markdown, bullets, entities, links: found } = digest;
    StretchSummary { bullets, entities, links: links(found), summary_markdown }
}

fn whole(digest: EpisodeDigest) -> EpisodeSummary {
    let EpisodeDigest { summary_markdown, key_points, topics, links: found } = digest;
    EpisodeSummary { key_points, links: links(found), summary_markdown, topics }
}

fn links(links: Vec<episode::Link>) -> Vec<Link> {
    links.into_iter().map(|episode::Link { label, url }| Link { label, url }).collect()
}
