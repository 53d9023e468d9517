//! What stands in brackets in a transcript: times, stage directions, and words that were said.
//!
//! Invariant: of `[12:02]`, `[laughs]` and `[unintelligible 00:10:07.05]` nothing is left in the
//! pieces, and a bracket that begins as a time and is none is an error, never text. Absent: Markdown
//! escapes, which are resolved before, and turns.

use super::clock;
use super::passage::Passage;

/// Words that make a bracket of a few words a stage direction, wherever they stand in it.
const DIRECTIONS: &[&str] = &[
    "unintelligible",
    "inaudible",
    "indiscernible",
    "crosstalk",
    "laughter",
    "laughs",
    "laughing",
    "laugh",
    "chuckle",
    "chuckles",
    "chuckling",
    "giggles",
    "applause",
    "clapping",
    "claps",
    "cheering",
    "cheers",
    "music",
    "sighs",
    "coughs",
    "coughing",
    "sneezes",
    "gasps",
    "groans",
    "whispers",
    "whispering",
    "bleep",
    "beep",
    "jingle",
    "silence",
    "noise",
    "snorts",
    "phonetic",
];

/// Words that are a stage direction when they are all that the bracket holds.
const LONE_DIRECTIONS: &[&str] =
    &["break", "intro", "outro", "pause", "ad", "ad break", "sigh", "cough", "sic", "ph", "silent"];

/// The most words of a bracket that may be a stage direction.
const MAX_DIRECTION_WORDS: usize = 8;

/// More bytes than the markers at the head of a line have.
const MAX_SILENT_BYTES: usize = 400;

/// A part of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Words that were said; may be blank.
    Said(String),
    /// A time marker, in milliseconds: what follows was said from then on.
    Time(u64),
}

/// A bracket that begins as a time or direction and does not end as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BadMarker {
    /// Byte of the source where the bracket opens.
    pub(super) offset: usize,
    /// The bracket as written, cut after a few characters.
    pub(super) found: String,
}

/// Splits a passage into what was said and the times in between.
pub(super) fn pieces(passage: &Passage) -> Result<Vec<Piece>, BadMarker> {
    let text = passage.as_str();
    let mut pieces = Vec::new();
    let mut said = String::new();
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('[')) {
        let open = at + found;
        said.push_str(text.get(at..open).unwrap_or_default());
        let bracket = Bracket::at(text, open);
        at = bracket.end;
        match bracket.meaning {
            Meaning::Time(ms) => {
                pieces.push(Piece::Said(std::mem::take(&mut said)));
                pieces.push(Piece::Time(ms));
            }
            Meaning::Direction => leave_gap(&mut said, text.get(at..).unwrap_or_default()),
            Meaning::Words(words) => {
                // Words that lost their brackets must not find another one.
                said.push_str(if said.ends_with('[') && words != "[" { " " } else { "" });
                said.push_str(words);
            }
            Meaning::Broken => return Err(bad_marker(passage, open)),
        }
    }
    said.push_str(text.get(at..).unwrap_or_default());
    pieces.push(Piece::Said(said));
    Ok(pieces)
}

/// Whether a passage holds nothing that was said.
///
/// A long passage counts as speech unread, so that asking again and again costs little.
pub(super) fn is_silent(passage: &Passage) -> bool {
    if passage.as_str().len() > MAX_SILENT_BYTES {
        return false;
    }
    let silent = |piece: &Piece| match piece {
        Piece::Said(text) => text.trim().is_empty(),
        Piece::Time(_) => true,
    };
    pieces(passage).is_ok_and(|pieces| pieces.iter().all(silent))
}

enum Meaning<'a> {
    Time(u64),
    Direction,
    /// Words to keep, with their brackets when those are part of the speech.
    Words(&'a str),
    Broken,
}

struct Bracket<'a> {
    meaning: Meaning<'a>,
    /// Byte of the text behind what was read.
    end: usize,
}

impl<'a> Bracket<'a> {
    /// Reads the bracket that opens at byte `open` of the text.
    fn at(text: &'a str, open: usize) -> Self {
        let rest = text.get(open + 1..).unwrap_or_default();
        let inner_end = rest.find(['[', ']']).unwrap_or(rest.len());
        let inner = rest.get(..inner_end).unwrap_or_default();
        if rest.get(inner_end..).is_some_and(|tail| tail.starts_with(']')) {
            return Self { meaning: closed(inner), end: open + 1 + inner_end + 1 }
                .or_literal(text, open);
        }
        let names_nothing = inner.trim().is_empty() || inner_end < rest.len();
        let cut_off = begins_as_time(inner) || (!names_nothing && is_direction(inner));
        let meaning = if cut_off { Meaning::Broken } else { Meaning::Words("[") };
        Self { meaning, end: open + 1 }
    }

