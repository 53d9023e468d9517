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
mod schema;
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
pub(super) use schema::words as own_words;

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

/// What is asked of an answer with what can be checked of it, the form it has to have last; each thing once.
fn asked(problem: &Problem) -> impl Iterator<Item = (&String, Vec<Check>)> {
    let mut seen = BTreeSet::new();
    let read: fn(&str) -> Vec<Check> = reading::checks;
    let asked = problem.constraints.iter().map(move |constraint| (constraint, read));
    asked
        .chain([(&problem.output_spec, schema::checks as _)])
        .filter(move |(constraint, _)| seen.insert(constraint.trim()))
        .map(|(constraint, read)| (constraint, read(constraint)))
}

/// The constraints that an answer breaks, the form it was asked for last. One that is repeated is told once.
pub(super) fn breaches(problem: &Problem, answer: &str) -> Vec<Breach> {
    let answer = Measured::new(answer);
    asked(problem)
        .flat_map(|(constraint, checks)| {
            let wrong = checks.iter().filter_map(|check| verdict::judge(check, &answer));
            let wrong: Vec<_> = wrong.collect();
            wrong.into_iter().map(|wrong| Breach {
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
    let broken = |checks: &[Check]| {
        checks.iter().any(|check| {
            verdict::judge(check, &whole).is_some() && verdict::judge(check, &answer).is_none()
        })
    };
    let asked = asked(problem).filter(|(_, checks)| broken(checks));
    asked.map(|(constraint, _)| constraint.clone()).collect()
}

/// Does a constraint ask for a machine's format in words that are understood?
pub(super) fn asks_for_machine_format(constraint: &str) -> bool {
    let machine = |check: &Check| matches!(check, Check::Json(_) | Check::Form(Form::Machine));
    reading::checks(constraint).iter().any(machine)
}
