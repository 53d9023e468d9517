//! Tidy checks what a compiler does not: that the house keeps its own rules.
//!
//! One file per rule, each with examples of good and bad. A check only reads; it mends nothing.
//! Absent: formatting and lints, which rustfmt and clippy do better.

mod file_sizes;
mod floors;
mod function_sizes;
mod honest_tests;
mod machine_paths;
mod module_docs;
mod names;
mod no_std_loop;
mod no_workflows;
mod source;
mod tokens;

use crate::house;
use anyhow::{Result, bail};
use source::Tree;
use std::fmt;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Tidy fails.
    Error,
    /// Printed; tidy passes.
    Warning,
    /// Counted; printed as a number.
    Note,
}

/// A place where a rule is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    weight: Weight,
    /// `path` or `path:line`.
    place: String,
    message: String,
}

impl Finding {
    fn new(weight: Weight, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { weight, place: place.into(), message: message.into() }
    }

    fn error(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Weight::Error, place, message)
    }

    fn at(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self::error(format!("{path}:{line}"), message)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

type Check = fn(&Tree) -> Result<Vec<Finding>>;

const CHECKS: [(&str, Check); 10] = [
    ("readable", |tree| Ok(unreadable(tree))),
    ("floors", |_| floors::check()),
    ("file sizes", |tree| Ok(file_sizes::check(tree))),
    ("function sizes", |tree| Ok(function_sizes::check(tree))),
    ("module docs", |tree| Ok(module_docs::check(tree))),
    ("no workflows in loop and engine", |tree| Ok(no_workflows::check(tree))),
    ("no_std loop", no_std_loop::check),
    ("names", |tree| Ok(names::check(tree))),
    ("machine paths", |tree| Ok(machine_paths::check(tree))),
    ("honest tests", |tree| Ok(honest_tests::check(tree))),
];

/// Runs every check, prints what each found, and fails if any found an error.
pub(crate) fn run() -> Result<()> {
    let tree = Tree::read(&house::root())?;
    let mut errors = 0;
    for (rule, check) in CHECKS {
        let findings = check(&tree)?;
        errors += report(rule, &findings);
    }
    let files = tree.sources.len();
    if errors > 0 {
        bail!("tidy: {errors} errors in {files} Rust files");
    }
    println!("tidy: {} rules hold in {files} Rust files", CHECKS.len());
    Ok(())
}

/// Prints the findings of one rule and gives the number of errors among them.
fn report(rule: &str, findings: &[Finding]) -> usize {
    let of = |weight| findings.iter().filter(move |finding| finding.weight == weight);
    of(Weight::Error).for_each(|finding| eprintln!("error [{rule}] {finding}"));
    of(Weight::Warning).for_each(|finding| eprintln!("warning [{rule}] {finding}"));
    let (errors, notes) = (of(Weight::Error).count(), of(Weight::Note).count());
    if notes > 0 {
        println!("tidy: {rule}: {notes} above what is wanted, below what is forbidden");
    }
    errors
}

/// A file that cannot be read as Rust would pass every other check unseen.
fn unreadable(tree: &Tree) -> Vec<Finding> {
    let bad = |source: &source::Source| {
        let why = source.tokens.as_ref().err()?;
        Some(Finding::error(&source.path, why))
    };
    tree.sources.iter().filter_map(bad).collect()
}

/// The messages of findings, for the tests of the checks.
#[cfg(test)]
fn shown(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_rust_is_an_error_and_no_silent_pass() {
        let found = unreadable(&Tree::of(&[("a.rs", "fn ("), ("b.rs", "fn b() {}")]));
        assert_eq!(found.len(), 1);
        assert!(found[0].place == "a.rs");
    }

    #[test]
    fn only_errors_count_against_the_house() {
        let found = [Weight::Error, Weight::Warning, Weight::Note]
            .map(|weight| Finding::new(weight, "a.rs", "is bad"));
        assert_eq!(report("test", &found), 1);
    }
}
