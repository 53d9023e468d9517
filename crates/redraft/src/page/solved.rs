//! What a solve adds to the page of its run: the answer, its versions side by side, and what was said of each.
//!
//! Invariant: constraints stand word for word, all of them; every known issue is told.
//! Absent here: calls, costs and times, which every run has.

use super::{
    compared::{By, compared},
    critique::{self, CritiqueShown},
    passage::Passage,
};
use redraft_workflows::solve::{Candidate, Checked, Record, checked};
use serde_json::Value;

/// The parts of a solve.
pub(super) struct Solved<'a> {
    pub(super) record: &'a Record,
    pub(super) answer: Passage<'a>,
    pub(super) known_issues: Vec<Known<'a>>,
    pub(super) prompt: Passage<'a>,
    pub(super) context: Passage<'a>,
    /// Of which kind the context is.
    pub(super) context_kind: &'static str,
    pub(super) constraints: Vec<Checked>,
    pub(super) candidates: Vec<CandidateShown<'a>>,
    /// How the versions were compared, where there are two.
    pub(super) by: Option<By>,
    pub(super) critiques: Vec<(String, CritiqueShown<'a>)>,
}

/// A known issue with the name of its weight, where it has one.
pub(super) struct Known<'a> {
    pub(super) weight: &'static str,
    pub(super) text: &'a str,
}

/// One version of the answer.
pub(super) struct CandidateShown<'a> {
    pub(super) name: String,
    pub(super) text: Passage<'a>,
    pub(super) candidate: &'a Candidate,
}

/// What the page shows of a solve.
pub(super) fn solved(record: &Record) -> Solved<'_> {
    let (candidates, by) = candidates(&record.candidates);
    let answer = record.candidates.last().map_or("", |candidate| &candidate.answer_draft);
    let known = record.final_response.known_issues.iter().map(|text| known(text));
    let critiques = record.critiques.iter().enumerate();
    Solved {
        answer: Passage::shown(&record.final_response.final_answer),
        known_issues: known.collect(),
        prompt: Passage::shown(&record.request.prompt),
        context: Passage::aside(&record.normalized_problem.context),
        context_kind: match record.request.context {
            Some(Value::Object(_)) => "object",
            Some(_) | None => "text",
        },
        constraints: checked(&record.normalized_problem, answer),
        critiques: critiques.map(|(n, critique)| (name(n), critique::shown(critique))).collect(),
        candidates,
        by,
        record,
    }
}

fn name(n: usize) -> String {
    match n {
        0 => "v1, the draft".to_owned(),
        n => format!("v{}, the revision", n + 1),
    }
}

fn candidates(all: &[Candidate]) -> (Vec<CandidateShown<'_>>, Option<By>) {
    let (texts, by) = match all {
        [first, second] => {
            let (left, right, by) = compared(&first.answer_draft, &second.answer_draft);
            (vec![left, right], Some(by))
        }
        all => (all.iter().map(|one| Passage::shown(&one.answer_draft)).collect(), None),
    };
    let shown = |(n, (candidate, text))| CandidateShown { name: name(n), text, candidate };
    (all.iter().zip(texts).enumerate().map(shown).collect(), by)
}

fn known(text: &str) -> Known<'_> {
    let weights = ["blocker", "major", "minor"];
    let weight = weights.into_iter().find(|weight| text.starts_with(&format!("{weight} (")));
    Known { weight: weight.unwrap_or("note"), text }
}
