//! What a person is asked in place of a model's prompt, and what they may answer without JSON.
//!
//! Invariant: an answer by hand becomes the JSON that says the same, or is refused with what to write instead. An
//! answer in JSON is left to the reader of replies.
//! Absent here: where the page is laid, and reading what became JSON.

use super::{
    prompts::template_of,
    replies::{Candidate, Critique, CritiqueIssue, Plan, View, Weight},
    request::Problem,
    shape::{GENERATE, PLAN, REVISE},
};
use crate::{
    Part, Prompt,
    by_hand::{is_json, item, line},
    review::json,
};
use serde::{Deserialize, Serialize};

/// The fields of a request that matter here.
#[derive(Deserialize)]
struct Request {
    workflow: String,
    step: String,
    problem: Problem,
    plan: Option<Plan>,
    candidate: Option<Candidate>,
    critique: Option<Critique>,
}

fn request(prompt: &Prompt) -> Option<Request> {
    let asked: Request = serde_json::from_str(&prompt.request).ok()?;
    (asked.workflow == super::NAME).then_some(asked)
}

/// Whether a call belongs to a solve.
pub fn is_of_solve(prompt: &Prompt) -> bool {
    request(prompt).is_some()
}

/// The same call as one short page; `None` where it is none of a solve.
pub fn page(prompt: &Prompt) -> Option<Prompt> {
    let asked = request(prompt)?;
    let task = match asked.step.as_str() {
        PLAN => PLANNING.to_owned(),
        GENERATE => format!("Answer the problem below within its constraints.\n\n{WRITING}"),
        REVISE => format!("Revise the candidate below so that its critique is met.\n\n{WRITING}"),
        _ => format!(
            "Criticise the candidate below, from these views: {}.\n\n{CRITICISING}",
            views()
        ),
    };
    let template = template_of(&asked.step).map_or("", |template| template.name);
    let instructions =
        format!("{task}\nWhat a model would be told: redraft prompts show {template}\n");
    let repair = prompt.parts.iter().filter(|part| REPAIR.contains(&part.name.as_str()));
    let parts = parts(&asked).into_iter().chain(repair.cloned()).collect();
    Some(Prompt { instructions, parts, reply: None, request: String::new() })
}

/// The parts of a call that is asked again.
const REPAIR: [&str; 2] = ["your reply", "what is wrong"];

const PLANNING: &str = "Plan how the problem below will be answered; somebody else writes the answer after your plan. \
    Your answer is one step on each line.\n";

const WRITING: &str = "Your answer is the text itself, from its first to its last character. Below it may stand, each on a line \
    of its own:\n\n    assumption: what you take for granted\n    unsure: where you are not certain\n";

const CRITICISING: &str = "Your answer is a line `ok`, a line for each issue, or both where all issues are minor:\n\n    \
    blocker (VIEW): wrong, unsafe or useless as it stands, and where\n    major (VIEW): what has to change\n    \
    minor (VIEW): what could be better\n    violation: a constraint that is broken, word for word, and what breaks it\n    \
    skipped: a view that you did not look from\n\nWithout `(VIEW)` an issue counts as one of requirements.\n";

fn views() -> String {
    View::ALL.map(View::name).join(", ")
}

/// The texts that a person works on, as they would write them.
fn parts(asked: &Request) -> Vec<Part> {
    let Problem { problem_statement, constraints, output_spec, context, .. } = &asked.problem;
    let list = |items: &[String]| items.iter().map(|item| format!("- {}\n", line(item))).collect();
    let draft = asked.candidate.as_ref();
    let all: [(&str, String); 7] = [
        ("problem", problem_statement.clone()),
        ("constraints", list(constraints)),
        ("output format", output_spec.clone()),
        ("context", context.clone()),
        ("plan", asked.plan.as_ref().map_or(String::new(), |plan| list(&plan.steps))),
        ("candidate", draft.map_or(String::new(), told)),
        ("critique", asked.critique.as_ref().map_or(String::new(), criticised)),
    ];
    let all = all.into_iter().filter(|(_, text)| !text.trim().is_empty());
    all.map(|(name, text)| Part::new(name, text)).collect()
}

/// A draft as a person writes it.
fn told(draft: &Candidate) -> String {
    let lines = |word: &str, all: &[String]| -> String {
        all.iter().map(|one| format!("\n{word}: {}", line(one))).collect()
    };
    let Candidate { answer_draft, assumptions, uncertainty_flags } = draft;
    let (assumed, unsure) = (lines(ASSUMPTION, assumptions), lines(UNSURE, uncertainty_flags));
    let gap = if assumed.is_empty() && unsure.is_empty() { "" } else { "\n" };
    format!("{answer_draft}{gap}{assumed}{unsure}")
}

