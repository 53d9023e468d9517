//! One TOML file, parsed, with the place of everything in it.
//!
//! Invariant: of a line that may hold a key, only the part before the value is ever shown.
//! Absent here: which keys there are.

use super::{
    complaint::{Complaint, ConfigError},
    origin::{Origin, Place},
};
use std::{fs, io::ErrorKind, ops::Range, path::Path, sync::Arc};
use toml::de::DeTable;

/// No configuration is longer.
const LARGEST: u64 = 1024 * 1024;

/// A file as it was read.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) path: Arc<Path>,
    text: String,
}

/// How much of a line a complaint may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    /// All of it up to the end of the thing itself.
    Thing,
    /// The thing's name, and nothing of a value.
    Name,
}

impl Document {
    /// Reads a file; `None` when there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, ConfigError> {
        let refuse = |message: String| {
            let message = format!("{}: {message}", path.display());
            ConfigError { complaints: vec![Complaint::new(Origin::BuiltIn, message)] }
        };
        let unreadable = |error: std::io::Error| refuse(format!("cannot be read: {error}"));
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(unreadable(error)),
        };
        if !found.is_file() {
            return Err(refuse("not a file".to_owned()));
        }
        if found.len() > LARGEST {
            return Err(refuse(format!("longer than {LARGEST} bytes")));
        }
        let bytes = fs::read(path).map_err(unreadable)?;
        let text = String::from_utf8(bytes).map_err(|_| refuse("not UTF-8 text".to_owned()))?;
        Ok(Some(Self::of(path, text)))
    }

    /// A file with this text.
    pub(super) fn of(path: &Path, text: String) -> Self {
        Self { path: path.into(), text }
    }

    /// The folder that relative paths in the file start from.
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    pub(super) fn parse(&self) -> Result<DeTable<'_>, ConfigError> {
        DeTable::parse(&self.text).map(toml::Spanned::into_inner).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let mut place = self.place(&span, Show::Name);
            place.excerpt = unparsed(self.line(span.start).1);
            let complaint = Complaint::new(Origin::File(place), error.message().trim().to_owned());
            ConfigError { complaints: vec![complaint] }
        })
    }

    /// The place of a span of bytes.
    pub(super) fn place(&self, span: &Range<usize>, show: Show) -> Place {
        let (line, text) = self.line(span.start);
        let start = self.text[..self.boundary(span.start)].rfind('\n').map_or(0, |at| at + 1);
        let inside = |at: usize| self.boundary(at).saturating_sub(start).min(text.len());
        let (from, to) = (inside(span.start), inside(span.end.max(span.start)));
        Place {
            path: self.path.clone(),
            line,
            column: text[..from].chars().count() + 1,
            width: text[from..to].chars().count(),
            excerpt: excerpt(text, from, to, show),
        }
    }

    /// The number and the text of the line in which a byte stands.
    fn line(&self, at: usize) -> (usize, &str) {
        let at = self.boundary(at);
        let start = self.text[..at].rfind('\n').map_or(0, |found| found + 1);
        let rest = &self.text[start..];
        let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        (self.text[..start].matches('\n').count() + 1, line)
    }

    /// The nearest position at or before a byte that does not cut a character.
    fn boundary(&self, at: usize) -> usize {
        self.text.floor_char_boundary(at)
    }
}

/// The line up to the end of the thing. Values before it on the same line are starred.
fn excerpt(line: &str, from: usize, to: usize, show: Show) -> String {
    if is_head(line) {
        return line.to_owned();
    }
    let value = line.find('=').map_or(line.len(), |at| at + 1).min(from);
    let before = format!("{}{}", &line[..value], stars(&line[value..from]));
    let thing = match show {
        Show::Name if line[..from].contains('=') => stars(&line[from..to]),
        Show::Thing | Show::Name => line[from..to].to_owned(),
    };
    let rest = match line[to..].trim() {
        "" => "",
        rest if rest.starts_with('=') => " = …",
        _ => " …",
    };
    format!("{before}{thing}{rest}")
}

/// A line that could not be parsed may hold a key anywhere but in a table's head and before a `=`.
fn unparsed(line: &str) -> String {
    match line.split_once('=') {
        _ if is_head(line) => line.to_owned(),
        Some((name, value)) if name.chars().all(is_plain) => format!("{name}={}", stars(value)),
        Some(_) | None => stars(line),
    }
}

/// The head of a table, whole or torn; a list in brackets would have quotes.
fn is_head(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('[') && line.trim_matches(['[', ']']).chars().all(is_plain)
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._- \t".contains(c)
}

fn stars(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() { c } else { '*' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANARY: &str = "CANARY";

    fn complaint(text: &str) -> String {
        Document::of(Path::new("c.toml"), text.to_owned()).parse().unwrap_err().to_string()
    }

    #[test]
    fn a_syntax_error_names_line_and_column_and_points_there() {
        let told = complaint("[roles]\ncreator = = \"a\"\n");
        assert!(told.starts_with("c.toml:2:11: "), "{told}");
        assert!(told.ends_with("2 | creator = * ***\n  |           ^"), "{told}");
    }

    #[test]
    fn a_syntax_error_repeats_no_key() {
        for text in [
            "key = \"sk-CANARY",
            "key = sk-CANARY",
            "key = \"\"\"\nsk-CANARY\n",
            "key \"sk-CANARY\"",
            "key: sk-CANARY=",
            "sk-CANARY",
            "\"sk-CANARY",
            "a = { key = \"sk-CANARY\", b = }",
            "a = [\"sk-CANARY\" 1]",
            "[agents.x]\nkey = \"sk-CANARY\"\nkey = \"sk-CANARY\"",
            "key = 'sk-CANARY\n'",
            "[x = \"sk-CANARY\"",
            "key = \"sk-CANARY\\q\"",
        ] {
            let told = complaint(text);
            assert!(!told.contains(CANARY), "{text:?}: {told}");
        }
    }

    #[test]
    fn an_error_behind_wide_characters_is_cut_at_characters() {
        let told = complaint("name = \"é\" ü\n");
        assert!(told.starts_with("c.toml:1:"), "{told}");
    }
}
