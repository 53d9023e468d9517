//! The loop stays `no_std`: in its own code, and in what its dependencies switch on for it.
//!
//! Why both: a loop without I/O, clock and randomness is proven by what it cannot reach.

use super::Finding;
use super::source::{Source, Tree};
use crate::shell;
use anyhow::Result;

const ROOM: &str = "crates/loop/src/";
const LIB: &str = "crates/loop/src/lib.rs";
const ATTRIBUTE: &str = "#![cfg_attr(not(test), no_std)]";

pub(super) fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut asked =
        shell::command("cargo tree -p redraft-loop -e normal,features,no-proc-macro --prefix none");
    let features = shell::read(&mut asked)?;
    Ok(code(tree).into_iter().chain(graph(&features)).collect())
}

fn code(tree: &Tree) -> Vec<Finding> {
    let lib = tree.sources.iter().find(|source| source.path == LIB);
    let says_so = lib.is_some_and(|lib| lib.text.lines().any(|line| line.trim() == ATTRIBUTE));
    let missing = (!says_so).then(|| Finding::error(LIB, format!("lacks `{ATTRIBUTE}`")));
    let inside = tree.sources.iter().filter(|source| source.path.starts_with(ROOM));
    missing.into_iter().chain(inside.flat_map(reaches)).collect()
}

/// Each `std` in the code of one file, be it in a path, a `use` or an `extern crate`.
fn reaches(source: &Source) -> Vec<Finding> {
    let std = source.product_tokens().filter(|token| token.is("std"));
    std.map(|token| Finding::at(&source.path, token.line, "the loop names `std`")).collect()
}

/// Each dependency that is built with its `std` feature when the loop is built alone.
fn graph(features: &str) -> Vec<Finding> {
    let mut found: Vec<_> = features
        .lines()
        .filter_map(|line| line.split_once(" feature \"std\""))
        .map(|(name, _)| Finding::error("redraft-loop", format!("{name} is built with std")))
        .collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lib: &str) -> usize {
        code(&Tree::of(&[(LIB, lib)])).len()
    }

    #[test]
    fn alloc_and_core_are_good() {
        let lib = format!("//! The loop.\n{ATTRIBUTE}\nextern crate alloc;\nuse core::fmt;");
        assert_eq!(found(&lib), 0);
    }

    #[test]
    fn a_path_into_std_is_bad_and_tests_may_take_it() {
        let lib = |code: &str| format!("{ATTRIBUTE}\n{code}");
        assert_eq!(found(&lib("use std::fmt;")), 1);
        assert_eq!(found(&lib("fn a() -> ::std::time::Instant { b() }")), 1);
        assert_eq!(found(&lib("#[cfg(test)] extern crate std;")), 0);
        assert_eq!(found(&lib("#[cfg(test)] mod tests { use std::fmt; }")), 0);
        assert_eq!(found(&lib("const FEATURE: &str = \"std\";")), 0);
    }

    #[test]
    fn a_lib_that_does_not_say_no_std_is_bad() {
        assert_eq!(found("//! The loop."), 1);
        assert_eq!(found(&format!("// {ATTRIBUTE}")), 1);
    }

    #[test]
    fn a_std_feature_in_the_graph_is_bad() {
        let good = "redraft-loop v0.1.0\nserde feature \"alloc\"\nserde v1.0.2\n";
        assert!(graph(good).is_empty());
        let bad = format!("{good}memchr feature \"std\"\nmemchr v2\nmemchr feature \"std\" (*)\n");
        assert_eq!(graph(&bad).len(), 1);
    }
}
