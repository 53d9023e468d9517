//! The last words of a program on stderr, for a message.
//!
//! Invariant: what comes from here is one line of visible characters; it is shown and never read as a reply.
//! Absent here: reading from the pipe.

use redraft_workflows::{is_hidden, is_joiner};

/// How many characters of a line are shown.
const SHOWN: usize = 300;

/// The last line that has something on it; empty when there is none.
pub(super) fn last_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let mut from_last = text.rsplit(['\n', '\r']).map(visible);
    from_last.find(|line| !line.is_empty()).unwrap_or_default()
}

/// The line without escape sequences, control, bidirectional and invisible characters, cut to what is shown.
fn visible(line: &str) -> String {
    let mut chars = line.chars().peekable();
    let mut visible = String::new();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' && chars.next_if_eq(&'[').is_some() {
            // A control sequence ends with a letter or one of a few signs.
            while chars.next_if(|c| !('\u{40}'..='\u{7e}').contains(c)).is_some() {}
            chars.next();
        } else if c == '\t' {
            visible.push(' ');
        } else if !is_hidden(c) && !is_joiner(c) {
            visible.push(c);
        }
    }
    let visible = visible.trim();
    match visible.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &visible[..at]),
        None => visible.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_with_words_is_taken() {
        assert_eq!(last_line(b"first\nthe cause\n\n  \n"), "the cause");
        assert_eq!(last_line(b"10 %\r20 %\rdone\r\n"), "done");
        assert_eq!(last_line(b""), "");
    }

    #[test]
    fn colours_and_hidden_characters_are_taken_out() {
        let line = "\u{1b}[1;31merror:\u{1b}[0m\tno \u{202e}key\u{7}";
        assert_eq!(last_line(line.as_bytes()), "error: no key");
        assert_eq!(last_line(b"\xff\xfebad"), "\u{fffd}\u{fffd}bad");
        assert_eq!(last_line(b"cut \x1b["), "cut");
        let unseen = "a\u{61c}\u{200f}\u{200d}b\u{202a}\u{2069}\u{ad}\u{e0041}c";
        assert_eq!(last_line(unseen.as_bytes()), "abc");
    }

    #[test]
    fn a_long_line_is_cut() {
        let shown = last_line("ä".repeat(10_000).as_bytes());
        assert_eq!(shown.chars().count(), SHOWN + 1);
    }
}
