//! The files of a response: each stands behind its marker, up to the next.
//!
//! ```text
//! What I changed, and why.
//! <<<FILE: Order.java>>>
//!     package shop;
//! <<<FILE: OrderRepository.java>>>
//!     package shop;
//! ```
//!
//! Four spaces that begin every line of a file go; else the text stays word for word, line ends included. What stands
//! before the first marker is the author's remarks. A line that looks like a marker and is none is refused: a file would
//! be lost inside another. So is a file in a code fence, or with nothing in it.
//!
//! Invariant: all or nothing; every name is one plain file on every usual file system, and no two are the same there. Time
//! is linear in the response. Absent here: the disk, and which names another iteration has taken.

mod disputes;
mod error;
mod marker;
mod name;

pub use error::BundleError;
pub use name::{LONGEST_NAME, NameFault, check_name, twin};

use crate::reply::telling::quoted;
use marker::Marker;
use std::{borrow::Cow, collections::HashMap};

/// The longest response that is read, in bytes.
pub const LONGEST: usize = crate::reply::LONGEST;
/// The most files of a response.
pub const MOST_FILES: usize = 512;

/// What an author sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// What stands before the first file, word for word.
    pub remarks: String,
    /// The items under `DISPUTED ISSUES` in the remarks, each on one line.
    pub disputed: Vec<String>,
    /// The files in order; at least one.
    pub files: Vec<File>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, with no folder.
    pub name: String,
    /// The line of its marker in the response, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
}

/// A file as it stands in the response.
struct Place<'a> {
    marker: Marker<'a>,
    line: usize,
    text: &'a str,
}

/// Reads a response whose files all have this extension (`java`, with or without its dot).
///
/// # Errors
/// [`BundleError`], which names the line and the fix; then there are no files at all.
pub fn read(response: &str, extension: &str) -> Result<Bundle, BundleError> {
    if response.len() > LONGEST {
        return Err(BundleError::TooLong { line: 1, bytes: response.len() });
    }
    let response = response.strip_prefix('\u{feff}').unwrap_or(response);
    let (remarks, places) = split(response)?;
    let mut taken = HashMap::new();
    let mut files = Vec::with_capacity(places.len());
    for place in &places {
        let file = file(place, extension)?;
        if let Some(first) = taken.insert(twin(&file.name), file.line) {
            return Err(BundleError::Twin { line: file.line, first, name: quoted(&file.name) });
        }
        files.push(file);
    }
    Ok(Bundle { disputed: disputes::of(remarks), remarks: remarks.to_owned(), files })
}

/// The remarks and the files.
fn split(response: &str) -> Result<(&str, Vec<Place<'_>>), BundleError> {
    let (mut at, mut places, mut begins) = (0, Vec::<Place<'_>>::new(), 0);
    let mut remarks = response;
    for (number, line) in (1..).zip(response.split_inclusive('\n')) {
        let found = Marker::of(line)
            .map_err(|()| BundleError::LikeMarker { line: number, found: quoted(line.trim()) })?;
        if let Some(marker) = found {
            match places.last_mut() {
                Some(last) => last.text = &response[begins..at],
                None => remarks = &response[..at],
            }
            if places.len() == MOST_FILES {
                return Err(BundleError::TooMany { line: number });
            }
            begins = at + line.len();
            places.push(Place { marker, line: number, text: &response[begins..] });
        }
        at += line.len();
    }
    match places.is_empty() {
        true => Err(BundleError::NoMarker { line: 1 }),
        false => Ok((remarks, places)),
    }
}

fn file(place: &Place<'_>, extension: &str) -> Result<File, BundleError> {
    let (line, name) = (place.line, place.marker.name);
    check_name(name, extension).map_err(|why| BundleError::BadName {
        line,
        name: quoted(name),
        why,
    })?;
    let mut written = (line + 1..).zip(place.text.lines()).filter(|(_, text)| !is_blank(text));
    let Some(first) = written.next() else {
        return Err(BundleError::EmptyFile { line, name: quoted(name) });
    };
    let last = written.last().unwrap_or(first);
    let fences = [first, last].into_iter().find(|(_, text)| is_fence(text));
    if let Some((line, _)) = fences.filter(|_| !["md", "markdown"].contains(&bare(extension))) {
        return Err(BundleError::Fenced { line, name: quoted(name) });
    }
    Ok(File { name: name.to_owned(), line, text: unindented(place.text).into_owned() })
}

fn bare(extension: &str) -> &str {
    extension.trim_start_matches('.')
}

fn is_blank(line: &str) -> bool {
    line.trim_matches([' ', '\t', '\r', '\n']).is_empty()
}

fn is_fence(line: &str) -> bool {
    ["```", "~~~"].iter().any(|fence| line.trim_start_matches([' ', '\t']).starts_with(fence))
}

/// The text without the four spaces that begin all its lines; an empty line need not have them.
fn unindented(text: &str) -> Cow<'_, str> {
    const INDENT: &str = "    ";
    let indented = |line: &str| line.starts_with(INDENT) || is_blank(line);
    if !text.split_inclusive('\n').all(indented) {
        return Cow::Borrowed(text);
    }
    let without = |line| match str::strip_prefix(line, INDENT) {
        Some(line) => line,
        None => line.trim_start_matches(' '),
    };
    text.split_inclusive('\n').map(without).collect::<String>().into()
}
