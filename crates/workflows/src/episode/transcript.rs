//! Reads a transcript, whatever a person exported it as: Markdown, plain text, WebVTT, SRT or JSON.
//!
//! Invariant: every turn has text, and no text holds a time marker, a stage direction, a speaker's
//! lead-in or inline markup. The format is chosen by what the file holds, then by its extension.
//! Absent: the disk; the caller names the file when it reports an error.

use super::markers::BadMarker;
use super::source::{self, SourceError};
use super::turns::{self, Part};
use super::{Link, Transcript, cues, markdown, names, plain, segments};

/// Why a file is no transcript.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The file is no text that could be parsed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A bracket that begins as a time or stage direction and does not end as one.
    #[error(
        "line {line}, column {column}: `{found}` is no time; write [MM:SS] or [HH:MM:SS], or take the bracket away"
    )]
    Marker {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The bracket as written, cut after a few characters.
        found: String,
    },
    /// A cue of a WebVTT or SRT file that cannot be read.
    #[error("line {line}: {problem}; correct the cue or take it away")]
    Cue {
        /// Line of the cue, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A WebVTT file without its first line.
    #[error("line 1: a WebVTT file begins with `WEBVTT`; add that line, or rename the file")]
    Signature,
    /// A JSON file that is no JSON.
    #[error("line {line}, column {column}: not JSON: {source}; give the file as it was exported", line = source.line(), column = source.column())]
    Json {
        /// What the JSON parser says.
        #[from]
        source: serde_json::Error,
    },
    /// A JSON file that is no Podcasting 2.0 transcript.
    #[error(
        "{path}: {problem}; a transcript has segments with startTime, body and, where known, speaker"
    )]
    Segment {
        /// Where in the file, such as `segments[3].body`.
        path: String,
        /// What is wrong there.
        problem: String,
    },
    /// The file has markers or markup only.
    #[error("the file holds markers but no speech; give a file that says what was said")]
    NoSpeech,
}

enum Format {
    Markdown,
    Plain,
    WebVtt,
    SubRip,
    Json,
}

/// Reads a transcript.
///
/// Only the extension of `file_name` counts, and only where the content does not settle the format.
///
/// # Errors
/// [`TranscriptError`] names the first place that cannot be read, and what to do about it.
pub fn parse(file_name: &str, bytes: &[u8]) -> Result<Transcript, TranscriptError> {
    let text = source::text(bytes)?;
    match Format::of(&source::extension(file_name), &text) {
        Format::Markdown => {
            let text = markdown::prepared(&text);
            let (parts, links) = markdown::parts(&text);
            transcript(&text, parts, links)
        }
        Format::Plain => transcript(&text, plain::parts(&text), Vec::new()),
        Format::WebVtt => transcript(&text, cues::web_vtt(&text)?, Vec::new()),
        Format::SubRip => transcript(&text, cues::sub_rip(&text)?, Vec::new()),
        Format::Json => transcript(&text, segments::parts(&text)?, Vec::new()),
    }
}

impl Format {
    fn of(extension: &str, text: &str) -> Self {
        let looks_bold = || text.contains("**") || text.contains("__");
        if text.starts_with("WEBVTT") {
            return Self::WebVtt;
        }
        match extension {
            "vtt" => Self::WebVtt,
            "srt" => Self::SubRip,
            "json" => Self::Json,
            "md" | "markdown" => Self::Markdown,
            _ if segments::looks_like_json(text) => Self::Json,
            _ if cues::looks_like_sub_rip(text) => Self::SubRip,
            _ if looks_bold() && markdown::has_lead_ins(text) => Self::Markdown,
            _ => Self::Plain,
        }
    }
}

fn transcript(
    text: &str,
    parts: Vec<Part>,
    links: Vec<Link>,
) -> Result<Transcript, TranscriptError> {
    let turns = turns::turns(&names::in_lines(parts)).map_err(|bad| refusal(text, bad))?;
    if turns.is_empty() {
        return Err(TranscriptError::NoSpeech);
    }
    Ok(Transcript { turns, links })
}

fn refusal(text: &str, bad: BadMarker) -> TranscriptError {
    let (line, column) = source::place(text, bad.offset);
    TranscriptError::Marker { line, column, found: bad.found }
}

#[cfg(test)]
mod tests;
