//! The line that begins a file: `<<<FILE: Name.java>>>`.
//!
//! Invariant: exact or none; a line in Markdown's dress or of look-alike characters is neither.
//! Absent here: whether the name is a good one.

use super::super::alike;
use unicode_normalization::UnicodeNormalization;

const BLANKS: [char; 2] = [' ', '\t'];

/// A marker with the name in it, as it stands; a blank behind the name is part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marker<'a> {
    pub(super) name: &'a str,
}

impl<'a> Marker<'a> {
    /// The marker that this line is, or an error if it only looks like one.
    pub(super) fn of(line: &'a str) -> Result<Option<Self>, ()> {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line).trim_matches(BLANKS);
        let name = line.strip_prefix("<<<FILE:").and_then(|name| name.strip_suffix(">>>"));
        match name {
            Some(name) => Ok(Some(Self { name: name.trim_start_matches(BLANKS) })),
            None if looks_like_one(line) => Err(()),
            None => Ok(None),
        }
    }
}

/// Three angle brackets and the word, at the start of what is left without dress.
fn looks_like_one(line: &str) -> bool {
    if line.is_ascii() && !line.contains("<<<") {
        return false;
    }
    let seen = |c: &char| !alike::is_unseen(*c) && !c.is_whitespace();
    let plain: String = line.nfkd().filter(seen).collect();
    let plain = plain.trim_start_matches(['`', '#', '>']);
    let plain = plain.strip_prefix("**").or_else(|| plain.strip_prefix("__")).unwrap_or(plain);
    let word = plain.trim_start_matches('`').strip_prefix("<<<");
    word.is_some_and(|word| {
        !word.starts_with('<') && alike::bare(word).starts_with(&alike::bare("FILE"))
    })
}
