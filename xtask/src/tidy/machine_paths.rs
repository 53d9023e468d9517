//! No file names a path of the machine it was written on, and no test runs alone.
//!
//! Why: such a path passes here and fails everywhere else. Looked for in every text file.

use super::Finding;
use super::source::Tree;

/// Written in pieces, so that this file does not find itself.
const PATHS: [&str; 3] = [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/")];
const ALONE: &str = concat!(".on", "ly(");

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let rust = tree.sources.iter().map(|source| (&source.path, &source.text));
    let rest = tree.texts.iter().map(|(path, text)| (path, text));
    rust.chain(rest).flat_map(|(path, text)| judge(path, text)).collect()
}

fn judge(path: &str, text: &str) -> Vec<Finding> {
    let finding = |(at, line): (usize, &str)| {
        let message = match PATHS.iter().find(|found| begins_a_path(line, found)) {
            Some(found) => format!("names a path of one machine: `{found}`"),
            None if line.contains(ALONE) => format!("runs one test alone: `{ALONE}`"),
            None => return None,
        };
        Some(Finding::at(path, at + 1, message))
    };
    text.lines().enumerate().filter_map(finding).collect()
}

/// Whether the path stands there from its root on, not as the middle of a longer one.
fn begins_a_path(line: &str, path: &str) -> bool {
    let goes_on = |before: char| before.is_alphanumeric() || "._-~}*".contains(before);
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(goes_on))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, line: &str) -> usize {
        check(&Tree::of(&[(path, line)])).len()
    }

    #[test]
    fn paths_from_the_root_of_one_machine_are_bad_in_any_file() {
        for (folder, file) in PATHS.iter().zip(["a.rs", "notes.md", "journal.json"]) {
            assert_eq!(count(file, &format!("// see {folder}me/notes")), 1, "{folder}");
            assert_eq!(count(file, &format!("\"{folder}me\"")), 1, "{folder}");
        }
    }

    #[test]
    fn relative_paths_and_addresses_are_good() {
        for folder in PATHS {
            assert_eq!(count("a.md", &format!("https://example.org{folder}x ..{folder}x")), 0);
            assert_eq!(count("a.md", &format!("$HOME/src{folder}x")), 0);
        }
    }

    #[test]
    fn a_test_that_runs_alone_is_bad() {
        assert_eq!(count("page.spec.ts", &format!("test{ALONE}'opens', () => {{}})")), 1);
        assert_eq!(count("page.md", "the only test"), 0);
    }
}
