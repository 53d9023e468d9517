//! What answers by hand have in common, whatever they answer.
//!
//! Absent here: what a workflow makes of them.

/// Whether an answer is JSON with this field, bare or in a fence; one that only quotes JSON further down is plain.
pub(crate) fn is_json(text: &str, field: &str) -> bool {
    let text = text.trim_start();
    let inner = text.strip_prefix("```").and_then(|fenced| fenced.split_once('\n'));
    let bare = inner.map_or(text, |(_, inner)| inner.trim_start());
    bare.starts_with('{') && bare.contains(&format!("\"{field}\""))
}

/// An item of a list without its mark: `- `, `* `, `3. `; `None` for any other line.
pub(crate) fn item(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = if rest.len() < line.len() { rest.strip_prefix(". ") } else { None };
    numbered.or(line.strip_prefix("- ")).or(line.strip_prefix("* ")).map(str::trim_start)
}

/// A text on one line.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
