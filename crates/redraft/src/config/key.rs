//! Where an agent's key comes from, and getting it when it is due.
//!
//! Invariant: a key is never in a file of ours, an error, a log or a debug print.
//! Absent here: sending it.

use crate::subprocess::{SubprocessError, words_of};
use std::{
    fmt, fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// A password store may ask a person for its passphrase.
const PATIENCE: Duration = Duration::from_secs(30);
/// No key is longer.
const LONGEST: u64 = 64 * 1024;

/// Where a key comes from.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// An environment variable, by name.
    Variable(String),
    /// A file that holds the key and nothing else.
    File(PathBuf),
    /// A program whose first line on stdout is the key; never empty.
    Command {
        /// The program, by its name on PATH or its path.
        program: PathBuf,
        /// Its arguments; they may hold a secret and are not shown.
        args: Vec<String>,
    },
}

/// A key. It shows itself to nobody who does not ask by name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    /// The variable is not set, or empty.
    #[error("the variable {0} is not set")]
    Unset(String),
    /// The file cannot be read.
    #[error("{path}: cannot be read: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The program gave none.
    #[error("the key's command failed: {0}")]
    Command(#[from] SubprocessError),
    /// What came is empty, of several lines, or has characters that no key has.
    #[error("{0} does not give a key: one line of visible ASCII is expected")]
    NotAKey(String),
}

impl Secret {
    /// A key, checked for what may stand in a header.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let key = text.trim();
        let visible = !key.is_empty() && key.bytes().all(|b| b.is_ascii_graphic());
        visible.then(|| Self(key.to_owned()))
    }

    /// The key itself, for the request alone.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl KeySource {
    /// Gets the key.
    ///
    /// # Errors
    /// When the source is not there or gives none.
    pub(crate) async fn obtain(&self) -> Result<Secret, KeyError> {
        let text = match self {
            Self::Variable(name) => std::env::var(name)
                .ok()
                .filter(|text| !text.is_empty())
                .ok_or_else(|| KeyError::Unset(name.clone()))?,
            Self::File(path) => read(path)?,
            Self::Command { program, args } => {
                let said = words_of(program, args, PATIENCE).await?;
                // Password stores keep the secret in the first line, and notes below it.
                said.lines().next().unwrap_or_default().to_owned()
            }
        };
        Secret::parse(&text).ok_or_else(|| KeyError::NotAKey(self.to_string()))
    }

    /// Who else can read the key, where that can be told.
    pub(crate) fn exposure(&self) -> Option<String> {
        match self {
            Self::File(path) => others_may_read(path),
            Self::Variable(_) | Self::Command { .. } => None,
        }
    }
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "the variable {name}"),
            Self::File(path) => write!(f, "the file {}", path.display()),
            Self::Command { program, .. } => write!(f, "the command {}", program.display()),
        }
    }
}

impl fmt::Debug for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeySource({self})")
    }
}

fn read(path: &Path) -> Result<String, KeyError> {
    let failed = |source| KeyError::File { path: path.to_path_buf(), source };
    let found = fs::metadata(path).map_err(failed)?;
    // A pipe or a device would be waited for.
    if !found.is_file() || found.len() > LONGEST {
        return Err(KeyError::NotAKey(format!("the file {}", path.display())));
    }
    fs::read_to_string(path).map_err(failed)
}

#[cfg(unix)]
fn others_may_read(path: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).ok()?.permissions().mode() & 0o777;
    (mode & 0o077 != 0)
        .then(|| format!("{} can be read by others (mode {mode:03o})", path.display()))
}

#[cfg(not(unix))]
fn others_may_read(_: &Path) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_print_of_a_key_or_its_source_shows_a_secret() {
        let secret = Secret::parse(" sk-CANARY\n").unwrap();
        assert_eq!(secret.expose(), "sk-CANARY");
        let args = vec!["CANARY".to_owned()];
        let source = KeySource::Command { program: "pass".into(), args };
        let shown = format!("{secret:?} {source:?} {source}");
        assert!(!shown.contains("CANARY"), "{shown}");
    }

    #[test]
    fn what_could_break_a_header_is_no_key() {
        for text in ["", " ", "two words", "a\nb", "a\u{7}", "é"] {
            assert_eq!(Secret::parse(text), None, "{text:?}");
        }
    }
}
