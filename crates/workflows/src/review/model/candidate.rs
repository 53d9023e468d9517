//! Candidates: texts that may become an asset.

use super::AssetId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

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

impl Candidate {
    /// Whether it says anything.
    pub fn has_text(&self) -> bool {
        !self.content.trim().is_empty()
    }
}
