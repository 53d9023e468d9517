//! Paths that no change may touch, whoever makes it.
//!
//! Invariant: a refusal names the path.
//! Absent here: how a change is read.

use super::visible::visible;
use glob::{MatchOptions, Pattern};
use redraft_workflows::{is_hidden, is_joiner};

/// Why a change is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("{path}: lies outside the worktree; name paths from its top folder")]
    Outside { path: String },
    #[error("{path}: belongs to git and may not be changed")]
    GitFolder { path: String },
    #[error(
        "{path}: this link would lead to {target}, which lies outside the worktree or in a roundabout way"
    )]
    LinkOutside { path: String, target: String },
    #[error("{path}: submodules may not be changed")]
    Submodule { path: String },
    #[error("{path}: binary files may not be changed, since nobody can review them in a diff")]
    Binary { path: String },
    #[error("{path}: may not have the mode {mode}; 100644 and 100755 are for files")]
    OddMode { path: String, mode: String },
    #[error("{path}: is protected by {pattern:?} in the configuration")]
    Listed { path: String, pattern: String },
    #[error("{path}: is a repository of its own inside the worktree")]
    Embedded { path: String },
    #[error("{path}: is a pipe, a socket or a device, which no change can hold")]
    Special { path: String },
    #[error("{path}: the change is not UTF-8 text")]
    NotText { path: String },
    #[error(
        "{path}: has {bytes} bytes, more than a change may have; if it was made by a tool, let .gitignore name it"
    )]
    TooLarge { path: String, bytes: u64 },
    #[error(
        "{number} files are new or changed, which are too many; if a tool made them, let .gitignore name them"
    )]
    TooMany { number: usize },
    #[error(
        "line {line} of the diff begins a hunk without line numbers; write @@ -LINE,COUNT +LINE,COUNT @@"
    )]
    NoNumbers { line: usize },
    #[error(
        "line {line} of the diff belongs to no hunk; each line of a hunk begins with a blank, + or -"
    )]
    Stray { line: usize },
    #[error(
        "{path}: {bytes} bytes are in new files, more than a change may have, and the most of them here; if a tool made them, let .gitignore name them"
    )]
    MuchNew { path: String, bytes: u64 },
    #[error(
        "{path}: the change has {bytes} bytes or more, which are too many, and the most lines are here; if a tool made them, let .gitignore name it"
    )]
    LongChange { path: String, bytes: usize },
    #[error("the diff has {bytes} bytes, more than a change may have")]
    LongDiff { bytes: usize },
    #[error(
        "{path}: was changed while a program was at work, by it or by somebody else; it decides how git works here, and has to be as it was before"
    )]
    Shared { path: String },
}

/// What may not be touched beside git's own: paths by patterns.
#[derive(Debug, Clone, Default)]
pub struct Protected {
    patterns: Vec<Pattern>,
}

/// A pattern that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pattern:?} is no pattern of paths: {why}")]
pub struct PatternError {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub why: String,
}

/// Case is no difference: on many systems the other spelling is the same file.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

impl Protected {
    /// Patterns as in a `.gitignore`: one with a slash speaks of paths from the top, one without of names anywhere; a
    /// folder stands for all below it.
    ///
    /// # Errors
    /// The first that cannot be read.
    pub fn new(patterns: &[String]) -> Result<Self, PatternError> {
        let read = |text: &String| {
            let wrong = |why| PatternError { pattern: text.clone(), why };
            let plain = text.strip_suffix('/').unwrap_or(text);
            let plain = match plain.strip_prefix('/') {
                Some(plain) => plain.to_owned(),
                None if plain.contains('/') => plain.to_owned(),
                None => format!("**/{plain}"),
            };
            if plain.is_empty() || plain == "**/" {
                return Err(wrong("it is empty".to_owned()));
            }
            Pattern::new(&plain).map_err(|error| wrong(error.to_string()))
        };
        Ok(Self { patterns: patterns.iter().map(read).collect::<Result<_, _>>()? })
    }