/// A critique as a person writes it.
fn criticised(critique: &Critique) -> String {
    let issue = |issue: &CritiqueIssue| {
        let fix = issue.suggested_fix.as_deref().map(line).filter(|fix| !fix.is_empty());
        let fix = fix.map_or(String::new(), |fix| format!(" (fix: {fix})"));
        let (weight, role) = (issue.severity.name(), line(&issue.role));
        format!("{weight} ({role}): {}{fix}\n", line(&issue.description))
    };
    let broken = |violation: &String| format!("{VIOLATION}: {}\n", line(violation));
    let issues = critique.issues.iter().map(issue);
    issues.chain(critique.constraint_violations.iter().map(broken)).collect()
}

const ASSUMPTION: &str = "assumption";
const UNSURE: &str = "unsure";
const VIOLATION: &str = "violation";
const SKIPPED: &str = "skipped";

/// The answer as a reply.
///
/// # Errors
/// What is wrong, and what to write instead.
pub fn reply(prompt: &Prompt, text: &str) -> Result<String, String> {
    let Some(asked) = request(prompt) else { return Ok(text.to_owned()) };
    match asked.step.as_str() {
        PLAN if is_json(text, "steps") => Ok(text.to_owned()),
        PLAN => written(&planned(text)),
        GENERATE | REVISE if is_json(text, "answer_draft") => Ok(text.to_owned()),
        GENERATE | REVISE => written(&answered(text)?),
        _ if is_json(text, "issues") => Ok(text.to_owned()),
        _ => written(&critique(text)?),
    }
}

fn written(reply: &impl Serialize) -> Result<String, String> {
    json::write(reply).map_err(|error| error.to_string())
}

fn planned(text: &str) -> Plan {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Plan { steps: lines.map(|line| item(line).unwrap_or(line).to_owned()).collect() }
}

/// A draft, with what stands below it word by word.
fn answered(text: &str) -> Result<Candidate, String> {
    let mut draft = Candidate::default();
    let mut lines: Vec<&str> = text.trim().lines().collect();
    while let Some(last) = lines.last() {
        match last.split_once(':').map(|(word, rest)| (word.trim(), rest.trim())) {
            Some((ASSUMPTION, rest)) => draft.assumptions.insert(0, rest.to_owned()),
            Some((UNSURE, rest)) => draft.uncertainty_flags.insert(0, rest.to_owned()),
            Some(_) | None if last.trim().is_empty() => {}
            Some(_) | None => break,
        }
        lines.pop();
    }
    if lines.is_empty() {
        return Err(
            "it has no answer above what it takes for granted; write the text itself".into()
        );
    }
    Ok(Candidate { answer_draft: lines.join("\n"), ..draft })
}

fn critique(text: &str) -> Result<Critique, String> {
    let (mut critique, mut skipped, mut ok) = (Critique::default(), Vec::new(), false);
    for (n, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let (head, rest) = line.trim().split_once(':').unwrap_or((line.trim(), ""));
        let (word, view) = head.split_once('(').unwrap_or((head, ""));
        let (word, view) = (word.trim().to_lowercase(), view.trim_end().trim_end_matches(')'));
        let rest = rest.trim().to_owned();
        match (word.as_str(), weight(&word)) {
            ("ok", _) if rest.is_empty() => ok = true,
            (VIOLATION, _) if !rest.is_empty() => critique.constraint_violations.push(rest),
            (SKIPPED, _) => skipped.push(known(&rest).map_err(|why| format!("line {n}: {why}"))?),
            (_, Some(severity)) if !rest.is_empty() => {
                let role = if view.is_empty() { View::Requirements.name() } else { view };
                let role = known(role).map_err(|why| format!("line {n}: {why}"))?;
                let issue =
                    CritiqueIssue { role, severity, description: rest, suggested_fix: None };
                critique.issues.push(issue);
            }
            _ => {
                return Err(format!(
                    "line {n} has to be `ok`, `blocker: …`, `major: …`, `minor: …`, `violation: …` or `skipped: VIEW`"
                ));
            }
        }
    }
    let weighs = critique.issues.iter().any(|issue| issue.severity != Weight::Minor);
    if ok && (weighs || !critique.constraint_violations.is_empty()) {
        return Err("ok contradicts what stands below it; leave ok out, or make it minor".into());
    }
    Ok(Critique { missing_roles: Some(skipped), ..critique })
}

fn weight(word: &str) -> Option<Weight> {
    Weight::ALL.into_iter().find(|one| one.name() == word)
}

fn known(view: &str) -> Result<String, String> {
    let found = View::ALL.map(View::name).into_iter().find(|name| *name == view.trim());
    found
        .map(str::to_owned)
        .ok_or_else(|| format!("there is no view {:?}; views are: {}", view.trim(), views()))
}

#[cfg(test)]
mod tests;
