//! What a text of each kind must be: rules as values, read from `rubrics/<kind>.toml`.
//!
//! A rule is an id, a check with its parameters, a severity, a message template and the source of the
//! demand. Invariant: a rubric names only checks that exist; an unknown field or check is an error with
//! the file's name. Absent here: running the checks (see `checks`), and the writer.

use std::sync::LazyLock;

use serde::Deserialize;

use super::lexicon::PhraseList;
use super::{Format, Severity};

/// The rules for one kind of asset.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rubric {
    /// Rises with every change of a rule.
    pub version: u32,
    /// The asset kind.
    pub kind: String,
    /// Plain text or Markdown.
    pub format: Format,
    /// Rules in the order of their findings.
    pub rules: Vec<RubricRule>,
}

/// One demand on a text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RubricRule {
    /// The code of its findings.
    pub id: String,
    /// What is looked at.
    pub check: Check,
    /// Whether a breach blocks.
    pub severity: Severity,
    /// What, where and what to do; `{found}` is what the check found.
    pub message: String,
    /// Where the demand comes from.
    pub source: String,
}

/// A section or element a text must have when the episode can fill it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The episode's links.
    Links,
    /// The episode's chapters.
    Chapters,
    /// A speaker's name.
    Names,
    /// A list of key points.
    KeyPoints,
}

/// The shape of a one-line text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Lower-case ASCII words joined by single hyphens.
    Slug,
    /// Starts with a capital or a digit, ends without a full stop, no doubled punctuation.
    Title,
    /// Items separated by a comma and a space, none empty.
    List,
}

/// What a rule looks at, with its parameters. Lengths are in characters (Unicode scalar values).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Check {
    /// No text at all; the only finding when it holds.
    Empty,
    /// Fewer words of content than `words`; the only finding when it holds.
    NearEmpty {
        /// At least as many words.
        words: usize,
    },
    /// Longer than `chars`.
    MaxChars {
        /// The limit.
        chars: usize,
    },
    /// Shorter than `chars`.
    MinChars {
        /// The limit.
        chars: usize,
    },
    /// More sentences of prose than `sentences`.
    MaxSentences {
        /// The limit.
        sentences: usize,
    },
    /// Fewer sentences of prose than `sentences`.
    MinSentences {
        /// The limit.
        sentences: usize,
    },
    /// More than one line.
    SingleLine,
    /// Not of the form.
    Form {
        /// The form.
        form: Form,
    },
    /// More items than `items`.
    MaxItems {
        /// The limit.
        items: usize,
    },
    /// Fewer items than `items`.
    MinItems {
        /// The limit.
        items: usize,
    },
    /// An item longer than `chars`.
    ItemChars {
        /// The limit.
        chars: usize,
    },
    /// An item that stands there twice, singular and plural taken as one.
    RepeatedItem,
    /// An item of everyday words only, or a given name alone.
    JunkItem,
    /// A hashtag count outside the range.
    Hashtags {
        /// At least.
        min: usize,
        /// At most.
        max: usize,
    },
    /// The text lacks a part that the episode could fill.
    Part {
        /// The part.
        part: Part,
    },
    /// Chapter lines that YouTube would not show.
    ChapterForm {
        /// Shortest chapter, in seconds.
        gap: u64,
        /// Fewest chapters.
        least: usize,
    },
    /// The first sentence is longer than `chars`.
    Hook {
        /// The limit.
        chars: usize,
    },
    /// A name spelled otherwise than in the transcript.
    Names,
    /// A sentence with a listed phrase.
    Phrases {
        /// The list.
        list: PhraseList,
    },
    /// A sentence that points at what was said before.
    Dangling,
    /// A sentence without a verb.
    Fragment,
    /// A question.
    Question,
    /// A sentence in which somebody says `I`.
    FirstPerson,
    /// A sentence that trails off or breaks: `...`, `--`.
    TrailingOff,
    /// A sentence that starts with a lower-case letter.
    LowercaseStart,
    /// A sentence of more than `words` words.
    SentenceWords {
        /// The limit.
        words: usize,
    },
    /// A sentence that stands there twice.
    RepeatedSentence,
    /// A sentence that nobody said, word for word.
    SaidSentences,
    /// A word that nobody said.
    SaidWords,
    /// Markdown in plain text.
    PlainText,
    /// A transcript's marker: a time in brackets, a bold speaker name.
    Markers,
    /// One of the characters.
    Characters {
        /// Characters that must not occur.
        none_of: String,
    },
}

/// A rubric file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("rubric {kind}.toml cannot be read")]
pub struct RubricError {
    /// The kind the file is for.
    pub kind: String,
    /// What the parser says.
    pub source: Box<toml::de::Error>,
}

macro_rules! sources {
    ($($kind:literal),* $(,)?) => {
        /// The rubric files, by asset kind, in the contract's order.
        const SOURCES: [(&str, &str); 13] = [$(($kind, include_str!(concat!("../../rubrics/", $kind, ".toml")))),*];
    };
}
sources!(
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
);

static RUBRICS: LazyLock<Vec<Rubric>> =
    LazyLock::new(|| SOURCES.iter().filter_map(|(kind, text)| parse(kind, text).ok()).collect());

/// The asset kinds with a rubric, in the contract's order.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(kind, _)| *kind)
}

/// The rubric for `kind`, or `None` for a kind without one.
#[must_use]
pub fn rubric(kind: &str) -> Option<&'static Rubric> {
    RUBRICS.iter().find(|rubric| rubric.kind == kind)
}

/// The file name and the text of the rubric for `kind`, for the record.
#[must_use]
pub fn rubric_source(kind: &str) -> Option<(&'static str, &'static str)> {
    SOURCES.iter().find(|(name, _)| *name == kind).copied()
}

/// Reads a rubric file.
///
/// # Errors
/// When the text is not TOML of this shape; the error names the kind and keeps the parser's message.
pub fn parse(kind: &str, text: &str) -> Result<Rubric, RubricError> {
    toml::from_str(text)
        .map_err(|source| RubricError { kind: kind.to_owned(), source: Box::new(source) })
}
