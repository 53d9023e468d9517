//! The contract's domain model: candidates, reviews, assets and the episode's `state.json`.
//!
//! Invariant: a value that passed `check` keeps every rule of the podcast contract §1; unknown fields are
//! refused. Fields stand in alphabetical order, which is the order they are written in.
//! Absent here: files. See `json` for text and `files` for paths.

use crate::episode;
use jiff::Timestamp;
use redraft_loop::{Severity, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// The only `schema_version` of `state.json` and `episode.yaml` that is known.
pub const SCHEMA_VERSION: u32 = 1;

/// The asset kinds of the contract, in its order. An asset id need not be one of them.
pub const ASSET_KINDS: [&str; 13] = [
    "description",
    "shownotes",
    "summary_short",
    "title_detail",
    "title_seo",
    "subtitle_auphonic",
    "slug",
    "cms_tags",
    "audio_tags",
    "itunes_keywords",
    "mastodon",
    "linkedin",
    "youtube_description",
];

/// Assets whose selection is locked once it was made (contract §3.5).
pub const LOCKED_SELECTIONS: [&str; 4] = ["slug", "title_detail", "title_seo", "subtitle_auphonic"];

/// The id of an asset: `^[a-z][a-z0-9_]*$`, at most 128 characters so that it fits a file name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AssetId(String);

impl AssetId {
    /// Parses an asset id.
    ///
    /// # Errors
    /// [`ModelError::AssetId`], in the contract's words.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let mut chars = text.chars();
        let starts = chars.next().is_some_and(|c| c.is_ascii_lowercase());
        let goes_on = chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !starts || !goes_on || text.len() > 128 {
            return Err(ModelError::AssetId(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The asset's kind: its id, where that is a known kind.
    pub fn kind(&self) -> Option<String> {
        ASSET_KINDS.contains(&self.as_str()).then(|| self.0.clone())
    }

    /// Whether a selection of this asset is locked.
    pub fn locks_selection(&self) -> bool {
        LOCKED_SELECTIONS.contains(&self.as_str())
    }
}

impl std::fmt::Display for AssetId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for AssetId {
    type Error = ModelError;
    fn try_from(text: String) -> Result<Self, ModelError> {
        Self::parse(&text)
    }
}

impl From<AssetId> for String {
    fn from(id: AssetId) -> Self {
        id.0
    }
}

/// What is wrong with a document that parsed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// In the contract's words.
    #[error("asset_id must match ^[a-z][a-z0-9_]*$ and have at most 128 characters, not {0:?}")]
    AssetId(String),
    /// In the contract's words.
    #[error("Unsupported schema_version {0}; expected {SCHEMA_VERSION}")]
    SchemaVersion(u64),
    /// In the contract's words.
    #[error("Unsupported version {0}; expected 1")]
    Version(u64),
    /// A rule of the contract is broken.
    #[error("{path}: {rule}")]
    Rule {
        /// Where in the document.
        path: String,
        /// Which rule.
        rule: String,
    },
}

fn broken(path: impl Into<String>, rule: impl Into<String>) -> ModelError {
    ModelError::Rule { path: path.into(), rule: rule.into() }
}

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextFormat {
    /// Markdown, `.md`; gets a derived `.html`.
    Markdown,
    /// Plain text, `.txt`.
    Plain,
    /// HTML, `.html`.
    Html,
}

impl TextFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Markdown, Self::Plain, Self::Html];

    /// The extension of its file, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Plain => "txt",
            Self::Html => "html",
        }
    }
}

/// Where something came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvenanceRef {
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// The kind of source.
    pub kind: String,
    /// Anything else known about it.
    #[serde(default)]
    pub metadata: BTreeMap<String, Value>,
    /// The source.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// A text that may become the asset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The asset.
    pub asset_id: AssetId,
    /// Its id, unique in the asset.
    pub candidate_id: Uuid,
    /// The text.
    pub content: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// Its form.
    pub format: TextFormat,
    /// Where it came from.
    #[serde(default)]
    pub provenance: Vec<ProvenanceRef>,
}

/// How much an issue weighs, in the contract's two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueSeverity {
    /// Blocks.
    Error,
    /// Does not block.
    Warning,
}

impl From<Severity> for IssueSeverity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Warning => Self::Warning,
            Severity::Error | Severity::Blocker => Self::Error,
        }
    }
}

impl From<IssueSeverity> for Severity {
    fn from(severity: IssueSeverity) -> Self {
        match severity {
            IssueSeverity::Warning => Self::Warning,
            IssueSeverity::Error => Self::Error,
        }
    }
}

