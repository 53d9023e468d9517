//! The critic of the house: rules that look at an answer without a model, and its critique joined with a model's.
//!
//! Rules see what can be measured, and that is the requirements alone; every other view is listed as missing.
//!
//! Invariant: a constraint that is broken is a blocker and a constraint violation, both beginning with its own words.
//! Absent here: judging what is said; whether there is a model at all.

use super::{
    constraints::{self, fold},
    evasion,
    replies::{Candidate, Critique, CritiqueIssue, View, Weight},
    request::Problem,
};
use std::collections::BTreeSet;

/// What rules find wrong with a candidate.
pub fn criticise(problem: &Problem, candidate: &Candidate) -> Critique {
    let answer = &candidate.answer_draft;
    let mut critique = Critique {
        missing_roles: Some(names(
            View::ALL.into_iter().filter(|view| *view != View::Requirements),
        )),
        ..Critique::default()
    };
    if answer.trim().is_empty() {
        critique.issues.push(issue(Weight::Blocker, "the answer is empty", "Answer the question."));
    }
    for breach in constraints::breaches(problem, answer) {
        let told = format!("{}: {}", breach.constraint, breach.what);
        critique.issues.push(issue(Weight::Blocker, &told, &breach.fix));
        critique.constraint_violations.push(told);
        critique.suggested_fixes.push(breach.fix);
    }
    for evasion in evasion::evasions(problem, answer) {
        critique.issues.push(issue(Weight::Major, &evasion.what, evasion.fix));
    }
    critique
}

fn issue(severity: Weight, description: &str, fix: &str) -> CritiqueIssue {
    CritiqueIssue {
        role: View::Requirements.name().to_owned(),
        severity,
        description: description.to_owned(),
        suggested_fix: Some(fix.to_owned()),
    }
}

fn names(views: impl Iterator<Item = View>) -> Vec<String> {
    views.map(|view| view.name().to_owned()).collect()
}

/// Both critiques as one: nothing is dropped, exact twins stand once, and every violation has an issue that blocks.
pub fn merge(own: Critique, of_model: Critique) -> Critique {
    let missed = [own.missing_roles, of_model.missing_roles];
    let mut issues = once(own.issues.into_iter().chain(of_model.issues), |issue| {
        let CritiqueIssue { role, severity, description, suggested_fix } = issue;
        (role.clone(), *severity, description.clone(), suggested_fix.clone())
    });
    let violations = own.constraint_violations.into_iter().chain(of_model.constraint_violations);
    let constraint_violations = once(violations, String::clone);
    issues = with_violations(issues, &constraint_violations);
    let missing_roles = Some(missing(&issues, missed.into_iter().flatten()));
    let fixes = own.suggested_fixes.into_iter().chain(of_model.suggested_fixes);
    Critique {
        issues,
        constraint_violations,
        missing_roles,
        suggested_fixes: once(fixes, String::clone),
    }
}

/// Exact twins once, in order.
fn once<T, K: Ord>(all: impl Iterator<Item = T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut seen = BTreeSet::new();
    all.filter(|one| seen.insert(key(one))).collect()
}

/// The issues, and a blocker for each violation that none of them tells as one.
pub(super) fn with_violations(
    mut issues: Vec<CritiqueIssue>,
    violations: &[String],
) -> Vec<CritiqueIssue> {
    let blockers = issues.iter().filter(|issue| issue.severity == Weight::Blocker);
    let told: BTreeSet<String> = blockers.map(|issue| fold(&issue.description)).collect();
    let is_told = |violation: &&String| {
        let violation = fold(violation);
        // In order, what begins with the violation stands right behind it.
        told.range(violation.clone()..).next().is_some_and(|next| next.starts_with(&violation))
    };
    let blocker = |violation: &String| CritiqueIssue {
        suggested_fix: None,
        ..issue(Weight::Blocker, violation, "")
    };
    issues.extend(violations.iter().filter(|violation| !is_told(violation)).map(blocker));
    issues
}

/// A critique without what another says word for word.
pub(super) fn without(critique: Critique, other: &Critique) -> Critique {
    let told: BTreeSet<&str> =
        other.issues.iter().map(|issue| issue.description.as_str()).collect();
    let violations: BTreeSet<&String> = other.constraint_violations.iter().collect();
    let fixes: BTreeSet<&String> = other.suggested_fixes.iter().collect();
    let Critique { mut issues, mut constraint_violations, missing_roles, mut suggested_fixes } =
        critique;
    issues.retain(|issue| !told.contains(issue.description.as_str()));
    constraint_violations.retain(|violation| !violations.contains(violation));
    suggested_fixes.retain(|fix| !fixes.contains(fix));
    Critique { issues, constraint_violations, missing_roles, suggested_fixes }
}

/// The views that no issue names and each list misses, and what else the lists miss that is none of them.
fn missing(issues: &[CritiqueIssue], lists: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let mut covered: BTreeSet<View> =
        issues.iter().flat_map(|issue| View::named_in(&issue.role)).collect();
    let mut others = Vec::new();
    for listed in lists {
        let missed: BTreeSet<View> = listed.iter().flat_map(|role| View::named_in(role)).collect();
        covered.extend(View::ALL.into_iter().filter(|view| !missed.contains(view)));
        others.extend(listed.into_iter().filter(|role| View::named_in(role).is_empty()));
    }
    let views = View::ALL.into_iter().filter(|view| !covered.contains(view));
    once(names(views).into_iter().chain(others), String::clone)
}

#[cfg(test)]
mod tests;
