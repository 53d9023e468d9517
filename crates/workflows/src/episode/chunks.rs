//! A transcript in pieces that fit a bound, for agents that read one piece at a time.
//!
//! Invariant: no word is lost, added or moved; a chunk ends where a turn ends unless one turn alone
//! is longer than the bound. Absent: overlap between chunks, tokens, and file names.

use std::ops::Range;

use super::{SpeakerTurn, Transcript};

/// A part of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// `chunk_0001`, `chunk_0002` and so on.
    pub chunk_id: String,
    /// The turns, each as `Speaker: text` or as text where nobody is named, separated by blank lines.
    /// A part of a turn that was split names its speaker again.
    pub text: String,
    /// Where the chunk begins, in seconds: the last time known at or before its first turn.
    pub start_sec: Option<f64>,
    /// The turns that stand in the chunk, whole or in part.
    pub turns: Range<usize>,
}

/// Splits a transcript into chunks of at most `max_chars` characters (at least one).
///
/// A turn that does not fit is split behind a paragraph or sentence where one ends in the second half
/// of the room, else behind a word, else anywhere. Where a speaker's name takes more than half of the bound, such parts go without it.
#[must_use]
pub fn chunks(transcript: &Transcript, max_chars: usize) -> Vec<Chunk> {
    let max_chars = max_chars.max(1);
    let mut chunks = Chunks { done: Vec::new(), open: None, length: 0, max_chars };
    let mut known_ms = None;
    for (at, turn) in transcript.turns.iter().enumerate() {
        known_ms = turn.start_ms.or(known_ms);
        for part in parts(turn, max_chars) {
            chunks.add(&part, at, known_ms);
        }
    }
    chunks.finish()
}

struct Chunks {
    done: Vec<Chunk>,
    open: Option<Chunk>,
    /// Characters of the open chunk.
    length: usize,
    max_chars: usize,
}

impl Chunks {
    fn add(&mut self, part: &str, turn: usize, start_ms: Option<u64>) {
        let part_length = part.chars().count();
        let fits = self.length + 2 + part_length <= self.max_chars;
        // Parts of one turn were split to be apart.
        if let Some(open) = self.open.as_mut().filter(|open| fits && open.turns.end <= turn) {
            open.text.push_str("\n\n");
            open.text.push_str(part);
            open.turns.end = turn + 1;
            self.length += 2 + part_length;
            return;
        }
        self.done.extend(self.open.take());
        self.length = part_length;
        self.open = Some(Chunk {
            chunk_id: format!("chunk_{:04}", self.done.len() + 1),
            text: part.to_owned(),
            start_sec: start_ms.map(super::clock::seconds),
            turns: turn..turn + 1,
        });
    }

    fn finish(mut self) -> Vec<Chunk> {
        self.done.extend(self.open);
        self.done
    }
}

/// A turn as lines that fit, each with its speaker.
fn parts(turn: &SpeakerTurn, max_chars: usize) -> Vec<String> {
    let prefix = turn.speaker.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let whole = prefix.chars().count() + turn.text.chars().count();
    let prefix =
        if whole > max_chars && prefix.chars().count() * 2 > max_chars { "" } else { &prefix };
    let room = max_chars - prefix.chars().count().min(max_chars - 1);
    let mut parts = Vec::new();
    let mut rest = turn.text.as_str();
    while !rest.is_empty() {
        let (part, after) = rest.split_at_checked(cut(rest, room)).unwrap_or((rest, ""));
        parts.push(format!("{prefix}{}", part.trim_end()));
        rest = after.trim_start();
    }
    parts
}

/// Byte where a text of at most `room` characters ends: the whole, or the best place to split.
fn cut(text: &str, room: usize) -> usize {
    let Some((edge, next)) = text.char_indices().nth(room) else { return text.len() };
    let window = text.get(..edge).unwrap_or(text);
    let stops = ["\n\n", ". ", "! ", "? ", "… ", "。", "！", "？"];
    let behind = |stop: &str| window.rfind(stop).map(|at| at + stop.len());
    let sentence = stops.iter().filter_map(|stop| behind(stop)).max();
    let word = if next.is_whitespace() { Some(edge) } else { window.rfind(char::is_whitespace) };
    let sentence = sentence.filter(|at| *at * 2 >= edge);
    sentence.or(word.filter(|at| *at > 0)).unwrap_or(edge)
}

#[cfg(test)]
mod tests;