/// One thing a review found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewIssue {
    /// The rule, when there is one.
    #[serde(default)]
    pub code: Option<String>,
    /// The part it speaks of.
    #[serde(default)]
    pub field: Option<String>,
    /// Its id.
    pub issue_id: Uuid,
    /// What is wrong.
    pub message: String,
    /// Its weight.
    pub severity: IssueSeverity,
}

/// A review of one iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewIteration {
    /// When it was written.
    pub created_at: Timestamp,
    /// What it found.
    #[serde(default)]
    pub issues: Vec<ReviewIssue>,
    /// The iteration, from 1.
    pub iteration: u32,
    /// Where it came from.
    #[serde(default)]
    pub provenance: Vec<ProvenanceRef>,
    /// Who reviewed.
    #[serde(default)]
    pub reviewer: Option<String>,
    /// In a sentence.
    #[serde(default)]
    pub summary: Option<String>,
    /// What it concludes.
    pub verdict: Verdict,
}

impl ReviewIteration {
    /// Checks the rules that a parser cannot.
    ///
    /// # Errors
    /// The first rule that is broken, with its path.
    pub fn check(&self, path: &str) -> Result<(), ModelError> {
        if self.iteration == 0 {
            return Err(broken(format!("{path}.iteration"), "must be at least 1"));
        }
        let error = self.issues.iter().any(|issue| issue.severity == IssueSeverity::Error);
        if self.verdict == Verdict::Ok && error {
            return Err(broken(format!("{path}.verdict"), "ok together with an error issue"));
        }
        Ok(())
    }

    /// The issues that block.
    pub fn blocking(&self) -> impl Iterator<Item = &ReviewIssue> {
        self.issues.iter().filter(|issue| issue.severity == IssueSeverity::Error)
    }
}

/// An asset with everything that was written and said about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asset {
    /// Its id.
    pub asset_id: AssetId,
    /// Its candidates.
    #[serde(default)]
    pub candidates: Vec<Candidate>,
    /// Its kind, where it is a known one.
    #[serde(default)]
    pub kind: Option<String>,
    /// Its reviews, iterations strictly increasing.
    #[serde(default)]
    pub reviews: Vec<ReviewIteration>,
    /// The candidate that was selected.
    #[serde(default)]
    pub selected_candidate_id: Option<Uuid>,
}

impl Asset {
    /// An asset about which nothing is known yet.
    pub fn new(asset_id: AssetId) -> Self {
        let kind = asset_id.kind();
        Self {
            asset_id,
            candidates: Vec::new(),
            kind,
            reviews: Vec::new(),
            selected_candidate_id: None,
        }
    }

    /// The selected candidate.
    pub fn selected(&self) -> Option<&Candidate> {
        let id = self.selected_candidate_id?;
        self.candidates.iter().find(|candidate| candidate.candidate_id == id)
    }

    /// The newest candidate by `(created_at, candidate_id)`: the seed of a run (contract §3.2).
    pub fn newest_candidate(&self) -> Option<&Candidate> {
        self.candidates
            .iter()
            .max_by_key(|candidate| (candidate.created_at, candidate.candidate_id))
    }

    fn check(&self, path: &str) -> Result<(), ModelError> {
        let id = self.asset_id.as_str();
        if self.kind.as_ref().is_some_and(|kind| kind != id) {
            return Err(broken(format!("{path}.kind"), format!("must equal asset_id {id}")));
        }
        if self.kind.is_some() && self.asset_id.kind().is_none() {
            return Err(broken(format!("{path}.kind"), "is no known asset kind"));
        }
        self.check_candidates(path)?;
        for (n, review) in self.reviews.iter().enumerate() {
            review.check(&format!("{path}.reviews[{n}]"))?;
        }
        if !self.reviews.is_sorted_by(|a, b| a.iteration < b.iteration) {
            return Err(broken(format!("{path}.reviews"), "iterations must strictly increase"));
        }
        Ok(())
    }

    fn check_candidates(&self, path: &str) -> Result<(), ModelError> {
        let mut seen = BTreeSet::new();
        for (n, candidate) in self.candidates.iter().enumerate() {
            if candidate.asset_id != self.asset_id {
                let path = format!("{path}.candidates[{n}].asset_id");
                return Err(broken(path, format!("must be {}", self.asset_id)));
            }
            if !seen.insert(candidate.candidate_id) {
                let path = format!("{path}.candidates[{n}].candidate_id");
                return Err(broken(path, format!("{} is used twice", candidate.candidate_id)));
            }
        }
        match self.selected_candidate_id {
            Some(id) if !seen.contains(&id) => Err(broken(
                format!("{path}.selected_candidate_id"),
                format!("{id} is no candidate of the asset"),
            )),
            Some(_) | None => Ok(()),
        }
    }
}

