//! Where a value came from: built in, a line of a file, a variable or a flag.
//!
//! Invariant: a place shows no more of its line than may be shown; keys never stand in it.
//! Absent here: which origin wins.

use serde_json::{Value, json};
use std::{fmt, path::Path, sync::Arc};

/// A value with its origin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sourced<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// Nobody said otherwise.
    BuiltIn,
    /// A line of a file.
    File(Place),
    /// An environment variable, by its name.
    Variable(String),
    /// A flag of the command line, by its name.
    Flag(&'static str),
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(crate) path: Arc<Path>,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column in characters, from 1.
    pub(crate) column: usize,
    /// How many characters of the line are meant.
    pub(crate) width: usize,
    /// What may be shown of the line.
    pub(crate) excerpt: String,
}

impl<T> Sourced<T> {
    pub(crate) fn built_in(value: T) -> Self {
        Self { value, origin: Origin::BuiltIn }
    }
}

impl Origin {
    /// The origin as it stands in JSON.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::BuiltIn => json!({ "kind": "built_in" }),
            Self::File(place) => {
                json!({ "kind": "file", "path": place.path.display().to_string(), "line": place.line })
            }
            Self::Variable(name) => json!({ "kind": "variable", "name": name }),
            Self::Flag(name) => json!({ "kind": "flag", "name": name }),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in"),
            Self::File(place) => write!(f, "{}:{}", place.path.display(), place.line),
            Self::Variable(name) => f.write_str(name),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

impl Place {
    /// The line with a caret under what is meant.
    pub(crate) fn picture(&self) -> String {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let before = " ".repeat(self.column.saturating_sub(1));
        let carets = "^".repeat(self.width.max(1));
        format!("{number} | {}\n{margin} | {before}{carets}", self.excerpt)
    }
}
