//! The derived `.html` of a Markdown text.
//!
//! Invariant: the text is data. Raw HTML in it is shown as text, and links lead only to the web or to mail.
//! Absent here: styles and page frames.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

/// Renders CommonMark with tables and strikethrough as an HTML fragment.
pub fn from_markdown(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let events = Parser::new_ext(markdown, options).map(disarm);
    let mut out = String::with_capacity(markdown.len() * 5 / 4);
    html::push_html(&mut out, events);
    out
}

// The parser's events are its own; all but these pass as they are.
#[allow(clippy::wildcard_enum_match_arm)]
fn disarm(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: safe(dest_url), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Image { link_type, dest_url: safe(dest_url), title, id })
        }
        other => other,
    }
}

fn safe(url: CowStr<'_>) -> CowStr<'_> {
    let lower = url.to_ascii_lowercase();
    let scheme = lower.split_once(':').map(|(scheme, _)| scheme);
    let relative = scheme.is_none_or(|scheme| scheme.contains(['/', '?', '#']));
    match relative || matches!(scheme, Some("http" | "https" | "mailto")) {
        true => url,
        false => CowStr::Borrowed("#"),
    }
}

#[cfg(test)]
mod tests {
    use super::from_markdown;

    #[test]
    fn headings_and_paragraphs_stand_on_lines_of_their_own() {
        let html = from_markdown("# One\n\n## Two\n00:00 Intro\n");
        assert_eq!(html, "<h1>One</h1>\n<h2>Two</h2>\n<p>00:00 Intro</p>\n");
    }

    #[test]
    fn raw_html_is_shown_as_text() {
        let html = from_markdown("a <script>alert(1)</script> b\n\n<iframe src=x>\n");
        assert!(!html.contains("<script") && !html.contains("<iframe"), "{html}");
    }

    #[test]
    fn links_lead_to_the_web_only() {
        for bad in ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "vbscript:x"] {
            let html = from_markdown(&format!("[a]({bad})"));
            assert_eq!(html, "<p><a href=\"#\">a</a></p>\n", "{bad}");
        }
        assert!(from_markdown("[a](https://example.org/x:y)").contains("https://example.org/x:y"));
        assert!(from_markdown("[a](notes/x:y)").contains("notes/x:y"));
    }
}
