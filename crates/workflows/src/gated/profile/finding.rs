//! What is wrong with a profile, each with its file and line.
//!
//! Absent here: looking for it.

use super::{files::MANIFEST, phase::Phase};
use std::fmt;

/// Something that is wrong with a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file within the profile's folder.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1, where it is known.
    pub column: Option<usize>,
    /// What it is.
    pub flaw: Flaw,
}

/// How bad a flaw is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// The profile cannot be used.
    Error,
    /// The profile can be used, and something in it has no effect.
    Warning,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The manifest is not there.
    #[error("the profile has no profile.toml")]
    NoManifest,
    /// The manifest is no TOML, or has a field too many, too few or of another type.
    #[error("{0}")]
    Manifest(String),
    /// The profile's name.
    #[error("the name {0:?} has to be lower-case letters, digits and hyphens")]
    Name(String),
    /// The extension of its files.
    #[error("the extension {0:?} has to be 1 to 16 letters and digits, without a dot")]
    Extension(String),
    /// The bound of iterations.
    #[error("max_iterations has to be from 1 to 50")]
    MaxIterations,
    /// A phase is missing.
    #[error("the phase {0} is missing: add [phases.{0}] with prompt, role and gate")]
    NoPhase(Phase),
    /// A key is declared wrong.
    #[error("context key {key:?}: {why}")]
    Key {
        /// The key.
        key: String,
        /// What is wrong with it.
        why: String,
    },
    /// The schema names a key that cannot be used for it.
    #[error("schema: {key:?} {why}")]
    Schema {
        /// The key.
        key: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file stands in another folder than it has to.
    #[error("{path:?} has to stand in {folder}")]
    Folder {
        /// The path.
        path: String,
        /// Where it belongs.
        folder: &'static str,
    },
    /// A file is named and not there.
    #[error("there is no file {0}")]
    NoFile(String),
    /// A file has no words.
    #[error("the file is empty")]
    Empty,
    /// An include names no file in a way that can be checked.
    #[error("an include names one file of prompts/ in quotes: {{% include \"form.md\" %}}")]
    IncludeForm,
    /// An include names a file that is not there.
    #[error("there is no file prompts/{0} to include")]
    NoInclude(String),
    /// Files include each other.
    #[error("files include each other in a circle: {}", .0.join(" > "))]
    Circle(Vec<String>),
    /// A tag that a prompt has no use for.
    #[error("{{% {0} %}} has no use in a prompt")]
    Tag(String),
    /// A placeholder that nothing fills.
    #[error("there is no variable {name:?}; known are {}", .known.join(", "))]
    Placeholder {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A placeholder for a key whose value is no variable.
    #[error("{0:?} is no variable: the value of a file or text key is data and stands in a part")]
    NoVariable(String),
    /// Something that looks like a placeholder and is told as it stands.
    #[error("{0} is told as it stands: nothing fills it there")]
    Literal(String),
    /// A template does not parse or render.
    #[error("{0}")]
    Template(String),
    /// The standards are told to nobody.
    #[error("no prompt has {{{{ standards }}}}: nobody would read them")]
    Untold,
    /// A file that nothing names.
    #[error("nothing names this file")]
    UnusedFile,
    /// A key that no prompt and no schema uses.
    #[error("no prompt uses the context key {0:?}")]
    UnusedKey(String),
}

impl Finding {
    pub(super) fn new(file: &str, line: usize, flaw: Flaw) -> Self {
        Self { file: file.to_owned(), line, column: None, flaw }
    }

    pub(super) fn manifest(line: usize, flaw: Flaw) -> Self {
        Self::new(MANIFEST, line, flaw)
    }

    /// How bad it is.
    pub fn weight(&self) -> Weight {
        match &self.flaw {
            Flaw::UnusedFile | Flaw::UnusedKey(_) => Weight::Warning,
            // A single brace may be meant in the language of the files.
            Flaw::Literal(told) if !told.starts_with("{{") => Weight::Warning,
            Flaw::NoManifest
            | Flaw::Manifest(_)
            | Flaw::Name(_)
            | Flaw::Extension(_)
            | Flaw::MaxIterations
            | Flaw::NoPhase(_)
            | Flaw::Key { .. }
            | Flaw::Schema { .. }
            | Flaw::Folder { .. }
            | Flaw::NoFile(_)
            | Flaw::Empty
            | Flaw::IncludeForm
            | Flaw::NoInclude(_)
            | Flaw::Circle(_)
            | Flaw::Tag(_)
            | Flaw::Placeholder { .. }
            | Flaw::NoVariable(_)
            | Flaw::Literal(_)
            | Flaw::Template(_)
            | Flaw::Untold => Weight::Error,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        write!(f, ": {}", self.flaw)
    }
}
