//! The part of a solve in `redraft runs show`: what was asked, what came of it, and what was said of that.
//!
//! Invariant: every known issue is told.
//! Absent here: the whole texts of versions; `runs record` and `runs export` have them.

use crate::say;
use redraft_workflows::solve::{Candidate, Critique, Found, Record, Weight, checked};

/// The longest part of a text that stands on a line, in characters.
const TOLD: usize = 160;

/// Prints it, one thing a line, the answer last.
pub(super) fn print(own: &Record) {
    let problem = &own.normalized_problem;
    line("Question", &problem.problem_statement);
    let answer = own.candidates.last().map_or("", |candidate| &candidate.answer_draft);
    for one in checked(problem, answer) {
        let found = match one.found {
            Found::Unmeasured => "left to the critic".to_owned(),
            Found::Kept => "kept".to_owned(),
            Found::Broken(wrong) => format!("broken: {}", wrong.join("; ")),
        };
        say::out(&format!("Constraint: {} ({found})", one.constraint));
    }
    let steps = own.plan.iter().flat_map(|plan| &plan.steps);
    steps.for_each(|step| line("Plan", step));
    for (n, candidate) in own.candidates.iter().enumerate() {
        print_version(n + 1, candidate, own.critiques.get(n));
    }
    own.incidents.iter().for_each(|incident| line("Incident", &incident.what));
    own.final_response.assumptions.iter().for_each(|text| line("Assumption", text));
    own.final_response.known_issues.iter().for_each(|text| line("Known issue", text));
    say::out(&format!("Answer: {}", own.final_response.final_answer));
}

fn line(name: &str, text: &str) {
    say::out(&format!("{name}: {}", say::beginning(text, TOLD)));
}

fn print_version(n: usize, candidate: &Candidate, critique: Option<&Critique>) {
    let size = say::count(candidate.answer_draft.chars().count(), "character");
    say::out(&format!("Version {n}: {size}"));
    let Some(critique) = critique else {
        return say::out("  no critique yet");
    };
    for issue in &critique.issues {
        let weight = match issue.severity {
            Weight::Blocker => "blocker",
            Weight::Major => "major",
            Weight::Minor => "minor",
        };
        let fix =
            issue.suggested_fix.as_ref().map_or(String::new(), |fix| format!(" (fix: {fix})"));
        say::out(&format!("  {weight} ({}): {}{fix}", issue.role, issue.description));
    }
    let missing = critique.missing_roles.as_deref().unwrap_or_default();
    if !missing.is_empty() {
        say::out(&format!("  nobody looked from: {}", missing.join(", ")));
    }
}
