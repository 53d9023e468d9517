//! Keys: where a key comes from, and reading it when it is first needed.
//!
//! Invariant: no message and no debug output of this module holds a key; a key is one line of visible ASCII.
//! Absent here: who gets it.

mod command;

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use std::{fmt, fs::File, io::Read, path::PathBuf, time::Duration};

/// Where a key comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum KeySource {
    /// An environment variable.
    Env(String),
    /// A file that holds it and nothing else.
    File(PathBuf),
    /// A program that prints it in its first line; no shell reads the arguments.
    Command {
        /// The program.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<String>,
        /// How long it may take.
        timeout: Duration,
    },
}

/// Why there is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The environment has no such variable.
    #[error("the environment variable {0} is not set")]
    Unset(String),
    /// The file cannot be read.
    #[error("the key file {path} cannot be read: {cause}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The program cannot be run or fails. What it prints is not shown: it may be the key.
    #[error("the key command {program} {what}")]
    Command {
        /// Which program.
        program: PathBuf,
        /// What happened.
        what: String,
    },
    /// What was found is no key.
    #[error("the key from {place} {what}")]
    Unusable {
        /// Where it was found.
        place: String,
        /// What is wrong with it.
        what: &'static str,
    },
}

/// The arguments of a command are not shown: people put secrets there.
impl fmt::Debug for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place())
    }
}

impl KeySource {
    /// Reads the key, blocking: a command may take as long as its timeout.
    ///
    /// # Errors
    /// When there is none, or what is there cannot be sent.
    pub fn key(&self) -> Result<SecretString, KeyError> {
        let found = match self {
            Self::Env(name) => std::env::var_os(name)
                .map(std::ffi::OsString::into_encoded_bytes)
                .ok_or_else(|| KeyError::Unset(name.clone()))?,
            Self::File(path) => read(path)
                .map_err(|cause| KeyError::File { path: path.clone(), cause: cause.to_string() })?,
            Self::Command { program, arguments, timeout } => {
                let printed = command::output(program, arguments, *timeout)
                    .map_err(|what| KeyError::Command { program: program.clone(), what })?;
                first_line(printed)
            }
        };
        usable(found).map_err(|what| KeyError::Unusable { place: self.place(), what })
    }

    /// Where it comes from, in words for a person.
    pub fn place(&self) -> String {
        match self {
            Self::Env(name) => format!("the environment variable {name}"),
            Self::File(path) => format!("the file {}", path.display()),
            Self::Command { program, .. } => format!("the command {}", program.display()),
        }
    }

    /// What others on this machine can do with the key's file, where that is too much. Files that containers mount
    /// are often like that, so a key is read all the same.
    pub fn exposure(&self) -> Option<String> {
        match self {
            Self::File(path) => exposure(path),
            Self::Env(_) | Self::Command { .. } => None,
        }
    }
}

#[cfg(unix)]
fn exposure(path: &std::path::Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).ok()?.permissions().mode() & 0o777;
    let shown = path.display();
    (mode & 0o077 != 0).then(|| format!("others can use the key file {shown} (mode {mode:o})"))
}

#[cfg(not(unix))]
fn exposure(_path: &std::path::Path) -> Option<String> {
    None
}

/// No key is longer.
const LONGEST: u64 = 16 * 1024;

fn read(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    // A pipe could block for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is not a file"));
    }
    let mut found = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut found)?;
    Ok(found)
}

/// Password stores keep the secret in the first line, and notes below it.
fn first_line(mut printed: Vec<u8>) -> Vec<u8> {
    let end = printed.iter().position(|byte| *byte == b'\n').unwrap_or(printed.len());
    printed.truncate(end);
    printed
}

fn usable(found: Vec<u8>) -> Result<SecretString, &'static str> {
    if found.len() as u64 > LONGEST {
        return Err("is longer than any key");
    }
    let found = String::from_utf8(found).map_err(|_| "is not text")?;
    let key = found.trim();
    if key.is_empty() {
        return Err("is empty");
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("has blanks, line breaks or other characters that no key has");
    }
    Ok(SecretString::from(key))
}

/// A header that holds the key, marked so that it is never shown.
pub(super) fn header(prefix: &str, key: &SecretString) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("{prefix}{}", key.expose_secret())).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANARY: &str = "sk-canary-5f2d";

    fn file(content: &[u8]) -> (tempfile::TempDir, KeySource) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, content).unwrap();
        (folder, KeySource::File(path))
    }

    #[test]
    fn a_file_gives_its_one_line_without_the_blanks_around_it() {
        let (_folder, source) = file(format!("  {CANARY}\r\n").as_bytes());
        let key = source.key().unwrap();
        assert_eq!(key.expose_secret(), CANARY);
        assert!(!format!("{key:?} {source:?}").contains(CANARY));
    }

    #[test]
    fn what_is_no_key_is_refused_without_showing_it() {
        let long = "x".repeat(20_000);
        let odd = [format!("{CANARY}\nsecond"), format!("{CANARY}\u{e9}"), " \n".into(), long];
        for content in odd {
            let (_folder, source) = file(content.as_bytes());
            let error = source.key().unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(
                matches!(error, KeyError::Unusable { .. }) && !shown.contains(CANARY),
                "{shown}"
            );
        }
        let (_folder, source) = file(&[CANARY.as_bytes(), b"\xff"].concat());
        assert!(!format!("{:?}", source.key().unwrap_err()).contains(CANARY));
    }

    #[test]
    fn a_command_gives_the_first_line_that_it_prints() {
        assert_eq!(first_line(b"key\nnote\n".to_vec()), b"key");
        assert_eq!(first_line(b"key".to_vec()), b"key");
        assert_eq!(usable(first_line(b"\nkey".to_vec())).unwrap_err(), "is empty");
    }

    #[test]
    fn a_missing_variable_or_file_is_named() {
        let unset = KeySource::Env("REDRAFT_TEST_NO_SUCH_KEY".into()).key().unwrap_err();
        assert!(unset.to_string().contains("REDRAFT_TEST_NO_SUCH_KEY"));
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("none"), folder.path().to_owned()] {
            let missing = KeySource::File(path.clone()).key().unwrap_err().to_string();
            assert!(missing.contains(path.to_str().unwrap()), "{missing}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_read_and_told_of() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, source) = file(CANARY.as_bytes());
        let path = folder.path().join("key");
        let set = |mode| std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        set(0o640);
        assert!(source.exposure().unwrap().contains("mode 640"));
        assert!(source.key().is_ok());
        set(0o600);
        assert_eq!(source.exposure(), None);
    }
}
