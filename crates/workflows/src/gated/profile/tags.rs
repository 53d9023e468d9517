//! The tags of a template with their lines, and what only looks like a placeholder.
//!
//! Invariant: linear in the text.
//! Absent here: what a tag does; the template engine knows.

/// `{{ … }}` or `{% … %}`; comments are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// From 1.
    pub(super) line: usize,
    /// What stands inside, without blanks and signs at its ends.
    pub(super) inner: &'a str,
    /// Whether it is a statement.
    pub(super) is_statement: bool,
}

impl<'a> Tag<'a> {
    /// The first word of a statement.
    pub(super) fn word(&self) -> Option<&'a str> {
        self.inner.split_whitespace().next().filter(|_| self.is_statement)
    }

    /// Whether the word occurs in it by itself.
    pub(super) fn names(&self, word: &str) -> bool {
        self.inner.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
    }
}

/// All tags in order.
pub(super) fn tags(text: &str) -> Vec<Tag<'_>> {
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(open) = text[at..].find('{') {
        let start = at + open;
        line += newlines(&text[at..start]);
        let rest = &text[start..];
        let close = ["{{", "{%", "{#"].into_iter().zip(["}}", "%}", "#}"]);
        let Some((sign, close)) = close.into_iter().find(|(sign, _)| rest.starts_with(sign)) else {
            at = start + 1;
            continue;
        };
        let Some(end) = rest[2..].find(close) else { break };
        let inner = rest[2..2 + end].trim_matches(['-', '+']).trim();
        if sign != "{#" {
            found.push(Tag { line, inner, is_statement: sign == "{%" });
        }
        line += newlines(&rest[..end + 4]);
        at = start + end + 4;
    }
    found
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// The bytes between braces in which a name is looked for.
const NEAR: usize = 160;

/// `{{ name }}`, `${name}` or `{name}` with a known name, in a text that is never filled in; with its line.
pub(super) fn literal<'a>(text: &'a str, known: &[&str]) -> Option<(usize, &'a str)> {
    let mut at = 0;
    while let Some(open) = text[at..].find('{') {
        let start = at + open;
        let doubled = text[start..].starts_with("{{");
        let (first, close) = if doubled { (start + 2, "}}") } else { (start + 1, "}") };
        let near = text.as_bytes()[first..].iter().take(NEAR).position(|byte| *byte == b'}');
        let end = near.map(|end| first + end).filter(|end| text[*end..].starts_with(close));
        // Code has `{ name }` for other reasons.
        let name = end.map(|end| &text[first..end]);
        let name = if doubled { name.map(str::trim) } else { name };
        if let (Some(end), Some(name)) = (end, name)
            && known.contains(&name)
        {
            let whole = &text[start..end + close.len()];
            return Some((1 + newlines(&text[..start]), whole));
        }
        at = first;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_with_their_lines_and_comments_are_none() {
        let text = "a {{ one }}\n{%- if two -%}{# {{ no }}\n #}\n{ {{three}} {%\nendif %} {{ open";
        let found: Vec<(usize, &str, bool)> =
            tags(text).iter().map(|tag| (tag.line, tag.inner, tag.is_statement)).collect();
        assert_eq!(
            found,
            [(1, "one", false), (2, "if two", true), (4, "three", false), (4, "endif", true)]
        );
    }

    #[test]
    fn what_looks_like_a_placeholder_is_one_only_with_a_known_name() {
        let known = ["entity", "table"];
        for (text, found) in [
            ("a\n${entity}", Some((2, "{entity}"))),
            ("{{ table }}", Some((1, "{{ table }}"))),
            ("/api/{id}/{entity}", Some((1, "{entity}"))),
            ("{id} {{ other }} { entity } {", None),
            ("entity table", None),
        ] {
            assert_eq!(literal(text, &known), found, "{text}");
        }
    }
}