/// A chapter of the episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    /// Its end in seconds, when known.
    #[serde(default)]
    pub end_sec: Option<f64>,
    /// Its start in seconds.
    pub start_sec: f64,
    /// A summary, when there is one.
    #[serde(default)]
    pub summary: Option<String>,
    /// Its title.
    pub title: String,
}

impl From<episode::Chapter> for Chapter {
    fn from(chapter: episode::Chapter) -> Self {
        let episode::Chapter { title, start_sec, end_sec, summary } = chapter;
        Self { end_sec, start_sec, summary, title }
    }
}

impl From<Chapter> for episode::Chapter {
    fn from(chapter: Chapter) -> Self {
        let Chapter { end_sec, start_sec, summary, title } = chapter;
        Self { title, start_sec, end_sec, summary }
    }
}

/// A source recording or text of the episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// What to call it.
    #[serde(default)]
    pub label: Option<String>,
    /// Where it is, relative to the workspace.
    pub path: String,
    /// Where it came from.
    #[serde(default)]
    pub provenance: Vec<ProvenanceRef>,
    /// What it is for.
    #[serde(default)]
    pub role: Option<String>,
    /// Its id.
    pub track_id: String,
}

/// `state.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeWorkspace {
    /// The assets, by id.
    #[serde(default)]
    pub assets: Vec<Asset>,
    /// The production at Auphonic, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auphonic_production_uuid: Option<String>,
    /// The chapters, starts strictly increasing.
    #[serde(default)]
    pub chapters: Vec<Chapter>,
    /// When the workspace was made.
    pub created_at: Timestamp,
    /// The episode.
    pub episode_id: String,
    /// Where it came from.
    #[serde(default)]
    pub provenance: Vec<ProvenanceRef>,
    /// The workspace's folder, as it was given.
    pub root_dir: String,
    /// Always 1.
    pub schema_version: u32,
    /// Source tracks.
    #[serde(default)]
    pub tracks: Vec<Track>,
}

impl EpisodeWorkspace {
    /// Checks the rules that a parser cannot.
    ///
    /// # Errors
    /// The first rule that is broken, with its path.
    pub fn check(&self) -> Result<(), ModelError> {
        if self.schema_version != SCHEMA_VERSION {
            return Err(ModelError::SchemaVersion(u64::from(self.schema_version)));
        }
        check_episode_id(&self.episode_id)?;
        let mut assets = BTreeSet::new();
        for (n, asset) in self.assets.iter().enumerate() {
            let path = format!("assets[{n}]");
            if !assets.insert(&asset.asset_id) {
                return Err(broken(path, format!("asset {} stands there twice", asset.asset_id)));
            }
            asset.check(&path)?;
        }
        let mut tracks = BTreeSet::new();
        if let Some(twin) = self.tracks.iter().find(|track| !tracks.insert(&track.track_id)) {
            return Err(broken("tracks", format!("track {} stands there twice", twin.track_id)));
        }
        self.check_chapters()
    }

    fn check_chapters(&self) -> Result<(), ModelError> {
        for (n, chapter) in self.chapters.iter().enumerate() {
            let starts = chapter.start_sec.is_finite() && chapter.start_sec >= 0.0;
            let ends = chapter.end_sec.is_none_or(|end| end.is_finite() && end > chapter.start_sec);
            if !starts || !ends {
                let rule = "start_sec must be at least 0 and end_sec greater than it";
                return Err(broken(format!("chapters[{n}]"), rule));
            }
        }
        if self.chapters.is_sorted_by(|a, b| a.start_sec < b.start_sec) {
            return Ok(());
        }
        Err(broken("chapters", "starts must strictly increase"))
    }

    /// The asset of this id.
    pub fn asset(&self, id: &AssetId) -> Option<&Asset> {
        self.assets.iter().find(|asset| asset.asset_id == *id)
    }
}

/// Checks an episode id: `^[a-zA-Z0-9._-]+$`, neither starting nor ending with `.`, `_` or `-`.
///
/// # Errors
/// [`ModelError::Rule`] with the pattern.
pub fn check_episode_id(id: &str) -> Result<(), ModelError> {
    let inner = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if id.chars().all(inner)
        && edge(id.chars().next())
        && edge(id.chars().last())
        && id.len() <= 128
    {
        return Ok(());
    }
    let rule = "must match ^[a-zA-Z0-9._-]+$, neither start nor end with . _ - and have at most 128 characters";
    Err(broken("episode_id", format!("{rule}, not {id:?}")))
}
