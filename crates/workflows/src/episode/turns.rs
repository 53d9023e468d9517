//! From the parts a format reads to the turns of a transcript.
//!
//! Invariant: a turn has text, all its markers are gone, and no two turns are made of one sentence.
//! A time begins a turn where it stands; in the middle of a sentence, where the sentence ends.
//! Absent: any format's syntax.

use super::SpeakerTurn;
use super::markers::{self, BadMarker, Piece};
use super::names;
use super::passage::Passage;

/// How long cues of one speaker are gathered before a new turn may begin, in milliseconds.
const CUE_TURN_MS: u64 = 30_000;

/// How long they are gathered where no sentence ends, as in captions that a machine made.
const MAX_CUE_TURN_MS: u64 = 120_000;

/// What a format found, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// The name of who speaks from here on, as written; may hold markers.
    Speaker(Passage),
    /// From here on the source names nobody.
    Nobody,
    /// One line of text, markers included.
    Line(Passage),
    /// A time marker, in milliseconds.
    Time(u64),
    /// A paragraph ends here.
    Paragraph,
    /// A cue begins here, at this time in milliseconds.
    Cue(u64),
}

/// Gathers the parts into turns.
pub(super) fn turns(parts: &[Part]) -> Result<Vec<SpeakerTurn>, BadMarker> {
    let mut builder = Builder::default();
    let mut lines = Passage::default();
    for part in parts {
        if let Part::Line(line) = part {
            lines.append(line);
            lines.push("\n", lines.source_at(lines.as_str().len()));
            continue;
        }
        builder.read(&std::mem::take(&mut lines))?;
        match part {
            Part::Speaker(name) => builder.speaker(name)?,
            Part::Nobody => builder.named(None),
            Part::Time(ms) => builder.marker = Some(*ms),
            Part::Paragraph => builder.paragraph(),
            Part::Cue(ms) => builder.cue(*ms),
            Part::Line(_) => {}
        }
    }
    builder.read(&lines)?;
    Ok(builder.finish())
}

#[derive(Default)]
struct Builder {
    turns: Vec<SpeakerTurn>,
    speaker: Option<String>,
    /// The speaker was named just now and has said nothing yet.
    silent: bool,
    text: String,
    /// Where the turn at hand begins.
    start: Option<u64>,
    /// A marker that no text has followed yet.
    marker: Option<u64>,
    /// Where the cue at hand begins, in formats made of cues.
    cue: Option<u64>,
    /// Whether the next text opens a new paragraph.
    fresh: bool,
}

impl Builder {
    fn read(&mut self, passage: &Passage) -> Result<(), BadMarker> {
        let mut timed = false;
        for piece in markers::pieces(passage)? {
            match piece {
                Piece::Time(ms) => {
                    self.marker = Some(ms);
                    timed = true;
                }
                Piece::Said(text) if self.is_interlude(&text) => self.close(),
                Piece::Said(text) => self.say(if timed { without_separator(&text) } else { &text }),
            }
        }
        Ok(())
    }

    /// Whether a text is a paragraph of its own that names a part of the programme.
    fn is_interlude(&self, text: &str) -> bool {
        let alone = self.speaker.is_none() || (self.fresh && !self.silent);
        alone && names::is_pseudo(text.trim().trim_end_matches(':'))
    }

    fn speaker(&mut self, name: &Passage) -> Result<(), BadMarker> {
        let mut spelled = String::new();
        for piece in markers::pieces(name)? {
            match piece {
                Piece::Time(ms) => self.marker = Some(ms),
                Piece::Said(text) => {
                    spelled.push(' ');
                    spelled.push_str(&text);
                }
            }
        }
        let (name, time) = names::without_clock(&spelled);
        self.marker = time.or(self.marker);
        if names::is_pseudo(&name) {
            self.close();
        } else {
            self.named(Some(name).filter(|name| !name.is_empty()));
        }
        Ok(())
    }

    /// Cues name their speaker each time; elsewhere a name begins a turn even when it is the same.
    fn named(&mut self, name: Option<String>) {
        if self.cue.is_none() || self.speaker != name {
            self.close();
        }
        self.silent = name.is_some();
        self.speaker = name;
    }

    fn cue(&mut self, ms: u64) {
        let lasted = self.start.map_or(0, |start| ms.saturating_sub(start));
        let due = lasted >= CUE_TURN_MS && ends_sentence(&self.text);
        if due || lasted >= MAX_CUE_TURN_MS {
            self.close();
        }
        self.cue = Some(ms);
    }

    fn paragraph(&mut self) {
        if self.speaker.is_none() {
            self.close();
        }
        self.fresh = true;
    }

    fn say(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !is_speech(&text) && (self.text.is_empty() || text.is_empty()) {
            return;
        }
        if self.marker.is_none() || self.text.is_empty() {
            return self.add(&text);
        }
        let end = if self.fresh || ends_sentence(&self.text) { 0 } else { sentence_end(&text) };
        let (tail, rest) = text.split_at_checked(end).unwrap_or((&text, ""));
        self.add_to_turn(tail.trim());
        if is_speech(rest) {
            self.close();
            self.add(rest.trim());
        } else {
            self.add_to_turn(rest.trim());
        }
    }

    /// Adds text to the turn, which begins here when it has none.
    fn add(&mut self, text: &str) {
        if self.text.is_empty() {
            self.start = self.marker.take().or(self.cue);
        }
        self.add_to_turn(text);
    }

    fn add_to_turn(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(if self.fresh { "\n\n" } else { " " });
        }
        self.fresh = false;
        self.silent = false;
        self.text.push_str(text);
    }

    fn close(&mut self) {
        let text = std::mem::take(&mut self.text);
        let start_ms = self.start.take();
        self.fresh = false;
        if !text.is_empty() {
            self.turns.push(SpeakerTurn { speaker: self.speaker.clone(), start_ms, text });
        }
    }

    fn finish(mut self) -> Vec<SpeakerTurn> {
        self.close();
        self.turns
    }
}

/// Text behind a time, without the colon or dash that parts it from the time.
fn without_separator(text: &str) -> &str {
    let text = text.trim_start();
    let rest = text.strip_prefix([':', '-', '–', '—']).filter(|rest| rest.starts_with(' '));
    rest.unwrap_or(text)
}

/// Whether there is more than points, brackets and invisible characters in a text.
fn is_speech(text: &str) -> bool {
    let is_invisible = |c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    text.chars().any(|c| !c.is_whitespace() && !c.is_ascii_punctuation() && !is_invisible(c))
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | '”' | '’' | '»')
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(is_closing).ends_with(is_stop)
}

/// Byte behind the first sentence of a text; the text's end when it is one sentence.
fn sentence_end(text: &str) -> usize {
    let blanks = text.match_indices(' ').map(|(at, _)| at);
    blanks
        .into_iter()
        .find(|at| ends_sentence(text.get(..*at).unwrap_or_default()))
        .unwrap_or(text.len())
}
