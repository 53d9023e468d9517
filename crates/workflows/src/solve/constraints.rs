//! Constraints that can be checked without a model.
//!
//! Invariant: what is not understood word for word is not checked, so that no rule ever finds a breach that is none.
//! Absent here: judging. What no rule understands is left to the critic.

mod check;
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

/// The constraints that an answer keeps to, and does not any more with what stands around it.
pub(super) fn broken_by_more(problem: &Problem, answer: &str, whole: &str) -> Vec<String> {
    let (answer, whole) = (Measured::new(answer), Measured::new(whole));
    let mut seen = BTreeSet::new();
    let asked = problem.constraints.iter().chain([&problem.output_spec]);
    let broken = |constraint: &&String| {
        reading::checks(constraint).iter().any(|check| {
            verdict::judge(check, &whole).is_some() && verdict::judge(check, &answer).is_none()
        })
    };
    asked.filter(|words| seen.insert(words.trim())).filter(broken).cloned().collect()
}

/// Does a constraint ask for a machine's format in words that are understood?
pub(super) fn asks_for_machine_format(constraint: &str) -> bool {
    let machine = |check: &Check| matches!(check, Check::Json(_) | Check::Form(Form::Machine));
    reading::checks(constraint).iter().any(machine)
}