    /// Words in brackets keep them, unless the brackets would read as a time.
    fn or_literal(self, text: &'a str, open: usize) -> Self {
        match self.meaning {
            Meaning::Words(inner) if !begins_as_time(inner) => Self {
                meaning: Meaning::Words(text.get(open..self.end).unwrap_or_default()),
                ..self
            },
            Meaning::Words(_) | Meaning::Time(_) | Meaning::Direction | Meaning::Broken => self,
        }
    }
}

fn closed(inner: &str) -> Meaning<'_> {
    if begins_as_time(inner) {
        return timed(inner);
    }
    if is_direction(inner) { Meaning::Direction } else { Meaning::Words(inner) }
}

/// A bracket that begins as a time: the time, with whatever a transcriber noted behind it.
fn timed(inner: &str) -> Meaning<'_> {
    let first = inner.split_whitespace().next().unwrap_or_default();
    if let Some(ms) = clock::parse(first) {
        return Meaning::Time(ms);
    }
    let only_digits =
        inner.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | ',' | ' '));
    if only_digits { Meaning::Broken } else { Meaning::Words(inner) }
}

fn begins_as_time(inner: &str) -> bool {
    let inner = inner.trim_start();
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && inner.get(digits..).is_some_and(|rest| rest.starts_with(':'))
}

fn is_direction(inner: &str) -> bool {
    let lower = inner.trim().to_lowercase();
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(|c| ",;.?!()*_".contains(c)))
        .collect();
    let known = |word: &&str| DIRECTIONS.contains(word) || clock::has_hours(word);
    words.is_empty()
        || LONE_DIRECTIONS.contains(&lower.as_str())
        || (words.len() <= MAX_DIRECTION_WORDS && words.iter().any(known))
}

/// Words round a direction that was taken out stay apart, and points stay close.
fn leave_gap(said: &mut String, rest: &str) {
    if rest.starts_with([',', '.', '!', '?', ';']) {
        said.truncate(said.trim_end().len());
    } else {
        said.push(' ');
    }
}

fn bad_marker(passage: &Passage, open: usize) -> BadMarker {
    let found = passage.as_str().get(open..).unwrap_or_default();
    let end = found.find(']').map_or(found.len(), |end| end + 1);
    let found = found.get(..end).unwrap_or_default().trim_end().chars().take(40).collect();
    BadMarker { offset: passage.source_at(open), found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = match pieces(&Passage::new(text, 100)) {
            Err(bad) => format!("{}: {}", bad.offset, bad.found),
            Ok(pieces) => pieces.iter().map(show).collect::<Vec<_>>().join("|"),
        };
        assert_eq!(found, expected, "{text}");
    }

    fn show(piece: &Piece) -> String {
        match piece {
            Piece::Said(text) => text.clone(),
            Piece::Time(ms) => format!("{ms}"),
        }
    }

    #[test]
    fn times_part_what_was_said() {
        check("one [00:02] two", "one |2000| two");
        check("[01:02:46.13]", "|3766130|");
        check("[ 12:02 - ]x", "|722000|x");
    }

    #[test]
    fn stage_directions_leave_no_trace() {
        check("well [laughter] yes", "well   yes");
        check("well [Adam laughs].", "well.");
        check("the [unintelligible 00:10:07.05] one", "the   one");
        check("the [foreign 00:10:07.05] one", "the   one");
        check("[break][]", "  ");
    }

    #[test]
    fn words_in_brackets_are_speech() {
        check("I told [Bob] so", "I told [Bob] so");
        check("take a [break now] then", "take a [break now] then");
        check("a[0] and [John 3:16]", "a[0] and [John 3:16]");
        check("at [10:30am sharp] then", "at 10:30am sharp then");
        check("an [open one", "an [open one");
        check("[[ and [", "[[ and [");
        check("[[12:02 pm]", "[|722000|");
        check("[[12:02pm]", "[ 12:02pm");
    }

    #[test]
    fn a_time_that_is_cut_or_impossible_is_refused_at_its_place() {
        check("one [12:", "104: [12:");
        check("one [00:12:0", "104: [00:12:0");
        check("one [12:99] two", "104: [12:99]");
        check("[12:02 [laughs]", "100: [12:02 [laughs]");
        check("so [unintelligible 00:1", "103: [unintelligible 00:1");
    }
}
