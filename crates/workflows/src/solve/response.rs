//! The response: the answer, what it takes for granted, and everything that is still wrong with it.
//!
//! Invariant: every issue that is open at the end stands in it, blockers first; where there is a draft, the answer
//! contains it whole, and nothing else where a program reads it. A footer is cut where it is too long to be read; the
//! lists beside the answer never are.
//! Absent here: exit codes and HTTP.

use super::{
    constraints, format,
    kept::{self, Incident},
    replies::{Candidate, CritiqueIssue, View},
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

impl Response {
    /// Whether the answer ends with its assumptions and known issues.
    pub fn has_footer(&self) -> bool {
        self.final_answer.ends_with(&footer(&self.assumptions, &self.known_issues))
    }
}

/// What stands in place of an answer where there is none.
const NO_ANSWER: &str = "No answer was generated.";
/// The line above the footer's lists.
const FOOTER: &str = "Assumptions / Known issues";
/// The most entries of a list that the footer tells.
const MOST_ENTRIES: usize = 200;
/// No further entry of a list is told in the footer once its entries have so many bytes.
const MOST_BYTES: usize = 64 << 10;

/// The response of a run that has come to its end.
pub(super) fn assemble(run: &Run) -> Response {
    assembled(run, None)
}

/// What there is of a run that is still open, which is told first of all that is wrong with it.
pub(super) fn unfinished(run: &Run) -> Response {
    let still = match (kept::candidates(run).len(), kept::critiques(run).len()) {
        (0, _) => "there is no answer yet",
        (_, 0) => "the answer is not criticised yet",
        (1, _) => "what was found wrong with the answer is not mended yet",
        (_, 1) => "the revised answer is not criticised yet",
        (_, _) => "the response is not assembled yet",
    };
    assembled(run, Some(format!("the run is not finished: {still}")))
}

fn assembled(run: &Run, first: Option<String>) -> Response {
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
    let known_issues =
        first.into_iter().chain(known_issues(run, problem, draft.as_ref())).collect::<Vec<_>>();
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

/// Everything that is open: what critics found, what nobody checked, contradictions of the request, incidents, uncovered views, doubts.
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
        .chain(draft.and_then(|_| unchecked(run, problem)))
        .chain(problem.known_issues.iter().map(|issue| format!("request: {}", line(issue))))
        .chain(kept::incidents(run).into_iter().map(|Incident { what, .. }| line(&what)))
        .chain(unseen)
        .chain(doubts.iter().map(|doubt| format!("its author is unsure: {}", line(doubt))));
    distinct(all.collect::<Vec<_>>().iter())
}

/// What is asked of the answer that no rule understands, where nobody else has looked at it.
fn unchecked(run: &Run, problem: &Problem) -> Option<String> {
    let all = match kept::only_rules_looked(run) {
        true => constraints::unmeasured(problem),
        false => Vec::new(),
    };
    let all: Vec<String> = all.iter().map(|words| format!("\"{}\"", line(words))).collect();
    (!all.is_empty())
        .then(|| format!("minor (requirements): not checked by anybody: {}", all.join(", ")))
}

fn told(issue: &CritiqueIssue) -> String {
    let weight = issue.severity.name();
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
    let assumed = list("Assumptions", "assumptions", assumptions);
    let known = list("Known issues", "known_issues", known_issues);
    format!("\n\n---\n{FOOTER}\n{assumed}{known}")
}

/// A list of the footer, and where the rest of a long one stands.
fn list(title: &str, field: &str, items: &[String]) -> String {
    let mut told = format!("\n{title}:\n");
    for (at, item) in items.iter().enumerate() {
        if at == MOST_ENTRIES || told.len() > MOST_BYTES {
            let left = items.len() - at;
            told.push_str(&format!("- … and {left} more: see {field}\n"));
            return told;
        }
        told.push_str(&format!("- {}\n", line(item)));
    }
    if items.is_empty() {
        told.push_str("- none known\n");
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issues(count: usize, length: usize) -> Vec<String> {
        (0..count).map(|nth| format!("{nth:0length$}")).collect()
    }

    #[test]
    fn a_footer_grows_with_no_list_beyond_its_bounds_and_says_how_much_is_left() {
        let of = |count, length| footer(&[], &issues(count, length));
        let (thousand, ten_thousand) = (of(1_000, 9), of(10_000, 9));
        assert!(thousand.ends_with("- 000000199\n- … and 800 more: see known_issues\n"));
        assert_eq!(ten_thousand.len(), thousand.len() + 1, "it has one digit more");
        assert!(of(1_000, 5_000).len() < MOST_BYTES + 2 * 5_000);
        let assumed = footer(&issues(MOST_ENTRIES + 1, 9), &[]);
        assert!(assumed.contains("- … and 1 more: see assumptions\n"));
        let whole = of(MOST_ENTRIES, 9);
        assert!(whole.ends_with("- 000000199\n") && !whole.contains('…'), "nothing is left");
    }

    #[test]
    fn one_long_issue_is_told_whole() {
        let long = vec!["x".repeat(2 * MOST_BYTES)];
        assert!(footer(&[], &long).contains(&long[0]));
    }
}
