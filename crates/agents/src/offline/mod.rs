//! The offline agent: drafts every asset of an episode from the transcript's own words, and reviews it.
//!
//! Without network or key it extracts: ranked sentences, key phrases, names, chapters and links. Its
//! reviewer runs the rules of `rubrics/<kind>.toml`; its reviser answers each finding with one edit.
//! Invariant: pure and deterministic; no sentence of a draft that the transcript does not have, word for
//! word. Absent here: any model, any network, any text of our own besides the labels of `labels.txt`.

use serde::Deserialize;

mod answer;
mod chapters;
mod checks;
mod digest;
mod episode;
mod lexicon;
mod names;
mod outline;
mod phrases;
mod rank;
mod revise;
mod rubric;
mod said;
mod sentences;
mod shape;
#[cfg(test)]
mod tests;
mod words;
mod write;

pub use answer::answer;
pub use chapters::suggest_chapters;
pub use checks::review;
pub use digest::{ChunkDigest, EpisodeDigest, summarize_chunk, summarize_episode};
pub use episode::{Episode, RANKED_LIMIT};
pub use lexicon::{LISTS, PhraseList};
pub use rubric::{
    Check, Form, Part, Rubric, RubricError, RubricRule, kinds, parse, rubric, rubric_source,
};

/// What the output says about every text of this agent.
pub const EXTRACTIVE_NOTE: &str =
    "extractive: every sentence is taken word for word from the transcript; no model was used";

/// How a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The text must change.
    Error,
    /// The text may stay.
    Warning,
}

/// The format of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// CommonMark.
    Markdown,
    /// Text as it is.
    Plain,
}

/// One thing a review has against a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How it weighs.
    pub severity: Severity,
    /// The rubric rule's id, for example `too_long`.
    pub code: String,
    /// What is wrong, where, and what to do.
    pub message: String,
}

/// The last text and what its review found.
#[derive(Debug, Clone, Copy)]
pub struct Previous<'a> {
    /// The text, by whomever.
    pub text: &'a str,
    /// The findings; codes of other reviewers are allowed.
    pub findings: &'a [Finding],
    /// The iteration of that text, from 1.
    pub iteration: u32,
}

/// A text for an asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// Its format.
    pub format: Format,
    /// Whether the writer has nothing left to change.
    pub done: bool,
    /// What was done about each finding, and which ones it could not answer.
    pub remarks: Vec<String>,
}

/// Writes `kind` for `episode`: a first draft, or the previous text revised by its findings.
///
/// `None` for a kind the writer does not know.
#[must_use]
pub fn draft(kind: &str, episode: &Episode, previous: Option<Previous<'_>>) -> Option<Draft> {
    let rubric = rubric(kind)?;
    match previous {
        Some(previous) => Some(revise::revise(rubric, episode, previous)),
        None => {
            let text = write::first_draft(kind, episode)?;
            Some(Draft { text, format: rubric.format, done: true, remarks: Vec::new() })
        }
    }
}
