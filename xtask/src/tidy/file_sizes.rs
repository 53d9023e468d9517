//! A Rust file has at most 350 lines if it can, and never more than 500.
//!
//! The map of the house, `ARCHITECTURE.md`, has a limit of its own: one sitting, 200 lines.

use super::source::Tree;
use super::{Finding, Weight};

const WANTED: usize = 350;
const NEVER_ABOVE: usize = 500;
const MAP: (&str, usize) = ("ARCHITECTURE.md", 200);

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let rust = tree.sources.iter().map(|source| (&source.path, &source.text, WANTED, NEVER_ABOVE));
    let map = tree.texts.iter().filter(|(path, _)| path == MAP.0);
    let map = map.map(|(path, text)| (path, text, MAP.1, MAP.1));
    rust.chain(map)
        .filter_map(|(path, text, wanted, most)| judge(path, text, wanted, most))
        .collect()
}

fn judge(path: &str, text: &str, wanted: usize, most: usize) -> Option<Finding> {
    let lines = text.lines().count();
    let weight = match lines {
        _ if lines > most => Weight::Error,
        _ if lines > wanted => Weight::Warning,
        _ => return None,
    };
    Some(Finding::new(weight, path, format!("has {lines} lines; wanted {wanted}, never {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(path: &str, lines: usize) -> Vec<Weight> {
        let text = "// line\n".repeat(lines);
        check(&Tree::of(&[(path, &text)])).iter().map(|finding| finding.weight).collect()
    }

    #[test]
    fn short_files_are_good_long_ones_warn_and_huge_ones_fail() {
        assert_eq!(weights("a.rs", 350), []);
        assert_eq!(weights("a.rs", 351), [Weight::Warning]);
        assert_eq!(weights("a.rs", 501), [Weight::Error]);
    }

    #[test]
    fn the_map_fits_one_sitting_and_other_pages_may_be_long() {
        assert_eq!(weights("ARCHITECTURE.md", 200), []);
        assert_eq!(weights("ARCHITECTURE.md", 201), [Weight::Error]);
        assert_eq!(weights("README.md", 900), []);
    }
}