    /// Whether this path may be touched.
    pub(super) fn path(&self, path: &[u8]) -> Result<(), Refusal> {
        check_form(path)?;
        let text = String::from_utf8_lossy(path);
        let ends = text.match_indices('/').map(|(at, _)| at).chain([text.len()]);
        for part in ends.map(|end| &text[..end]) {
            let found = self.patterns.iter().find(|pattern| pattern.matches_with(part, OPTIONS));
            if let Some(pattern) = found {
                let pattern = pattern.as_str();
                let pattern = pattern.strip_prefix("**/").unwrap_or(pattern).to_owned();
                return Err(Refusal::Listed { path: shown(path), pattern });
            }
        }
        Ok(())
    }
}

/// Whether the path is one of the worktree's own, and none of git's.
pub(super) fn check_form(path: &[u8]) -> Result<(), Refusal> {
    let steps = || path.split(|byte| matches!(byte, b'/' | b'\\'));
    if path.starts_with(b"/") || steps().any(|step| step == b"..") {
        return Err(Refusal::Outside { path: shown(path) });
    }
    if steps().any(is_git) {
        return Err(Refusal::GitFolder { path: shown(path) });
    }
    match steps().any(|step| is_alike(step, ".gitmodules", "gitmod~1")) {
        true => Err(Refusal::Submodule { path: shown(path) }),
        false => Ok(()),
    }
}

/// Whether some file system takes this name for `.git`.
pub(super) fn is_git(name: &[u8]) -> bool {
    is_alike(name, ".git", "git~1")
}

/// Some systems pass over case, invisible characters, what follows a colon, and dots and blanks at the end; some give
/// files a short name besides.
fn is_alike(name: &[u8], wanted: &str, short: &str) -> bool {
    let text = String::from_utf8_lossy(name);
    let seen: String = text.chars().filter(|&c| !is_hidden(c) && !is_joiner(c)).collect();
    let seen = seen.split(':').next().unwrap_or_default();
    let seen = seen.trim_end_matches(['.', ' ']).to_lowercase();
    seen == wanted || seen == short
}

/// A path as a message shows it.
pub(super) fn shown(path: &[u8]) -> String {
    visible(&String::from_utf8_lossy(path)).replace('\n', "\u{240a}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_of_gits_folder_are_refused() {
        for path in [
            ".git/hooks/pre-commit",
            "a/.GIT/config",
            ".git",
            ".git /x",
            ".git.",
            "GIT~1/config",
            ".g\u{200c}it/x",
            ".git::$INDEX_ALLOCATION/x",
            "a\\.git\\config",
        ] {
            let refusal = Protected::default().path(path.as_bytes());
            assert!(matches!(refusal, Err(Refusal::GitFolder { .. })), "{path}: {refusal:?}");
        }
        for path in [".gitignore", ".github/x", "a.git/x", "git", ".gitattributes"] {
            assert_eq!(Protected::default().path(path.as_bytes()), Ok(()), "{path}");
        }
    }

    #[test]
    fn paths_outside_and_the_list_of_submodules_are_refused() {
        for path in ["/etc/passwd", "../x", "a/../../x", "a/.."] {
            let refusal = Protected::default().path(path.as_bytes());
            assert!(matches!(refusal, Err(Refusal::Outside { .. })), "{path}: {refusal:?}");
        }
        let refusal = Protected::default().path(b".GitModules");
        assert!(matches!(refusal, Err(Refusal::Submodule { .. })));
    }

    #[test]
    fn a_pattern_with_a_slash_speaks_of_paths_and_one_without_of_names() {
        let rules = ["*.lock", "infra/", "/top", "a/**/secret", "docs/*.md"].map(str::to_owned);
        let rules = Protected::new(&rules).unwrap();
        for path in [
            "Cargo.lock",
            "x/y.LOCK",
            "infra/a/b",
            "x/infra/b",
            "top/a",
            "a/b/c/secret",
            "docs/a.md",
        ] {
            let refusal = rules.path(path.as_bytes());
            assert!(matches!(refusal, Err(Refusal::Listed { .. })), "{path}: {refusal:?}");
        }
        for path in ["lock", "x/top", "secret", "docs/a/b.md"] {
            assert_eq!(rules.path(path.as_bytes()), Ok(()), "{path}");
        }
        assert!(Protected::new(&["a[".to_owned()]).is_err());
    }
}
