//! The files that tidy looks at: Rust sources as tokens, everything else as text.
//!
//! Paths are relative to the root with `/` between folders. What builds, tools and demos leave
//! behind is not looked at; git is not asked, so an unpacked archive is checked like a clone.

use super::tokens::{self, Token};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// One Rust file.
#[derive(Debug)]
pub(crate) struct Source {
    /// Path from the root.
    pub(crate) path: String,
    /// The text as it stands.
    pub(crate) text: String,
    /// Its tokens, or why they cannot be read.
    pub(crate) tokens: Result<Vec<Token>, String>,
    /// Whether the whole file is test code.
    pub(crate) test: bool,
}

impl Source {
    /// Reads a file from memory; whether it is test code is told by its path alone.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let test = path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches"));
        let (path, text) = (path.to_owned(), text.to_owned());
        Self { path, tokens: tokens::read(&text), text, test }
    }

    /// Its tokens; none when it cannot be read, which tidy reports once.
    pub(crate) fn tokens(&self) -> &[Token] {
        self.tokens.as_deref().unwrap_or_default()
    }

    /// Tokens that run in the product.
    pub(crate) fn product_tokens(&self) -> impl Iterator<Item = &Token> {
        self.tokens().iter().filter(|token| !self.test && !token.test)
    }

    /// The files and folders of modules that this file declares for tests only.
    fn test_modules(&self) -> Vec<String> {
        let folder = match self.path.rsplit_once('/') {
            Some((folder, "lib.rs" | "main.rs" | "mod.rs")) => folder,
            _ => self.path.trim_end_matches(".rs"),
        };
        let mut found = Vec::new();
        for window in self.tokens().windows(3) {
            if let [word, name, end] = window
                && word.test
                && word.is("mod")
                && end.is(";")
            {
                found.push(format!("{folder}/{}", name.text));
            }
        }
        found
    }
}

/// Everything tidy looks at.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Rust files, sorted by path.
    pub(crate) sources: Vec<Source>,
    /// Path and text of every other file that is UTF-8, sorted by path.
    pub(crate) texts: Vec<(String, String)>,
}

impl Tree {
    /// Reads all files below the root.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let mut paths = Vec::new();
        list(root, "", &mut paths)?;
        paths.sort();
        let mut tree = Self::default();
        for path in paths {
            let bytes =
                fs::read(root.join(&path)).with_context(|| format!("cannot read {path}"))?;
            if let Ok(text) = String::from_utf8(bytes) {
                tree.add(&path, text);
            }
        }
        tree.mark_test_modules();
        Ok(tree)
    }

    /// A tree from memory, for the tests of the checks.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        files.iter().for_each(|(path, text)| tree.add(path, (*text).to_owned()));
        tree.mark_test_modules();
        tree
    }

    fn add(&mut self, path: &str, text: String) {
        let is_rust = Path::new(path).extension().is_some_and(|extension| extension == "rs");
        if is_rust {
            self.sources.push(Source::new(path, &text));
        } else {
            self.texts.push((path.to_owned(), text));
        }
    }

    fn mark_test_modules(&mut self) {
        let modules: Vec<_> = self.sources.iter().flat_map(Source::test_modules).collect();
        for source in &mut self.sources {
            let mut rests = modules.iter().filter_map(|module| source.path.strip_prefix(module));
            source.test |= rests.any(|rest| rest == ".rs" || rest.starts_with('/'));
        }
    }
}

fn list(root: &Path, folder: &str, out: &mut Vec<String>) -> Result<()> {
    let place = root.join(folder);
    let entries = fs::read_dir(&place).with_context(|| format!("cannot list {folder:?}"))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() && !left_behind(&path, &name) {
            list(root, &path, out)?;
        } else if kind.is_file() {
            out.push(path);
        }
    }
    Ok(())
}

/// Folders that hold no source of ours, the same that `.gitignore` names.
fn left_behind(path: &str, name: &str) -> bool {
    matches!(name, ".git" | ".redraft" | "target" | "venv" | "node_modules")
        || path == "episodes"
        || path.starts_with("demo_workspace")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_declared_for_tests_are_test_code_with_all_below_them() {
        let tree = Tree::of(&[
            ("crates/loop/src/lib.rs", "#[cfg(test)] mod plays; mod run;"),
            ("crates/loop/src/plays.rs", ""),
            ("crates/loop/src/plays/solve.rs", ""),
            ("crates/loop/src/run.rs", "#[cfg(test)] mod more;"),
            ("crates/loop/src/run/more.rs", ""),
            ("crates/loop/src/runs.rs", ""),
        ]);
        let tests: Vec<_> = tree.sources.iter().filter(|s| s.test).map(|s| &s.path[16..]).collect();
        assert_eq!(tests, ["plays.rs", "plays/solve.rs", "run/more.rs"]);
    }

    #[test]
    fn test_folders_and_files_named_tests_are_test_code() {
        assert!(Source::new("crates/redraft/tests/kill.rs", "").test);
        assert!(Source::new("crates/loop/src/run/tests.rs", "").test);
        assert!(!Source::new("crates/loop/src/attests.rs", "").test);
    }

    #[test]
    fn what_builds_and_demos_leave_is_not_looked_at() {
        assert!(left_behind("fuzz/target", "target"));
        assert!(left_behind("demo_workspace_2", "demo_workspace_2"));
        assert!(!left_behind("crates/redraft/src/episodes", "episodes"));
    }

    #[test]
    fn the_house_reads_itself() {
        let tree = Tree::read(&crate::house::root()).unwrap();
        assert!(tree.sources.iter().any(|source| source.path == "xtask/src/tidy/source.rs"));
        assert!(tree.texts.iter().any(|(path, _)| path == "Cargo.toml"));
    }
}
