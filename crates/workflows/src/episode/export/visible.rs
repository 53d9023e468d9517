//! Texts that may leave for a publisher: what a reader cannot see is not in them.
//!
//! Invariant: neither type is blank, and neither holds a control character (but line ends and tabs in a [`Text`]), a
//! bidirectional mark, or a character that XML cannot hold. Joiners stay: emoji and some scripts need them.
//! Absent here: the escapes of the formats.

use crate::is_hidden;

/// One line of visible text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line(String);

/// Lines of visible text, without blank lines around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text(String);

impl Line {
    /// The text on one line, blanks as one space each; `None` when nothing is left.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = visible(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        (!words.is_empty()).then(|| Self(words.join(" ")))
    }

    /// The line, without a line end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Text {
    /// The text with `\n` as its only line end; `None` when nothing is left.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = visible(text);
        let text = text.trim_matches('\n').trim_end();
        (!text.trim().is_empty()).then(|| Self(text.to_owned()))
    }

    /// The text, without a line end behind its last line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn visible(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    text.chars().filter(|&c| matches!(c, '\n' | '\t') || !is_hidden(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bidirectional_control_tag_or_soft_hyphen_leaves() {
        let text = "a\u{61c}b\u{200e}\u{200f}\u{202a}c\u{202e}\u{2066}d\u{2069}\u{ad}\u{e0041}e";
        assert_eq!(Line::new(text).unwrap().as_str(), "abcde");
        assert_eq!(Text::new("a\tb\u{61c}\u{2028}\u{200d}c").unwrap().as_str(), "a\tb\n\u{200d}c");
    }
}
