//! The summaries of a workspace, for prompts that a whole transcript does not fit.
//!
//! Invariant: summaries of an earlier transcript are not read.
//! Absent here: making them.

use crate::{
    episode::{Episode, View, read_text},
    exit::{Code, Failure},
};
use redraft_workflows::review::{brief::Summaries, workspace::WorkspaceFact};
use serde_json::Value;

const EPISODE: &str = "summaries/episode/episode_summary.json";

/// Reads them; empty where there are none.
pub(super) fn read(episode: &Episode, view: &View) -> Result<Summaries, Failure> {
    if are_stale(view) {
        return Ok(Summaries::default());
    }
    let mut summaries =
        Summaries { episode: markdown(episode, EPISODE)?.unwrap_or_default(), chunks: Vec::new() };
    for n in 1.. {
        let path = format!("summaries/chunks/chunk_{n:04}.summary.json");
        match markdown(episode, &path)? {
            Some(text) => summaries.chunks.push(text),
            None => break,
        }
    }
    Ok(summaries)
}

/// Whether another transcript was taken in since they were made.
fn are_stale(view: &View) -> bool {
    let newest = view.workspace.facts().iter().rev().find_map(|fact| match fact {
        WorkspaceFact::Ingested(_) => Some(true),
        WorkspaceFact::Summarised(_) => Some(false),
        WorkspaceFact::Created(_)
        | WorkspaceFact::Drafted(_)
        | WorkspaceFact::Picked(_)
        | WorkspaceFact::Adopted(_)
        | WorkspaceFact::FileAdopted(_)
        | WorkspaceFact::RunEnded(_)
        | WorkspaceFact::Synced(_)
        | WorkspaceFact::Exported(_)
        | WorkspaceFact::Reopened(_)
        | WorkspaceFact::Released(_) => None,
    });
    newest.unwrap_or(false)
}

fn markdown(episode: &Episode, path: &str) -> Result<Option<String>, Failure> {
    let Some(text) = read_text(&episode.files, path, Code::Usage)? else { return Ok(None) };
    let place = episode.root.join(path);
    let document: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::in_file(Code::Damaged, &place, &error))?;
    match document["summary_markdown"].as_str() {
        Some(text) => Ok(Some(text.to_owned())),
        None => Err(Failure::new(
            Code::Damaged,
            format!("{}: summary_markdown: expected a text", place.display()),
        )),
    }
}
