//! Chapters where the transcript has times: each begins at a turn and is named by its first words.
//!
//! Invariant: every title is a beginning of what was said there, and starts strictly increase.
//! Absent: a chapter at 0 that no marker names, and any word that nobody said.

use std::collections::BTreeMap;

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
/// sentence of the turn, cut behind a word at 60 characters. A turn of one word (`Yeah.`) begins a
/// chapter only where all marked turns are such.
#[must_use]
pub fn from_markers(transcript: &Transcript) -> Vec<Chapter> {
    let mut marked = increasing(transcript);
    if marked.iter().any(|(_, title)| words(title) > 1) {
        marked.retain(|(_, title)| words(title) > 1);
    }
    let chapter = |(start_ms, title)| {
        let start_sec = clock::seconds(start_ms);
        Chapter { title, start_sec, end_sec: None, summary: None }
    };
    spread(marked).into_iter().map(chapter).collect()
}

/// At most [`MAX_CHAPTERS`] of the markers: the first of each part of the time, one that says enough
/// before one that does not.
fn spread(marked: Vec<(u64, String)>) -> Vec<(u64, String)> {
    let (Some((first, _)), Some((last, _))) = (marked.first(), marked.last()) else {
        return marked;
    };
    let (first, span) = (*first, last - first + 1);
    if marked.len() as u64 <= MAX_CHAPTERS {
        return marked;
    }
    let mut taken: BTreeMap<u64, (u64, String)> = BTreeMap::new();
    for (start_ms, title) in marked {
        let part = (start_ms - first).saturating_mul(MAX_CHAPTERS) / span;
        let better = taken.get(&part).is_none_or(|(_, before)| {
            words(before) < MIN_TITLE_WORDS && words(&title) >= MIN_TITLE_WORDS
        });
        if better {
            taken.insert(part, (start_ms, title));
        }
    }
    taken.into_values().collect()
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
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
    for (count, (at, _)) in opening.match_indices(' ').enumerate() {
        let sentence = opening.get(..at).is_some_and(|text| text.ends_with(['.', '!', '?', '…']));
        if sentence && count + 1 >= MIN_TITLE_WORDS {
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
        .trim_end_matches([' ', ',', ';', ':', '-', '–'])
}
