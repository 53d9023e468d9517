//! Plain text: paragraphs of lines, with or without `Name: text`.
//!
//! Invariant: each line of the source is one line here, in the same order. Absent: markup; only the
//! backslashes of escaped brackets are taken away, for text that once was Markdown.

use super::clock;
use super::passage::Passage;
use super::turns::Part;

/// The lines and paragraphs of a plain text.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut offset = 0;
    for line in text.split('\n') {
        if line.trim().is_empty() {
            parts.push(Part::Paragraph);
        } else {
            parts.push(Part::Line(passage(line, offset)));
        }
        offset += line.len() + 1;
    }
    parts
}

/// Text with the backslashes of escaped brackets taken away.
pub(super) fn unescaped_brackets(text: &str) -> String {
    text.replace("\\[", "[").replace("\\]", "]")
}

/// A line; one that is a bare time, or begins as one, has it in brackets.
fn passage(line: &str, offset: usize) -> Passage {
    let line = unescaped_brackets(line);
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    let first = trimmed.split_whitespace().next().unwrap_or_default();
    let mut passage = Passage::default();
    if clock::parse(first).is_some() {
        passage.push(first, offset + indent);
        passage.bracket_tail(first.len());
        let rest = trimmed.get(first.len()..).unwrap_or_default();
        let rest = rest.trim_start().trim_start_matches(['-', '–', '—']);
        passage.push(" ", offset + indent);
        passage.push(rest, offset + line.len() - rest.len());
    } else {
        passage.push(&line, offset);
    }
    passage
}
