//! HTML inside Markdown: known tags are markup, anything else in angle brackets was said.
//!
//! Invariant: text between tags is kept. Absent: character references, which Markdown resolves.

/// Elements that people write into Markdown for looks or as containers.
const ELEMENTS: &[&str] = &[
    "a", "b", "br", "cite", "code", "details", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6",
    "hr", "i", "img", "kbd", "li", "mark", "ol", "p", "s", "section", "small", "span", "strong",
    "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "time", "tr", "u", "ul", "wbr",
];

/// The text without comments and without tags of known elements.
pub(super) fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        let (before, tag) = rest.split_at_checked(open).unwrap_or((rest, ""));
        text.push_str(before);
        let length = markup(tag);
        if length == 0 {
            text.push('<');
        } else if is_break(tag) {
            text.push(' ');
        }
        rest = tag.get(length.max(1)..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

/// Bytes of the comment or known tag that a text begins with; 0 when it begins with neither.
fn markup(tag: &str) -> usize {
    if tag.starts_with("<!--") {
        return tag.find("-->").map_or(tag.len(), |end| end + 3);
    }
    let known = ELEMENTS.contains(&element(tag).as_str());
    if known { tag.find('>').map_or(0, |end| end + 1) } else { 0 }
}

fn is_break(tag: &str) -> bool {
    matches!(element(tag).as_str(), "br" | "p" | "div" | "li" | "hr" | "td" | "th")
}

fn element(tag: &str) -> String {
    let name = tag.trim_start_matches('<').trim_start_matches('/');
    name.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}
