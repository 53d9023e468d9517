//! The episode's `state.json`: its assets, chapters and tracks.

use super::{Asset, AssetId, ModelError, ProvenanceRef, SCHEMA_VERSION, broken};
use crate::episode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
