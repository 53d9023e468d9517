//! Constraints that can be checked without a model.
//!
//! Invariant: what is not understood word for word is not checked, so that no rule ever finds a breach that is none.
//! Absent here: judging. What no rule understands is left to the critic.

mod check;
mod checked;
mod cursor;
mod forms;
mod language;
mod lengths;
mod measure;
mod oddities;
mod phrases;
mod reading;
mod tokens;
mod verdict;
mod vocabulary;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod table;

use super::Problem;
use check::{Check, Form};
pub use checked::{Checked, Found, checked};
use measure::Measured;
use std::collections::BTreeSet;

pub(super) use measure::fold;
pub(super) use oddities::oddities;

/// A constraint that an answer does not keep to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Breach {
    /// The constraint, word for word.
    pub(super) constraint: String,
    /// What was measured, against what.
    pub(super) what: String,
    /// What to change.
    pub(super) fix: String,
}

/// The constraints that an answer breaks, the form it was asked for last. One that is repeated is told once.
pub(super) fn breaches(problem: &Problem, answer: &str) -> Vec<Breach> {
    let answer = Measured::new(answer);
    let mut seen = BTreeSet::new();
    let asked = problem.constraints.iter().chain([&problem.output_spec]);
    asked
        .filter(|constraint| seen.insert(constraint.trim()))
        .flat_map(|constraint| {
            let wrong = reading::checks(constraint).into_iter();
            wrong.filter_map(|check| verdict::judge(&check, &answer)).map(|wrong| Breach {
                constraint: constraint.clone(),
                what: wrong.what,
                fix: wrong.fix,
            })
        })
        .collect()
}

/// Names of formats that programs read.
const MACHINE: [&str; 9] =
    ["json", "jsonl", "ndjson", "yaml", "xml", "csv", "tsv", "toml", "geojson"];
/// Beside these words the name of a format is that of a part, or of what is not wanted.
const BESIDE: [&str; 14] = [
    "markdown", "text", "prose", "example", "examples", "no", "not", "without", "kein", "nicht",
    "ohne", "explain", "block", "or",
];

/// Is the answer to be read by a program, so that nothing may stand beside it?
pub(super) fn is_machine_format(output_spec: &str, constraints: &[String]) -> bool {
    let folded = fold(output_spec);
    let words = || folded.split(|sign: char| !sign.is_alphanumeric());
    let named = words().any(|word| MACHINE.contains(&word));
    let beside = words().any(|word| BESIDE.contains(&word));
    let asked = |constraint: &String| {
        reading::checks(constraint)
            .iter()
            .any(|check| matches!(check, Check::Json(_) | Check::Form(Form::Machine)))
    };
    (named && !beside) || constraints.iter().any(asked)
}
