//! Every file says what it is in its first line, in a sentence a newcomer could repeat.
//!
//! Only its form can be checked: it is there, comes first, and ends as a sentence does.

use super::Finding;
use super::source::{Source, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let owes = |source: &&Source| !source.test && is_module(&source.path);
    tree.sources.iter().filter(owes).filter_map(judge).collect()
}

/// Whether the file is a module of a crate of the house.
fn is_module(path: &str) -> bool {
    let parts: Vec<_> = path.split('/').collect();
    matches!(parts.as_slice(), ["crates", _, "src", ..] | ["xtask", "src", ..])
}

fn judge(source: &Source) -> Option<Finding> {
    let first = source.text.lines().next().unwrap_or_default();
    let message = match first.strip_prefix("//!").map(str::trim) {
        None => "starts without `//!` docs",
        Some("") => "has an empty first line of docs",
        Some(line) if !line.ends_with(['.', '?']) => {
            "has a first line of docs that does not end a sentence"
        }
        Some(_) => return None,
    };
    Some(Finding::at(&source.path, 1, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn a_first_sentence_is_good() {
        assert_eq!(count("crates/loop/src/run.rs", "//! A run is the fold of its facts.\n"), 0);
    }

    #[test]
    fn no_docs_late_docs_and_half_sentences_are_bad() {
        for text in ["", "fn a() {}", "\n//! Late.", "//!\n//! Late.", "//! Half a", "// No doc."] {
            assert_eq!(count("crates/loop/src/run.rs", text), 1, "{text:?}");
        }
    }

    #[test]
    fn tests_and_files_outside_the_crates_owe_no_docs() {
        assert_eq!(count("crates/loop/src/tests.rs", ""), 0);
        assert_eq!(count("crates/loop/tests/plays.rs", ""), 0);
        assert_eq!(count("bench/src/main.rs", ""), 0);
        assert_eq!(count("xtask/src/main.rs", ""), 1);
    }
}
