//! Chapters where the transcript has times: each begins at a turn and is named by its first words.
//!
//! Invariant: every title is a beginning of what was said there, and starts strictly increase.
//! Absent: a chapter at 0 that no marker names, and any word that nobody said.

use super::super::{Chapter, SpeakerTurn, Transcript, clock};

/// The most chapters taken from markers.
const MAX_CHAPTERS: u64 = 12;

/// The longest title, in characters.
const MAX_TITLE_CHARS: usize = 60;

/// Fewer words than this say too little: the title then runs into the next sentence.
const MIN_TITLE_WORDS: usize = 4;

/// Chapters from the markers of a transcript; none when it has none.
///
/// Of many markers at most twelve are taken, spread over the time they span. A title is the first
/// sentence of the turn, cut behind a word at 60 characters.
#[must_use]
pub fn from_markers(transcript: &Transcript) -> Vec<Chapter> {
    let marked = increasing(transcript);
    let (Some((first, _)), Some((last, _))) = (marked.first(), marked.last()) else {
        return Vec::new();
    };
    let (first, span) = (*first, last - first + 1);
    let all = marked.len() as u64 <= MAX_CHAPTERS;
    let mut taken = None;
    let mut chapters = Vec::new();
    for (start_ms, title) in marked {
        // Wide enough: a time has at most 13 digits.
        let slot = (start_ms - first).saturating_mul(MAX_CHAPTERS) / span;
        if all || taken != Some(slot) {
            taken = Some(slot);
            chapters.push(Chapter {
                title,
                start_sec: clock::seconds(start_ms),
                end_sec: None,
                summary: None,
            });
        }
    }
    chapters
}

/// Times and titles of the marked turns, without those that go back in time.
fn increasing(transcript: &Transcript) -> Vec<(u64, String)> {
    let mut marked: Vec<(u64, String)> = Vec::new();
    for (start_ms, turn) in transcript.turns.iter().filter_map(|turn| Some((turn.start_ms?, turn)))
    {
        let later = marked.last().is_none_or(|(last, _)| start_ms > *last);
        let title = title(turn);
        if later && !title.is_empty() {
            marked.push((start_ms, title));
        }
    }
    marked
}

/// The first sentence of the turn's first paragraph, or as many as make a title.
fn title(turn: &SpeakerTurn) -> String {
    let opening = turn.text.split("\n\n").next().unwrap_or_default();
    let opening =
        opening.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '"' | '“' | '«'));
    let mut end = opening.len();
    for (words, (at, _)) in opening.match_indices(' ').enumerate() {
        let sentence = opening.get(..at).is_some_and(|text| text.ends_with(['.', '!', '?', '…']));
        if sentence && words + 1 >= MIN_TITLE_WORDS {
            end = at;
            break;
        }
    }
    cut(opening.get(..end).unwrap_or(opening)).to_owned()
}

/// The text, or its beginning up to a word that fits.
fn cut(text: &str) -> &str {
    let Some((edge, next)) = text.char_indices().nth(MAX_TITLE_CHARS) else { return text.trim() };
    let window = text.get(..edge).unwrap_or(text);
    let word = if next == ' ' { Some(edge) } else { window.rfind(' ') };
    window
        .get(..word.unwrap_or(edge))
        .unwrap_or(window)
        .trim()
        .trim_end_matches([',', ';', ':', '-', '–'])
}
