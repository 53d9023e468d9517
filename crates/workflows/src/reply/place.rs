//! Where the JSON of a reply stands.
//!
//! JSON in prose begins at the start of a line and ends at the end of one: so it does in a fence, and so nobody writes a
//! passing mention. The parser says where a value ends; no bracket is counted here.
//!
//! Invariant: at most nine times the reply's length is looked at, whatever stands in it.
//! Absent here: whose words a document is, and what it says.

use serde::de::IgnoredAny;

/// The most different documents that are told apart.
const MOST_DOCUMENTS: usize = 32;
/// How often the length of the reply may be spent on what turns out to be no JSON.
const MOST_PASSES: usize = 8;

/// Where the JSON is.
#[derive(Debug)]
pub(super) enum Place<'a> {
    /// The reply is one JSON value, and this is its text.
    Whole(&'a str),
    /// The reply is something else, which may hold JSON.
    Among(Among<'a>),
}

/// What JSON a text holds.
#[derive(Debug, Default)]
pub(super) struct Among<'a> {
    /// Objects and lists, in order. Of equal ones in a row, the last two.
    pub(super) documents: Vec<Document<'a>>,
    /// The last object that begins a line and is no JSON: its line, and what is wrong.
    pub(super) broken: Option<(usize, String)>,
    /// The line of a document that goes on to the end of the reply and is not at its own end.
    pub(super) cut_short: Option<usize>,
    /// Whether there was more than is looked at.
    pub(super) too_much: bool,
    /// How many bytes were parsed.
    pub(super) parsed: usize,
}

/// A JSON object or list that begins a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Document<'a> {
    pub(super) text: &'a str,
    /// The line it begins in, from 1.
    pub(super) line: usize,
    /// Whether nothing else stands on its lines, and it is no part of something larger.
    pub(super) stands_alone: bool,
}

/// Finds the JSON of a reply.
pub(super) fn find(text: &str) -> Place<'_> {
    let whole = trimmed(text);
    match length(whole) {
        Ok(end) if end == whole.len() => Place::Whole(whole),
        Ok(_) | Err(_) => Place::Among(among(text)),
    }
}

/// The reply without the blanks and byte order marks round it.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// How long the JSON value is that this text begins with.
fn length(text: &str) -> Result<usize, serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(value) => value.map(|_| values.byte_offset()),
        None => serde_json::from_str::<IgnoredAny>(text).map(|_| 0),
    }
}

fn among(text: &str) -> Among<'_> {
    let text = text.trim_start_matches('\u{feff}');
    let mut found = Among::default();
    let (mut at, mut line) = (0, 1);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let begun = if rest[blank..].starts_with(['{', '[']) { Some(at + blank) } else { None };
        let end = begun.and_then(|start| found.look(text, start, line)).unwrap_or(at);
        if found.too_much || found.cut_short.is_some() {
            break;
        }
        let next = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
        line += text[at..next].bytes().filter(|byte| *byte == b'\n').count();
        at = next;
    }
    found
}

impl<'a> Among<'a> {
    /// Looks at what begins here. Gives the end of a value; the caller goes on in the line after it.
    fn look(&mut self, text: &'a str, start: usize, line: usize) -> Option<usize> {
        let rest = &text[start..];
        let is_object = rest.starts_with('{');
        match length(rest) {
            Ok(length) => {
                self.parsed += length;
                let end = start + length;
                let stands_alone = stands_alone(&text[..start], &text[end..]);
                // A list in running text is a footnote, a link or a box to tick.
                if is_object || stands_alone {
                    self.add(Document { text: &text[start..end], line, stands_alone });
                }
                Some(end)
            }
            Err(error) => {
                self.parsed += offset(rest, &error);
                self.too_much |= self.parsed > (MOST_PASSES + 1) * text.len();
                if error.is_eof() {
                    self.cut_short = Some(line);
                } else if is_object {
                    self.broken = Some((line, error.to_string()));
                }
                None
            }
        }
    }

