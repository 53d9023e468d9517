//! WebVTT and SRT: short lines of text with times, gathered into turns.
//!
//! The crate `fasrt` reads the times, tags and entities of one cue at a time. The cues are told apart
//! here, because its own readers know no line numbers and, where they are lenient, drop what they
//! cannot read. Invariant: a cue that cannot be read is an error with its line, and none is skipped.
//! Absent: layout, styles, regions and notes.

use std::time::Duration;

use fasrt::vtt::cue::{CueParser, CueToken, Tag};
use fasrt::{srt, vtt};

use super::passage::Passage;
use super::plain;
use super::transcript::TranscriptError;
use super::turns::Part;

/// Hours that no recording has, and that would not fit into milliseconds.
const MAX_HOURS: u64 = 100_000;

/// A timing line with the lines that belong to it.
struct Cue<'a> {
    /// Line of the timing, from 1.
    line: usize,
    timing: &'a str,
    body: Vec<&'a str>,
    /// Byte of the source where the body begins.
    source: usize,
}

#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    offset: usize,
    text: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    WebVtt,
    SubRip,
}

/// Whether a text begins as an SRT file does: a number, then a line with an arrow.
pub(super) fn looks_like_sub_rip(text: &str) -> bool {
    let mut lines = text.split('\n').map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    is_timing(first) || (is_number(first) && lines.next().is_some_and(is_timing))
}

/// The parts of a WebVTT file.
pub(super) fn web_vtt(text: &str) -> Result<Vec<Part>, TranscriptError> {
    if !text.starts_with("WEBVTT") {
        return Err(TranscriptError::Signature);
    }
    let voiced = text.contains("<v ") || text.contains("<v.") || text.contains("<v\t");
    let mut parts = Vec::new();
    for cue in split(text, Dialect::WebVtt)? {
        let body = cue.body.join("\n");
        let whole = format!("WEBVTT\n\n{}\n{body}", cue.timing);
        let Some(Ok(vtt::Block::Cue(read))) = vtt::Parser::new(&whole).next() else {
            return Err(cue.refused("expected a time such as `00:01:02.000 --> 00:01:04.000`"));
        };
        let (start, end) = (read.header_ref().start(), read.header_ref().end());
        if start.hours().as_u64().max(end.hours().as_u64()) > MAX_HOURS {
            return Err(cue.refused("the time is beyond any recording"));
        }
        parts.push(cue.begin(start.to_duration(), end.to_duration())?);
        Voices::new(&cue, voiced).read(&body, &mut parts);
    }
    Ok(parts)
}

/// The parts of an SRT file.
pub(super) fn sub_rip(text: &str) -> Result<Vec<Part>, TranscriptError> {
    let options = srt::Options::strict().with_allow_missing_index(true);
    let mut parts = Vec::new();
    for cue in split(text, Dialect::SubRip)? {
        // Some programs write the point of WebVTT.
        let whole = format!("{}\n{}", cue.timing.replace('.', ","), cue.body.join("\n"));
        let Some(Ok(read)) = srt::Parser::with_options(&whole, options).next() else {
            return Err(cue.refused("expected a time such as `00:01:02,000 --> 00:01:04,000`"));
        };
        let header = read.header_ref();
        parts.push(cue.begin(header.start().to_duration(), header.end().to_duration())?);
        let plain = srt::text::PlainText::new(read.body_ref());
        parts.extend(plain.normalize().split('\n').map(|line| cue.line(line)));
    }
    Ok(parts)
}

impl Cue<'_> {
    fn refused(&self, problem: &str) -> TranscriptError {
        refused(self.line, problem)
    }

    fn begin(&self, start: Duration, end: Duration) -> Result<Part, TranscriptError> {
        if end < start {
            return Err(self.refused("the cue ends before it begins"));
        }
        u64::try_from(start.as_millis())
            .map(Part::Cue)
            .map_err(|_| self.refused("the time is beyond any recording"))
    }

    fn line(&self, text: &str) -> Part {
        Part::Line(Passage::new(&plain::unescaped_brackets(text), self.source))
    }
}

/// Reads the voices of one WebVTT cue.
struct Voices<'a> {
    cue: &'a Cue<'a>,
    /// Text from here on has no voice, in a file that has voices.
    nobody: bool,
    line: String,
}

impl<'a> Voices<'a> {
    fn new(cue: &'a Cue<'a>, voiced: bool) -> Self {
        Self { cue, nobody: voiced, line: String::new() }
    }

