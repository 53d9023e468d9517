//! The response: the answer, what it takes for granted, and everything that is still wrong with it.
//!
//! Invariant: every issue that is open at the end stands in it, blockers first; where there is a draft, the answer
//! contains it whole.
//! Absent here: exit codes and HTTP.

use super::{
    constraints,
    kept::{self, Incident},
    replies::{CritiqueIssue, View, Weight},
    request::Problem,
    rules,
};
use redraft_loop::Run;
use serde::{Deserialize, Serialize};

/// What a solve gives back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// The answer, with a footer where its form allows one.
    pub final_answer: String,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
    /// What is still wrong with it, and what went wrong on the way; blockers first.
    pub known_issues: Vec<String>,
    /// The run.
    pub run_id: String,
}

/// What stands in place of an answer where there is none.
const NO_ANSWER: &str = "No answer was generated.";
/// The line above the footer's lists.
const FOOTER: &str = "Assumptions / Known issues";

/// The response of a run, as far as it has come.
pub(super) fn assemble(run: &Run) -> Response {
    let run_id = run.opened().run.to_string();
    let Some(settings) = kept::settings(run) else {
        return Response {
            final_answer: NO_ANSWER.to_owned(),
            assumptions: Vec::new(),
            known_issues: vec!["the run does not say what was asked".to_owned()],
            run_id,
        };
    };
    let problem = &settings.problem;
    let drafts = kept::candidates(run);
    let draft = drafts.last().cloned().unwrap_or_default();
    let assumptions = distinct(problem.assumptions.iter().chain(&draft.assumptions));
    let known_issues = known_issues(run, problem, drafts.is_empty());
    let answer = match drafts.is_empty() {
        true => NO_ANSWER.to_owned(),
        false => draft.answer_draft,
    };
    let is_plain = !constraints::is_machine_format(&problem.output_spec, &problem.constraints);
    let final_answer = match settings.footer && is_plain {
        true => format!("{answer}{}", footer(&assumptions, &known_issues)),
        false => answer,
    };
    Response { final_answer, assumptions, known_issues, run_id }
}

/// Everything that is open: what critics found, contradictions of the request, incidents, uncovered views, doubts.
fn known_issues(run: &Run, problem: &Problem, nothing: bool) -> Vec<String> {
    let drafts = kept::candidates(run);
    let doubts = drafts.last().map(|draft| draft.uncertainty_flags.clone()).unwrap_or_default();
    // A run without a critique has no draft either; the rules then say what that means.
    let critique = kept::critiques(run).pop();
    let critique = critique
        .unwrap_or_else(|| rules::criticise(problem, &drafts.last().cloned().unwrap_or_default()));
    let mut issues = critique.issues.clone();
    issues.sort_by_key(|issue| issue.severity);
    let violations = critique.constraint_violations.iter().filter(|violation| {
        !critique.issues.iter().any(|issue| issue.description.contains(violation.as_str()))
    });
    let violations =
        violations.map(|violation| format!("blocker (requirements): {}", line(violation)));
    let missing = critique.missing_roles.unwrap_or_default();
    let all = violations
        .chain(issues.iter().map(told))
        .chain(problem.known_issues.iter().map(|issue| format!("request: {}", line(issue))))
        .chain(kept::incidents(run).into_iter().map(|Incident { what, .. }| line(&what)))
        .chain((!missing.is_empty() && !nothing).then(|| {
            format!(
                "nobody looked from these of the {} views: {}",
                View::ALL.len(),
                missing.join(", ")
            )
        }))
        .chain(doubts.iter().map(|doubt| format!("its author is unsure: {}", line(doubt))));
    distinct(all.collect::<Vec<_>>().iter())
}

fn told(issue: &CritiqueIssue) -> String {
    let weight = match issue.severity {
        Weight::Blocker => "blocker",
        Weight::Major => "major",
        Weight::Minor => "minor",
    };
    let fix = issue.suggested_fix.as_deref().map(line).filter(|fix| !fix.is_empty());
    let fix = fix.map_or(String::new(), |fix| format!(" (fix: {fix})"));
    format!("{weight} ({}): {}{fix}", line(&issue.role), line(&issue.description))
}

/// A text of others on one line, so that it cannot pass for two entries of a list.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn distinct<'a>(texts: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    texts.filter(|text| seen.insert(text.as_str())).cloned().collect()
}

fn footer(assumptions: &[String], known_issues: &[String]) -> String {
    let list = |title: &str, items: &[String]| {
        let items: String = match items {
            [] => "- none known\n".to_owned(),
            items => items.iter().map(|item| format!("- {}\n", line(item))).collect(),
        };
        format!("\n{title}:\n{items}")
    };
    let (assumed, known) = (list("Assumptions", assumptions), list("Known issues", known_issues));
    format!("\n\n---\n{FOOTER}\n{assumed}{known}")
}
