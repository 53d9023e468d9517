//! An episode as its files say it: who spoke when, and where its chapters begin.
//!
//! Everything here is parsed from bytes that a person gave. Invariant: same bytes, same episode, and
//! no text that nobody said: no time marker, no stage direction, no markup. Absent here: the disk,
//! the splitting of text into sentences for summaries, and any guess at what a speaker meant.

use std::collections::HashSet;

pub mod chapters;
pub mod chunks;
pub mod export;
pub mod transcript;

mod clock;
mod cues;
mod inline_html;
mod markdown;
mod markers;
mod names;
mod passage;
mod plain;
pub(crate) mod references;
mod segments;
mod source;
mod turns;

pub use chapters::ChapterError;
pub use chunks::Chunk;
pub use source::SourceError;
pub use transcript::TranscriptError;

/// What was said, in order. Never empty of turns once parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// Speaker turns, in the order of the recording.
    pub turns: Vec<SpeakerTurn>,
    /// Links the source carries (`[label](url)`), in the order of the text, repeats included.
    pub links: Vec<Link>,
}

impl Transcript {
    /// The names of the speakers, each once, in the order of their first turn.
    ///
    /// Turns without a name add nothing.
    #[must_use]
    pub fn speakers(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let names = self.turns.iter().filter_map(|turn| turn.speaker.as_deref());
        names.filter(|name| seen.insert(*name)).collect()
    }
}

/// One stretch of speech by one speaker, free of markers (`**Speaker:**`, `[HH:MM:SS]`, `Break`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpeakerTurn {
    /// The speaker's name as the transcript spells it; `None` where the source names nobody.
    pub speaker: Option<String>,
    /// Where the turn begins, in milliseconds, when a marker or cue says so.
    pub start_ms: Option<u64>,
    /// What was said, never blank; paragraphs are one line each, separated by one blank line.
    pub text: String,
}

/// A link that the transcript carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The words that carry the link, as they stand in the turn's text; the address when there are none.
    pub label: String,
    /// The address, `http` or `https` only, free of blanks and control characters.
    pub url: String,
}

/// A chapter of the episode, as the contract's `Chapter`.
#[derive(Debug, Clone, PartialEq)]
pub struct Chapter {
    /// Title as given.
    pub title: String,
    /// Start in seconds, at least 0.
    pub start_sec: f64,
    /// End in seconds, greater than the start, when known.
    pub end_sec: Option<f64>,
    /// A summary of the chapter, when given.
    pub summary: Option<String>,
}
