//! Podlove Simple Chapters: `<psc:chapter start="00:01:02.500" title="…"/>`, alone or inside a feed.
//!
//! The format: <https://podlove.org/simple-chapters/>. Invariant: only elements named `chapter` are
//! read, whatever their prefix, and one that cannot be read is an error. Absent: the rest of XML; of
//! a document only tags, attributes, comments, CDATA and character references are understood.

use super::super::{clock, references};
use super::{ChapterError, Found, line_place, refusal};

/// The chapters of an XML file.
pub(super) fn read(text: &str) -> Result<Vec<Found>, ChapterError> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')) {
        let tag = text.get(at + open..).unwrap_or_default();
        line += newlines(text, at, at + open);
        let length = length(tag).ok_or_else(|| {
            refusal(&line_place(line), "the tag is not closed; close it with `>`")
        })?;
        let inner = tag.get(1..length - 1).unwrap_or_default();
        let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        let closes = name.starts_with('/');
        if !closes && name.rsplit(':').next() == Some("chapter") {
            found.push(chapter(attributes, line)?);
        }
        line += newlines(text, at + open, at + open + length);
        at += open + length;
    }
    Ok(found)
}

fn newlines(text: &str, start: usize, end: usize) -> usize {
    text.get(start..end).unwrap_or_default().matches('\n').count()
}

fn chapter(attributes: &str, line: usize) -> Result<Found, ChapterError> {
    let start = attribute(attributes, "start");
    let start_sec = start.as_deref().and_then(seconds);
    let problem = "expected start=\"HH:MM:SS\"; add or correct it";
    let start_sec = start_sec.ok_or_else(|| refusal(&line_place(line), problem))?;
    Ok(Found::at_line(line, attribute(attributes, "title").unwrap_or_default(), start_sec, None))
}

/// A time as a clock shows it, or as seconds alone.
fn seconds(time: &str) -> Option<f64> {
    let time = time.trim();
    let plain = || {
        time.bytes().all(|b| b.is_ascii_digit() || b == b'.').then(|| time.parse().ok()).flatten()
    };
    clock::parse(time).map(clock::seconds).or_else(plain)
}

/// Parts of XML that are no tags, with what ends them; they hold quotes and `>` as they please.
const NO_TAGS: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];

/// Bytes of the tag, or of what is none, that a text begins with; quoted `>` do not end a tag.
fn length(tag: &str) -> Option<usize> {
    if let Some((_, last)) = NO_TAGS.iter().find(|(first, _)| tag.starts_with(first)) {
        return tag.find(last).map(|end| end + last.len());
    }
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (Some(_) | None, _) => {}
        }
    }
    None
}

fn attribute(attributes: &str, wanted: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, next) = after.get(1..)?.split_once(quote)?;
        if name.trim() == wanted {
            // A line end in a value is a blank to XML; only a reference can put one there.
            return Some(references::resolved(&value.replace(['\n', '\t'], " ")));
        }
        rest = next;
    }
}
