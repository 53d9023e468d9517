//! Texts of programs, made fit to be shown: what a terminal would act on is shown as a sign.
//!
//! Absent here: cutting.

use redraft_workflows::{is_hidden, is_joiner};

/// The text with a sign for each control or invisible character, line ends and tabs aside.
pub(super) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => visible.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\0'..='\u{1f}' => visible.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{7f}' => visible.push('\u{2421}'),
            c if is_hidden(c) && !is_joiner(c) => visible.extend(c.escape_unicode()),
            c => visible.push(c),
        }
    }
    visible
}

/// The end of a text: this many lines and bytes at most.
pub(super) fn tail(text: &str, lines: usize, bytes: usize) -> &str {
    let from = text.len().saturating_sub(bytes);
    let from = (from..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let text = &text[from..];
    let ends = text.trim_end_matches('\n').rmatch_indices('\n');
    match ends.map(|(at, _)| at).nth(lines.saturating_sub(1)) {
        Some(at) => &text[at + 1..],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_as_signs() {
        assert_eq!(visible("a\u{1b}[31m\tb\r\nc\rd\u{7f}"), "a\u{241b}[31m\tb\nc\u{240d}d\u{2421}");
        assert_eq!(visible("x\u{202e}y\u{fffd}"), "x\\u{202e}y\u{fffd}");
    }

    #[test]
    fn a_tail_has_whole_characters_and_so_many_lines() {
        assert_eq!(tail("1\n2\n3\n", 2, 100), "2\n3\n");
        assert_eq!(tail("1\n2\n3", 2, 100), "2\n3");
        assert_eq!(tail("1\n2", 5, 100), "1\n2");
        assert_eq!(tail("ää", 5, 3), "ä");
        assert_eq!(tail("", 5, 3), "");
    }
}
