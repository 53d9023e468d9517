//! An episode as its files say it: who spoke when, and where its chapters begin.
//!
//! Everything here is parsed from text that a person gave; nothing is read from disk.

/// What was said, in order. Never empty of turns once parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// Speaker turns, in the order of the recording.
    pub turns: Vec<SpeakerTurn>,
}

/// One stretch of speech by one speaker, free of markers (`**Speaker:**`, `[HH:MM:SS]`, `Break`).
#[derive(Debug, Clone, PartialEq)]
pub struct SpeakerTurn {
    /// The speaker's name as the transcript spells it; `None` where the source names nobody.
    pub speaker: Option<String>,
    /// Where the turn begins, in milliseconds, when a marker or cue says so.
    pub start_ms: Option<u64>,
    /// What was said; paragraphs are separated by one blank line.
    pub text: String,
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
