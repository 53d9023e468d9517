//! How texts of others stand in a page: as text, and as nothing else.
//!
//! Invariant: whatever a text says, it opens no tag, ends no attribute, and hides nothing: characters that are not seen,
//! or turn others around, are shown by their number.
//! Absent here: where texts stand.

use askama::filters::Escaper;
use redraft_workflows::{is_hidden, is_joiner};
use std::fmt::{self, Write};

/// Escapes for HTML, and shows what is not seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen;

impl Escaper for Seen {
    fn write_escaped_str<W: Write>(&self, mut to: W, text: &str) -> fmt::Result {
        let mut written = 0;
        let mut signs = text.char_indices().peekable();
        while let Some((at, sign)) = signs.next() {
            let ends_line = sign == '\r' && signs.peek().is_some_and(|(_, next)| *next == '\n');
            let shown = match sign {
                '\n' | '\t' => continue,
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\'' => "&#39;",
                // HTML takes both characters of such a line end for one.
                '\r' if ends_line => "",
                _ if is_hidden(sign) || is_joiner(sign) => {
                    to.write_str(&text[written..at])?;
                    written = at + sign.len_utf8();
                    write_unseen(&mut to, sign)?;
                    continue;
                }
                _ => continue,
            };
            to.write_str(&text[written..at])?;
            to.write_str(shown)?;
            written = at + sign.len_utf8();
        }
        to.write_str(&text[written..])
    }
}

/// Joiners do their work in a page, as emoji and some scripts need them, and stay out of the file's own bytes; all else
/// is shown by its number.
fn write_unseen(to: &mut impl Write, sign: char) -> fmt::Result {
    match is_joiner(sign) {
        true => write!(to, "&#x{:x};", u32::from(sign)),
        false => write!(to, "‹U+{:04X}›", u32::from(sign)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, shown: &str) {
        let mut page = String::new();
        Seen.write_escaped_str(&mut page, text).unwrap();
        assert_eq!(page, shown);
    }

    #[test]
    fn markup_is_text() {
        check("<script>a && 'b'</script>", "&lt;script&gt;a &amp;&amp; &#39;b&#39;&lt;/script&gt;");
        check("\" onload=\"x", "&quot; onload=&quot;x");
        check("&lt;", "&amp;lt;");
        check("schön 字 🙂\n\tx", "schön 字 🙂\n\tx");
    }

    #[test]
    fn what_is_not_seen_is_shown_by_its_number() {
        check("a\u{202e}b\u{0}c\u{e0041}", "a‹U+202E›b‹U+0000›c‹U+E0041›");
        check("a\u{1b}[31m\u{feff}", "a‹U+001B›[31m‹U+FEFF›");
    }

    #[test]
    fn line_ends_of_any_system_are_line_ends_and_joiners_join() {
        check("a\r\nb\rc\r", "a\nb‹U+000D›c‹U+000D›");
        check("👩\u{200d}🚀", "👩&#x200d;🚀");
    }
}
