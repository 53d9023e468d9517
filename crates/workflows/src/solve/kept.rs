//! What the journal keeps of a solve's replies, and the questions that later steps ask of it.
//!
//! Invariant: a draft's text stands in its reading's text alone, once.
//! Absent here: prompts, and how a reply is read.

use super::{
    replies::{Candidate, Critique, Plan, Weight},
    request::{Problem, Request},
    rules,
    shape::{CRITIQUE, GENERATE, NAME, NOT_REVISED, PLAN, RECRITIQUE, REVISE},
};
use redraft_loop::{Issue, Reading, Run, Severity, Turn, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was asked, as it stands in a run's first fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The request, word for word.
    pub request: Request,
    /// The problem that was made of it.
    pub problem: Problem,
    /// Whether answers get a footer, where their form allows one.
    pub footer: bool,
    /// The scopes beside the home's in whose budgets its calls are counted, whoever drives it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// Whole files of a project's own that stand in place of ours, by the template's name. A run keeps them, so that
    /// it goes on with what its record names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, String>,
}

/// Why a step has less than it should.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incident {
    /// The step, and what happened to its call.
    pub what: String,
    /// Whether a cap stood in the way.
    pub capped: bool,
}

/// What is kept of a reply beside its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Kept {
    Plan {
        plan: Plan,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incident: Option<Incident>,
    },
    Draft {
        assumptions: Vec<String>,
        uncertainty_flags: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incident: Option<Incident>,
    },
    Critique {
        critique: Critique,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incident: Option<Incident>,
    },
    Response(super::Response),
}

impl Kept {
    pub(super) fn of(reading: &Reading) -> Option<Self> {
        Self::deserialize(&reading.details).ok()
    }

    pub(super) fn incident(&self) -> Option<&Incident> {
        match self {
            Self::Plan { incident, .. }
            | Self::Draft { incident, .. }
            | Self::Critique { incident, .. } => incident.as_ref(),
            Self::Response(_) => None,
        }
    }

    pub(super) fn value(&self) -> serde_json::Value {
        // These types have string keys only, which JSON always holds.
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// What was asked; `None` where the run is no solve.
pub fn settings(run: &Run) -> Option<Settings> {
    Settings::deserialize(&run.opened().settings).ok()
}

/// The question of a run, as it is worked on, without reading the rest; `None` where the run is no solve.
pub fn prompt(run: &Run) -> Option<&str> {
    let opened = run.opened();
    let asked = opened.settings.pointer("/problem/problem_statement")?.as_str()?;
    (opened.shape.workflow == NAME).then_some(asked)
}

/// The plan of a run, once it has one.
pub fn plan(run: &Run) -> Option<Plan> {
    let kept = Kept::of(run.newest(&PLAN.into())?.readings.first()?)?;
    if let Kept::Plan { plan, .. } = kept { Some(plan) } else { None }
}

/// The drafts of a run, the revised one last. One that only repeats the first for want of a revision is none.
pub fn candidates(run: &Run) -> Vec<Candidate> {
    run.turns().iter().filter_map(drafted).collect()
}

/// The newest draft.
pub(super) fn candidate(run: &Run) -> Option<Candidate> {
    run.turns().iter().rev().find_map(drafted)
}

fn drafted(turn: &Turn) -> Option<Candidate> {
    let step = turn.step.as_str();
    let is_own = step == GENERATE || (step == REVISE && !turn.found(NOT_REVISED));
    let reading = turn.readings.first().filter(|reading| is_own && !reading.text.is_empty())?;
    match Kept::of(reading)? {
        Kept::Draft { assumptions, uncertainty_flags, .. } => {
            Some(Candidate { answer_draft: reading.text.clone(), assumptions, uncertainty_flags })
        }
        Kept::Plan { .. } | Kept::Critique { .. } | Kept::Response(_) => None,
    }
}

/// The critiques of a run, each of all its critics together.
pub fn critiques(run: &Run) -> Vec<Critique> {
    run.turns().iter().filter_map(criticised).collect()
}

/// The newest critique.
pub(super) fn critique(run: &Run) -> Option<Critique> {
    run.turns().iter().rev().find_map(criticised)
}

/// What the critic in this seat said of the first draft.
pub(super) fn first_critique_by(run: &Run, seat: u32) -> Option<Critique> {
    own_critique(run.newest(&CRITIQUE.into())?.readings.get(seat as usize)?)
}

fn criticised(turn: &Turn) -> Option<Critique> {
    if ![CRITIQUE, RECRITIQUE].contains(&turn.step.as_str()) {
        return None;
    }
    let all = turn.readings.iter().filter_map(own_critique);
    Some(all.reduce(rules::merge).unwrap_or_default())
}

fn own_critique(reading: &Reading) -> Option<Critique> {
    match Kept::of(reading)? {
        Kept::Critique { critique, .. } => Some(critique),
        Kept::Plan { .. } | Kept::Draft { .. } | Kept::Response(_) => None,
    }
}

/// What went wrong in a run, in the order in which it did.
pub fn incidents(run: &Run) -> Vec<Incident> {
    let readings = run.turns().iter().flat_map(|turn| &turn.readings);
    readings.filter_map(|reading| Kept::of(reading)?.incident().cloned()).collect()
}

/// A critique as the loop judges it: a blocker, a major or a broken constraint asks for a revision.
pub(super) fn critique_reading(critique: Critique, incident: Option<Incident>) -> Reading {
    let issue = |(n, issue): (usize, &super::CritiqueIssue)| Issue {
        id: (n + 1).to_string(),
        severity: match issue.severity {
            Weight::Blocker => Severity::Blocker,
            Weight::Major => Severity::Error,
            Weight::Minor => Severity::Warning,
        },
        message: issue.description.clone(),
        code: None,
        field: Some(issue.role.clone()),
    };
    let issues: Vec<Issue> = critique.issues.iter().enumerate().map(issue).collect();
    let has_errors = issues.iter().any(|issue| issue.severity >= Severity::Error);
    let asks = has_errors || !critique.constraint_violations.is_empty();
    Reading {
        verdict: Some(if asks { Verdict::ChangesRequested } else { Verdict::Ok }),
        issues,
        details: Kept::Critique { critique, incident }.value(),
        ..Reading::text("")
    }
}

/// A draft as the journal keeps it.
pub(super) fn draft_reading(draft: Candidate, incident: Option<Incident>) -> Reading {
    let Candidate { answer_draft, assumptions, uncertainty_flags } = draft;
    let details = Kept::Draft { assumptions, uncertainty_flags, incident }.value();
    Reading { details, ..Reading::text(answer_draft) }
}

/// A plan as the journal keeps it.
pub(super) fn plan_reading(plan: Plan, incident: Option<Incident>) -> Reading {
    Reading { details: Kept::Plan { plan, incident }.value(), ..Reading::text("") }
}
