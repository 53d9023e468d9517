//! Podlove Simple Chapters, as a file of their own.
//!
//! The format: <https://podlove.org/simple-chapters/>. Invariant: the file is well-formed XML, whatever a title holds.
//! Absent: ends, links and pictures; the format has no ends.

use super::Mark;

pub(super) fn write(chapters: &[Mark]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text += "<psc:chapters version=\"1.2\" xmlns:psc=\"http://podlove.org/simple-chapters\">\n";
    for mark in chapters {
        let title = escaped(mark.title.as_str());
        text += &format!("  <psc:chapter start=\"{}\" title=\"{title}\"/>\n", mark.clock_ms());
    }
    text + "</psc:chapters>\n"
}

fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&apos;",
            c => escaped.push(c),
        }
    }
    escaped
}
