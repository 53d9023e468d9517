//! A text in any of the contract's formats as plain text, for places that show marks as they are.
//!
//! Invariant: every visible word stays, in its order; a link's address stands behind its words.
//! Absent here: line widths, tables drawn with lines, pictures.

use super::model::TextFormat;
use crate::episode::references;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The text without its markup.
pub fn plain_text(format: TextFormat, content: &str) -> String {
    match format {
        TextFormat::Plain => content.to_owned(),
        TextFormat::Markdown => of_markdown(content),
        TextFormat::Html => of_html(content),
    }
}

/// Plain text as it grows, block by block.
#[derive(Default)]
struct Page {
    text: String,
    /// The next number of each list that is open; `None` for lists without numbers.
    lists: Vec<Option<u64>>,
    /// The addresses of links that are open, and where their words begin.
    links: Vec<(String, usize)>,
    /// Whether a list's mark has just been set; its first paragraph stands behind it.
    at_item: bool,
}

// The parser has more events than a plain text can show.
#[allow(clippy::wildcard_enum_match_arm)]
fn of_markdown(markdown: &str) -> String {
    let mut page = Page::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(tag) => page.open(tag),
            Event::End(tag) => page.close(tag),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                page.at_item = false;
                page.text.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => page.text.push('\n'),
            _ => {}
        }
    }
    page.text.trim().to_owned()
}

#[allow(clippy::wildcard_enum_match_arm)] // as above
impl Page {
    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::Table(_)
                if !std::mem::take(&mut self.at_item) =>
            {
                self.blank_line();
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.blank_line();
                }
                self.lists.push(first);
            }
            Tag::Item => {
                self.new_line();
                let depth = self.lists.len().saturating_sub(1);
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    Some(None) | None => "- ".to_owned(),
                };
                self.text += &format!("{}{mark}", "  ".repeat(depth));
                self.at_item = true;
            }
            Tag::TableHead | Tag::TableRow => self.new_line(),
            Tag::Link { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.text.len()));
            }
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::TableCell => self.text.push(' '),
            TagEnd::Link => {
                let Some((address, start)) = self.links.pop() else { return };
                let words = self.text.get(start..).unwrap_or_default();
                let told = address.strip_prefix("mailto:").unwrap_or(&address);
                if words != told {
                    self.text += &format!(": {told}");
                }
            }
            _ => {}
        }
    }

    fn new_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn blank_line(&mut self) {
        self.new_line();
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

/// Elements whose content nobody reads.
const UNSEEN: [&str; 3] = ["script", "style", "head"];
/// Elements that stand on lines of their own.
const BLOCKS: [&str; 14] = [
    "p",
    "div",
    "section",
    "article",
    "ul",
    "ol",
    "table",
    "blockquote",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
];
/// Elements that begin a new line.
const LINES: [&str; 3] = ["br", "li", "tr"];

fn of_html(html: &str) -> String {
    let mut page = Page::default();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        page.words(before);
        if !after.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            page.text.push('<');
            rest = after;
            continue;
        }
        let (tag, next) = match after.strip_prefix("!--") {
            Some(comment) => ("", comment.split_once("-->").map_or("", |(_, next)| next)),
            None => after.split_once('>').unwrap_or((after, "")),
        };
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next();
        let name = name.unwrap_or_default().to_ascii_lowercase();
        rest = next;
        if UNSEEN.contains(&name.as_str()) && !tag.starts_with('/') {
            let end = rest.to_ascii_lowercase().find(&format!("</{name}"));
            rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
        } else if BLOCKS.contains(&name.as_str()) {
            page.blank_line();
        } else if LINES.contains(&name.as_str()) && !tag.starts_with('/') {
            page.new_line();
            page.text += if name == "li" { "- " } else { "" };
        }
    }
    page.words(rest);
    page.text.trim().to_owned()
}

impl Page {
    /// Text of HTML, in which every run of blanks is one.
    fn words(&mut self, html: &str) {
        for c in references::resolved(html).chars() {
            match c.is_whitespace() {
                true if self.text.is_empty() || self.text.ends_with([' ', '\n']) => {}
                true => self.text.push(' '),
                false => self.text.push(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(format: TextFormat, content: &str, expected: &str) {
        assert_eq!(plain_text(format, content), expected, "{content}");
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        check(TextFormat::Plain, " *a*\n<b> ", " *a*\n<b> ");
    }

    #[test]
    fn marks_of_markdown_go_and_words_stay() {
        check(
            TextFormat::Markdown,
            "# One *two*\n\nThree\nfour `five`  \n~~six~~ <b>7</b>\n\n> eight\n\n***\n\nnine \\* ten &amp; &#49;",
            "One two\n\nThree\nfour five\nsix <b>7</b>\n\neight\n\nnine * ten & 1",
        );
    }

    #[test]
    fn lists_keep_their_marks_and_links_their_addresses() {
        check(
            TextFormat::Markdown,
            "Links:\n\n- [a page](https://a.example)\n- <https://b.example>\n  1. one\n  2. two\n\nEnd [me](mailto:x@a.example).",
            "Links:\n\n- a page: https://a.example\n- https://b.example\n  1. one\n  2. two\n\nEnd me: x@a.example.",
        );
        check(TextFormat::Markdown, "- a\n\n- b\n\n  c\n", "- a\n- b\n\nc");
    }

    #[test]
    fn tags_of_html_go_and_references_are_resolved() {
        check(
            TextFormat::Html,
            "<head><title>x</title></head><!-- a > b --><h1>One</h1>\n<p>Two  <b>three</b>,<br>\nfour &lt;five&gt;&nbsp;&amp;</p><ul>\n<li>a</li><li>b</li></ul><script>if (a < b) {}</script>",
            "One\n\nTwo three,\nfour <five> &\n\n- a\n- b",
        );
        check(TextFormat::Html, "a <b", "a");
        check(TextFormat::Html, "1 < 2 <i>and</i> 3 <= 4", "1 < 2 and 3 <= 4");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a-z<>/!&;#x \n*_\\[\\]()-]{0,80}|\\PC{0,80}") {
            for format in TextFormat::ALL {
                let _ = plain_text(format, &text);
            }
        }

        #[test]
        fn words_without_marks_stay_in_any_format(words in prop::collection::vec("[a-zé]{1,8}", 1..20)) {
            for format in TextFormat::ALL {
                prop_assert_eq!(plain_text(format, &words.join(" ")), words.join(" "));
            }
        }
    }
}
