//! No module is called by a word that says nothing about what it holds.
//!
//! Why: whatever has no better place ends up in such a file, and nobody looks for it there.

use super::Finding;
use super::source::{Source, Tree};
use super::tokens::Token;

const EMPTY: [&str; 8] =
    ["utils", "util", "common", "helpers", "helper", "manager", "managers", "misc"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.sources.iter().filter_map(by_path);
    files.chain(tree.sources.iter().flat_map(by_module)).collect()
}

fn by_path(source: &Source) -> Option<Finding> {
    let name = source.path.split('/').map(|part| part.trim_end_matches(".rs")).find(is_empty)?;
    Some(Finding::error(&source.path, format!("`{name}` does not say what it holds")))
}

/// Modules that are written in place: `mod name { … }`.
fn by_module(source: &Source) -> Vec<Finding> {
    let written = |window: &&[Token]| match window {
        [word, name, brace] => word.is("mod") && is_empty(&name.text.as_str()) && brace.is("{"),
        _ => false,
    };
    let finding = |window: &[Token]| {
        let name = &window[1];
        Finding::at(&source.path, name.line, format!("`{}` does not say what it holds", name.text))
    };
    source.tokens().windows(3).filter(written).map(finding).collect()
}

fn is_empty(name: &&str) -> bool {
    EMPTY.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, code: &str) -> usize {
        check(&Tree::of(&[(path, code)])).len()
    }

    #[test]
    fn a_name_that_says_what_is_inside_is_good() {
        assert_eq!(count("crates/store/src/journal.rs", "mod chain { fn helper() {} }"), 0);
        assert_eq!(count("crates/store/src/commons.rs", ""), 0);
    }

    #[test]
    fn empty_words_are_bad_as_file_folder_and_module() {
        assert_eq!(count("crates/store/src/utils.rs", ""), 1);
        assert_eq!(count("crates/redraft/tests/common/mod.rs", ""), 1);
        assert_eq!(count("crates/store/src/lib.rs", "mod helpers { }"), 1);
    }
}