    /// Repetitions say nothing new, except that there are two.
    fn add(&mut self, document: Document<'a>) {
        let same = |one: &&Document<'_>| {
            one.text == document.text && one.stands_alone == document.stands_alone
        };
        if self.documents.iter().rev().take(2).filter(same).count() == 2 {
            self.documents.pop();
        }
        self.documents.push(document);
        self.too_much |= self.documents.len() > MOST_DOCUMENTS;
    }
}

/// Whether a document between these texts has its lines for itself. Brackets and commas round it say that it is a part
/// of something larger that is no JSON.
fn stands_alone(before: &str, after: &str) -> bool {
    let line = after.split('\n').next().unwrap_or_default();
    line.trim().is_empty()
        && !before.trim_end().ends_with(['{', '[', ','])
        && !after.trim_start().starts_with(['}', ']', ','])
}

/// How far the parser came.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    lines.map(str::len).sum::<usize>() + error.column()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of a megabyte that begin values at as many places as they can.
    fn hostile() -> Vec<String> {
        let full = |line: &str| line.repeat((1 << 20) / line.len());
        vec![
            full("{"),
            full("{\n"),
            full("[\n"),
            full("{\"a\":"),
            full("{\"a\":\n"),
            full("{\"a\":[\n"),
            full("{\"a\":[{},\n"),
            full("[[[[[[[[[\n") + "x",
            format!("{{\"a\":[\n{}", full("{},\n")),
            full("{\"a\":[1,\n").replace("1,\n{", "1,\n\n{") + "x",
            full("{}\n"),
            full("[]\n"),
            full("{\"\n"),
            full("\"\\"),
            full("   \t"),
            (0..40_000).map(|n| format!("{{\"a\":{n}}}\n")).collect(),
            (0..40_000).map(|n| format!("{{\"a\":{n},\n")).collect(),
        ]
    }

    #[test]
    fn a_hostile_megabyte_is_parsed_a_few_times_and_no_more() {
        for text in hostile() {
            let text = format!("x\n{text}");
            let Place::Among(found) = find(&text) else { panic!("it is no JSON") };
            let most = (MOST_PASSES + 2) * text.len();
            assert!(found.parsed <= most, "{} bytes of {:?}…", found.parsed, &text[..20]);
            assert!(found.documents.len() <= MOST_DOCUMENTS + 1, "{:?}…", &text[..20]);
        }
    }

    #[test]
    fn what_parses_as_a_whole_is_found_as_a_whole() {
        let deep = format!("{}1{}", "[".repeat(127), "]".repeat(127));
        for text in [
            "{}",
            "\u{feff} {\"a\":[1]}\n",
            "null",
            "-1.5e3 ",
            "\"\\ud83d\\ude00\"",
            "[]\u{a0}",
            &deep,
        ] {
            assert!(crate::unique::parse(trimmed(text)).is_ok(), "{text:?}");
            let Place::Whole(whole) = find(text) else { panic!("{text:?} is found in parts") };
            assert_eq!(whole, trimmed(text));
        }
        for text in ["{} {}", "{\"a\":1", "x {}", "```json\n{}\n```", ""] {
            assert!(crate::unique::parse(trimmed(text)).is_err(), "{text:?}");
            assert!(matches!(find(text), Place::Among(_)), "{text:?}");
        }
    }

    #[test]
    fn what_begins_too_often_is_not_looked_at_for_ever() {
        let begun = "{\"a\":[1,\n".repeat(1_000) + "x\n{\"verdict\":\"ok\"}";
        let Place::Among(found) = find(&begun) else { panic!("it is no JSON") };
        assert!(found.too_much && found.documents.is_empty(), "{found:?}");
    }

    #[test]
    fn lines_are_counted_over_documents() {
        let Place::Among(found) = find("a\n{\n\"b\":\n1}\n\n[2,\n3]\n  {}x\n") else {
            panic!("it is no JSON")
        };
        let told: Vec<(usize, bool)> =
            found.documents.iter().map(|one| (one.line, one.stands_alone)).collect();
        assert_eq!(told, [(2, true), (6, true), (8, false)]);
    }
}
