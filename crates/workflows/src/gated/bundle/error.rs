//! Why the files of a response cannot be taken: each reason with its line and what to write instead.
//!
//! Invariant: a message is one line, bounded, and free of characters that are not seen.
//! Absent here: mistakes in the code itself.

use super::NameFault;

/// Why a response has no files. Lines count from 1; what is quoted is fit to be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the line and what the message quotes")]
pub enum BundleError {
    /// It is longer than [`super::LONGEST`].
    #[error("line {line}: the response has {bytes} bytes, which is too long; write at most 8 MiB")]
    TooLong { line: usize, bytes: usize },
    /// It has no marker.
    #[error("line {line}: the response has no file; begin each with a line `<<<FILE: Name>>>`")]
    NoMarker { line: usize },
    /// It has more than [`super::MOST_FILES`].
    #[error("line {line}: these are too many files; write at most 512")]
    TooMany { line: usize },
    /// A line looks like a marker.
    #[error("line {line}: {found} is not a marker; write `<<<FILE: Name>>>` alone on the line")]
    LikeMarker { line: usize, found: String },
    /// A name is not one that a file may have.
    #[error("line {line}: the file name {name} {why}")]
    BadName { line: usize, name: String, why: NameFault },
    /// Two names are the same file on some system.
    #[error("line {line}: the file {name} stands in line {first} already; write each file once")]
    Twin { line: usize, first: usize, name: String },
    /// A file has no text.
    #[error("line {line}: the file {name} has no text; write it or leave its marker out")]
    EmptyFile { line: usize, name: String },
    /// A file begins or ends with a code fence.
    #[error("line {line}: a code fence stands in the file {name}; write its text without one")]
    Fenced { line: usize, name: String },
}
