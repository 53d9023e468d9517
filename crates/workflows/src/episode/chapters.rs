//! Reads the chapters of an episode from a file, or takes them from the times in a transcript.
//!
//! Invariant: starts are at least 0 and strictly increase, an end is behind its start, and a title is
//! one line of text that somebody wrote or said. Absent: pictures, links and hidden chapters
//! (`"toc": false`), which the formats know and an episode does not; and any guess at a title.

use super::Chapter;
use super::source::{self, SourceError};

mod ffmetadata;
mod from_markers;
mod json;
mod lines;
mod podlove;

pub use from_markers::from_markers;

/// Why a file holds no chapters.
#[derive(Debug, thiserror::Error)]
pub enum ChapterError {
    /// The file is no text that could be parsed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A JSON file that is no JSON.
    #[error("line {line}, column {column}: not JSON: {source}; give the file as it was exported", line = source.line(), column = source.column())]
    Json {
        /// What the JSON parser says.
        #[from]
        source: serde_json::Error,
    },
    /// A chapter that cannot be read, or that stands in the wrong place.
    #[error("{place}: {problem}")]
    Chapter {
        /// Where: `line 3`, or a JSON path such as `chapters[2].startTime`.
        place: String,
        /// What is wrong there, and what to do about it.
        problem: String,
    },
    /// The file can be read and holds no chapter.
    #[error("the file holds no chapter; leave it out, or write lines such as `00:00 Welcome`")]
    NoChapter,
}

/// A chapter with the place it was read from.
struct Found {
    title_place: String,
    start_place: String,
    end_place: String,
    title: String,
    start_sec: f64,
    end_sec: Option<f64>,
}

/// Reads a file of chapters: `HH:MM:SS Title` lines, Podcasting 2.0 JSON, Podlove Simple Chapters or
/// ffmetadata.
///
/// The content settles the format; of `file_name` only the extension counts, and only for JSON.
///
/// # Errors
/// [`ChapterError`] names the first line or JSON path that cannot be read, and what to do about it.
pub fn parse(file_name: &str, bytes: &[u8]) -> Result<Vec<Chapter>, ChapterError> {
    let text = source::text(bytes)?;
    let head = text.trim_start();
    let found = if head.starts_with('{') || source::extension(file_name) == "json" {
        json::read(&text)?
    } else if head.starts_with('<') {
        podlove::read(&text)?
    } else if head.starts_with(";FFMETADATA") {
        ffmetadata::read(&text)?
    } else {
        lines::read(&text)?
    };
    in_order(found)
}

fn in_order(found: Vec<Found>) -> Result<Vec<Chapter>, ChapterError> {
    let mut chapters: Vec<Chapter> = Vec::new();
    for one in found {
        let title = one.title.trim();
        if title.is_empty() {
            return Err(refusal(
                &one.title_place,
                "the chapter has no title; write one behind its time",
            ));
        }
        if title.contains(char::is_control) {
            return Err(refusal(
                &one.title_place,
                "the title holds a control character or line end; remove it",
            ));
        }
        if !one.start_sec.is_finite() || one.start_sec < 0.0 {
            return Err(refusal(
                &one.start_place,
                "the start is no time of at least 0; correct it",
            ));
        }
        if chapters.last().is_some_and(|last| one.start_sec <= last.start_sec) {
            return Err(refusal(
                &one.start_place,
                "the chapter does not begin after the one before it; put them in order",
            ));
        }
        if one.end_sec.is_some_and(|end| !end.is_finite() || end <= one.start_sec) {
            return Err(refusal(
                &one.end_place,
                "the chapter ends before it has begun; correct the end or leave it out",
            ));
        }
        let title = title.to_owned();
        chapters.push(Chapter {
            title,
            start_sec: one.start_sec,
            end_sec: one.end_sec,
            summary: None,
        });
    }
    if chapters.is_empty() { Err(ChapterError::NoChapter) } else { Ok(chapters) }
}

impl Found {
    /// A chapter of a format made of lines.
    fn at_line(line: usize, title: String, start_sec: f64, end_sec: Option<f64>) -> Self {
        let place = line_place(line);
        Self {
            title_place: place.clone(),
            start_place: place.clone(),
            end_place: place,
            title,
            start_sec,
            end_sec,
        }
    }
}

fn line_place(line: usize) -> String {
    format!("line {line}")
}

fn refusal(place: &str, problem: &str) -> ChapterError {
    ChapterError::Chapter { place: place.to_owned(), problem: problem.to_owned() }
}

#[cfg(test)]
mod tests;
