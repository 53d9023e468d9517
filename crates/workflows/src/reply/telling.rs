//! Telling what is wrong with a reply, in words that go into prompts, records and terminals.
//!
//! Invariant: bounded, one line, and free of control, bidirectional and invisible characters, whatever is quoted.
//! Absent here: what is wrong.

/// The longest message, in characters.
pub(super) const MESSAGE: usize = 1_000;
/// The longest message that names every mistake, in characters.
pub(super) const ALL: usize = 16 << 10;
/// The longest quotation in a message, in characters.
const QUOTED: usize = 120;
/// The longest description that is not ours, in characters.
const LINE: usize = 300;

/// A message that is shown as it is, of at most so many characters.
pub(crate) fn told(message: &str, most: usize) -> String {
    cut(&line_of(message, most), most)
}

/// A word of the reply's, in quotation marks.
pub(crate) fn quoted(word: &str) -> String {
    format!("\"{}\"", cut(&line_of(word, QUOTED), QUOTED))
}

/// A description that may quote the reply.
pub(crate) fn line(what: &str) -> String {
    cut(&line_of(what, LINE), LINE)
}

/// Characters that cannot be seen are written as escapes; letters and marks stay as they are. No more is looked at than
/// is shown.
fn line_of(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for c in text.chars().take(most + 1) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            seen_or_not => shown.extend(seen_or_not.escape_debug()),
        }
    }
    shown
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_as_an_escape() {
        assert_eq!(
            told("a\u{1b}[2J\n\u{202e}b\u{200b}\u{e0041}", MESSAGE),
            "a\\u{1b}[2J\\n\\u{202e}b\\u{200b}\\u{e0041}"
        );
        assert_eq!(told("\"Größe\" 'x' 中文", MESSAGE), "\"Größe\" 'x' 中文");
    }

    #[test]
    fn a_message_is_bounded_whatever_it_quotes() {
        assert_eq!(told(&"\u{0}".repeat(1 << 20), MESSAGE).chars().count(), MESSAGE);
        assert_eq!(quoted(&"é".repeat(500)).chars().count(), QUOTED + 2);
    }
}
