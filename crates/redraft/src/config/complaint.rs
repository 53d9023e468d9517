//! What is wrong with a configuration: each complaint with its place and what to do about it.
//!
//! Invariant: no complaint repeats a value that may be a key.
//! Absent here: printing, exit codes.

use super::origin::Origin;
use std::fmt;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Complaint {
    /// Where it stands.
    pub(crate) origin: Origin,
    /// What is wrong, without its place.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: Option<String>,
}

/// Why there is no configuration: everything that is wrong with it, in the order of the files.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.summary())]
pub(crate) struct ConfigError {
    /// At least one.
    pub(crate) complaints: Vec<Complaint>,
}

impl Complaint {
    pub(crate) fn new(origin: Origin, message: impl Into<String>) -> Self {
        Self { origin, message: message.into(), help: None }
    }

    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::BuiltIn => f.write_str(&self.message),
            Origin::Variable(_) | Origin::Flag(_) => {
                write!(f, "{}: {}", self.origin, self.message)
            }
            Origin::File(place) => {
                let (path, line, column) = (place.path.display(), place.line, place.column);
                write!(f, "{path}:{line}:{column}: {}\n{}", self.message, place.picture())
            }
        }
    }
}

impl ConfigError {
    fn summary(&self) -> String {
        let texts: Vec<String> = self.complaints.iter().map(ToString::to_string).collect();
        texts.join("\n")
    }

    /// What helps, each advice once.
    pub(crate) fn help(&self) -> Option<String> {
        let mut helps: Vec<&str> = Vec::new();
        for help in self.complaints.iter().filter_map(|complaint| complaint.help.as_deref()) {
            if !helps.contains(&help) {
                helps.push(help);
            }
        }
        (!helps.is_empty()).then(|| helps.join("\n"))
    }
}
