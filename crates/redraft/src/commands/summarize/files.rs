//! The files of summaries, in the contract's words.
//!
//! Absent here: who summarised.

use crate::exit::{Code, Failure};
use jiff::Timestamp;
use redraft_workflows::{
    review::{from_markdown, json},
    summary::{EpisodeSummary, Link, StretchSummary},
};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// `chunk_0001.summary.json`.
#[derive(Serialize)]
struct ChunkFile<'a> {
    bullets: &'a [String],
    chunk_id: &'a str,
    created_at: Timestamp,
    entities: &'a [String],
    links: &'a [Link],
    provenance: [&'a Value; 1],
    summary_markdown: &'a str,
    version: u32,
}

/// `episode_summary.json`.
#[derive(Serialize)]
struct EpisodeFile<'a> {
    created_at: Timestamp,
    key_points: &'a [String],
    links: &'a [Link],
    provenance: [&'a Value; 1],
    summary_markdown: &'a str,
    topics: &'a [String],
    version: u32,
}

const EPISODE: &str = "summaries/episode/episode_summary";

/// Where the summaries of these chunks and of the episode stand.
pub(super) fn places<'a>(chunks: impl Iterator<Item = &'a str>) -> Vec<String> {
    let of_episode = ["json", "md", "html"].map(|extension| format!("{EPISODE}.{extension}"));
    chunks.map(place).chain(of_episode).collect()
}

fn place(chunk_id: &str) -> String {
    format!("summaries/chunks/{chunk_id}.summary.json")
}

/// The files by path.
pub(super) fn files<'a>(
    chunks: impl Iterator<Item = (&'a str, StretchSummary)>,
    episode: &EpisodeSummary,
    created_at: Timestamp,
    provenance: &Value,
) -> Result<BTreeMap<String, String>, Failure> {
    let unwritable = |error: json::JsonError| Failure::of(Code::Failure, &error);
    let mut files = BTreeMap::new();
    for (chunk_id, summary) in chunks {
        let file = ChunkFile {
            bullets: &summary.bullets,
            chunk_id,
            created_at,
            entities: &summary.entities,
            links: &summary.links,
            provenance: [provenance],
            summary_markdown: &summary.summary_markdown,
            version: 1,
        };
        files.insert(place(chunk_id), json::write(&file).map_err(unwritable)?);
    }
    let markdown = &episode.summary_markdown;
    let file = EpisodeFile {
        created_at,
        key_points: &episode.key_points,
        links: &episode.links,
        provenance: [provenance],
        summary_markdown: markdown,
        topics: &episode.topics,
        version: 1,
    };
    files.insert(format!("{EPISODE}.json"), json::write(&file).map_err(unwritable)?);
    files.insert(format!("{EPISODE}.md"), markdown.clone());
    files.insert(format!("{EPISODE}.html"), from_markdown(markdown));
    Ok(files)
}
