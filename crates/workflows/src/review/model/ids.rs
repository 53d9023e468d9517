//! Asset ids and the kinds that the contract knows.
//!
//! Absent here: what an asset holds.

use super::ModelError;
use serde::{Deserialize, Serialize};

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