    fn read(mut self, body: &str, parts: &mut Vec<Part>) {
        for token in CueParser::new(body) {
            match token {
                CueToken::Text(text) => self.text(text.normalize(), parts),
                CueToken::StartTag { tag: Tag::Voice, annotation, .. } => {
                    self.end_line(parts);
                    let name = annotation.as_ref().map(|name| name.normalize()).unwrap_or_default();
                    self.nobody = name.is_empty();
                    if !self.nobody {
                        parts.push(Part::Speaker(Passage::new(name, self.cue.source)));
                    }
                }
                CueToken::EndTag(Tag::Voice) => {
                    self.end_line(parts);
                    self.nobody = true;
                }
                CueToken::StartTag { .. } | CueToken::EndTag(_) | CueToken::Timestamp(_) => {}
            }
        }
        self.end_line(parts);
    }

    fn text(&mut self, text: &str, parts: &mut Vec<Part>) {
        if self.nobody && !text.trim().is_empty() {
            parts.push(Part::Nobody);
            self.nobody = false;
        }
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.end_line(parts);
            }
            self.line.push_str(line);
        }
    }

    fn end_line(&mut self, parts: &mut Vec<Part>) {
        let line = std::mem::take(&mut self.line);
        if !line.trim().is_empty() {
            parts.push(self.cue.line(&line));
        }
    }
}

/// Tells the cues of a file apart, each with the line it stands on.
fn split(text: &str, dialect: Dialect) -> Result<Vec<Cue<'_>>, TranscriptError> {
    let mut cues: Vec<Cue<'_>> = Vec::new();
    for (at, block) in blocks(text).into_iter().enumerate() {
        let in_head = at == 0 && dialect == Dialect::WebVtt;
        if is_comment(&block, dialect) {
            continue;
        }
        let mut loose: Vec<Line<'_>> = Vec::new();
        let mut owned = false;
        for line in block {
            if !is_timing(line.text) {
                loose.push(line);
                continue;
            }
            let any_id = !owned && dialect == Dialect::WebVtt;
            loose.pop_if(|last| any_id || is_number(last.text));
            if owned || !in_head {
                settle(&mut cues, &std::mem::take(&mut loose), owned, dialect)?;
            }
            loose.clear();
            owned = true;
            let source = line.offset + line.text.len() + 1;
            cues.push(Cue { line: line.number, timing: line.text, body: Vec::new(), source });
        }
        if owned || !in_head {
            settle(&mut cues, &loose, owned, dialect)?;
        }
    }
    Ok(cues)
}

/// Gives lines to the cue before them. Behind a blank line only SRT allows that, and only for text.
fn settle<'a>(
    cues: &mut [Cue<'a>],
    lines: &[Line<'a>],
    owned: bool,
    dialect: Dialect,
) -> Result<(), TranscriptError> {
    let Some(first) = lines.first() else { return Ok(()) };
    let second = lines.get(1).map_or("", |line| line.text);
    let cut_off = is_number(first.text) && (second.is_empty() || begins_as_time(second));
    let fits = owned || (dialect == Dialect::SubRip && !cut_off && !begins_as_time(first.text));
    match cues.last_mut() {
        Some(cue) if fits => {
            cue.body.extend(lines.iter().map(|line| line.text));
            Ok(())
        }
        Some(_) | None => Err(refused(
            first.number,
            "text without a time line such as `00:01:02.000 --> 00:01:04.000`",
        )),
    }
}

fn refused(line: usize, problem: &str) -> TranscriptError {
    TranscriptError::Cue { line, problem: problem.to_owned() }
}

/// Lines without a blank line between them.
fn blocks(text: &str) -> Vec<Vec<Line<'_>>> {
    let mut blocks = vec![Vec::new()];
    let mut offset = 0;
    for (at, whole) in text.split('\n').enumerate() {
        let text = whole.trim();
        if text.is_empty() {
            blocks.push(Vec::new());
        } else if let Some(block) = blocks.last_mut() {
            block.push(Line { number: at + 1, offset, text });
        }
        offset += whole.len() + 1;
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

fn is_comment(block: &[Line<'_>], dialect: Dialect) -> bool {
    let first = block.first().and_then(|line| line.text.split_whitespace().next());
    dialect == Dialect::WebVtt && matches!(first, Some("NOTE" | "STYLE" | "REGION"))
}

fn is_timing(line: &str) -> bool {
    line.contains("-->")
}

fn is_number(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

fn begins_as_time(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    digits > 1 && line.get(digits..).is_some_and(|rest| rest.starts_with(':'))
}
