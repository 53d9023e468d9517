//! The response: the answer, what it takes for granted, and everything that is still wrong with it.
//!
//! Invariant: every issue that is open at the end stands in it, blockers first; where there is a draft, the answer
//! contains it whole, and nothing else where a program reads it.
//! Absent here: exit codes and HTTP.

use super::{
    constraints, format,
    kept::{self, Incident},
    replies::{Candidate, CritiqueIssue, View, Weight},
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
    let draft = kept::candidate(run);
    let known_issues = known_issues(run, problem, draft.as_ref());
    let is_drafted = draft.is_some();
    let Candidate { answer_draft, assumptions, .. } = draft.unwrap_or_default();
    let mut assumptions = distinct(problem.assumptions.iter().chain(&assumptions));
    let answer = if is_drafted { answer_draft } else { NO_ANSWER.to_owned() };
    if !settings.footer || !format::bears_footer(problem, &answer) {
        return Response { final_answer: answer, assumptions, known_issues, run_id };
    }
    if is_drafted {
        let whole = format!("{answer}{}", footer(&assumptions, &known_issues));
        assumptions.extend(about_the_answer_alone(problem, &answer, &whole));
    }
    let final_answer = format!("{answer}{}", footer(&assumptions, &known_issues));
    Response { final_answer, assumptions, known_issues, run_id }
}

/// How constraints are taken that the answer keeps to, and would not if the footer were part of it.
fn about_the_answer_alone(problem: &Problem, answer: &str, whole: &str) -> Vec<String> {
    let kept = constraints::broken_by_more(problem, answer, whole).into_iter();
    kept.map(|words| format!("\"{words}\" is taken to be about the answer without this footer"))
        .collect()
}

/// Everything that is open: what critics found, contradictions of the request, incidents, uncovered views, doubts.
fn known_issues(run: &Run, problem: &Problem, draft: Option<&Candidate>) -> Vec<String> {
    // A run without a critique has no draft either; the rules then say what that means.
    let critique = kept::critique(run)
        .unwrap_or_else(|| rules::criticise(problem, &draft.cloned().unwrap_or_default()));
    let mut issues = rules::with_violations(critique.issues, &critique.constraint_violations);
    issues.sort_by_key(|issue| issue.severity);
    let missing = critique.missing_roles.unwrap_or_default();
    let unseen = (!missing.is_empty() && draft.is_some()).then(|| {
        let (all, missing) = (View::ALL.len(), missing.join(", "));
        format!("nobody looked from these of the {all} views: {}", line(&missing))
    });
    let doubts = draft.map(|draft| draft.uncertainty_flags.as_slice()).unwrap_or_default();
    let all = issues
        .iter()
        .map(told)
        .chain(problem.known_issues.iter().map(|issue| format!("request: {}", line(issue))))
        .chain(kept::incidents(run).into_iter().map(|Incident { what, .. }| line(&what)))
        .chain(unseen)
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
