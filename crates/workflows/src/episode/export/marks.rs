//! Chapters in the form that all formats can hold: whole milliseconds, a title of one line.
//!
//! Invariant: starts strictly increase, and an end is behind its start.
//! Absent here: chapters without a visible title, which no player could show.

use super::Line;
use crate::episode::Chapter;

/// A chapter as publishers take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Its start in milliseconds.
    pub start_ms: u64,
    /// Its end in milliseconds, where it is known.
    pub end_ms: Option<u64>,
    /// Its title.
    pub title: Line,
}

/// The chapters to the millisecond. Two that begin in the same one are kept apart by one; a chapter without a visible
/// title is left out.
#[must_use]
pub fn marks(chapters: &[Chapter]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for chapter in chapters {
        let Some(title) = Line::new(&chapter.title) else { continue };
        let earliest = marks.last().map_or(0, |last| last.start_ms.saturating_add(1));
        let start_ms = milliseconds(chapter.start_sec).max(earliest);
        let end_ms = chapter.end_sec.map(milliseconds).filter(|end| *end > start_ms);
        marks.push(Mark { start_ms, end_ms, title });
    }
    marks
}

/// Saturates: no recording is that long.
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

impl Mark {
    /// The start as `HH:MM:SS.mmm`.
    pub(super) fn clock_ms(&self) -> String {
        format!("{}.{:03}", clock(self.start_ms), self.start_ms % 1000)
    }

    /// The start as `HH:MM:SS`, to the second before it.
    pub(super) fn clock(&self) -> String {
        clock(self.start_ms)
    }
}

fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
