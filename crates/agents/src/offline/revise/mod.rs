//! Revises a text by what a review found: one edit per finding's rule.
//!
//! Invariant: only rules that the review named lead to an edit; what is put in comes from the episode
//! and keeps the rubric's sentence rules. A finding without an edit leaves the text and is said in
//! the draft's remarks. Absent here: running the whole review (the reviewer does that next).

mod list;
mod prose;
mod title;

use super::checks::{Subject, breaches};
use super::episode::Episode;
use super::rubric::{Check, Form, Rubric, RubricRule};
use super::write::first_draft;
use super::{Draft, Previous};

/// A text under revision.
pub(crate) struct Revision<'a> {
    pub(crate) episode: &'a Episode,
    pub(crate) rubric: &'a Rubric,
    pub(crate) text: String,
}

impl Revision<'_> {
    /// Whether `check` still has something against the text.
    pub(crate) fn fails(&self, check: &Check) -> bool {
        self.text_fails(check, &self.text)
    }

    /// Whether `check` has something against `text`.
    pub(crate) fn text_fails(&self, check: &Check, text: &str) -> bool {
        !breaches(check, &Subject::new(self.episode, text)).is_empty()
    }
}

/// Answers the findings of `previous`, in the rubric's order.
pub(crate) fn revise(rubric: &Rubric, episode: &Episode, previous: Previous<'_>) -> Draft {
    let mut revision = Revision { episode, rubric, text: previous.text.to_owned() };
    let mut remarks: Vec<String> = unknown(rubric, previous);
    for rule in rubric.rules.iter().filter(|rule| is_named(rule, previous)) {
        let before = revision.text.clone();
        answer(&mut revision, &rule.check);
        remarks.push(match (revision.fails(&rule.check), revision.text == before) {
            (false, false) => format!("{}: answered", rule.id),
            (false, true) => format!("{}: no longer holds", rule.id),
            (true, false) => {
                format!("{}: answered in part; the episode has no more to draw from", rule.id)
            }
            (true, true) => format!(
                "{}: not answered; the episode has nothing to draw from, edit the text by hand",
                rule.id
            ),
        });
    }
    Draft { text: revision.text, format: rubric.format, done: true, remarks }
}

fn is_named(rule: &RubricRule, previous: Previous<'_>) -> bool {
    previous.findings.iter().any(|finding| finding.code == rule.id)
}

fn unknown(rubric: &Rubric, previous: Previous<'_>) -> Vec<String> {
    let strange = previous
        .findings
        .iter()
        .filter(|finding| rubric.rules.iter().all(|rule| rule.id != finding.code));
    let mut remarks: Vec<String> = strange
        .map(|finding| {
            format!(
                "{}: not answered; the offline writer only answers its own rubric's rules",
                finding.code
            )
        })
        .collect();
    remarks.dedup();
    remarks
}

fn answer(revision: &mut Revision<'_>, check: &Check) {
    let empty = matches!(check, Check::Empty | Check::NearEmpty { .. });
    if empty && let Some(text) = first_draft(&revision.rubric.kind, revision.episode) {
        revision.text = text;
    }
    if !revision.fails(check) {
        return;
    }
    if matches!(check, Check::Names) {
        revision.text = revision.episode.names.corrected(&revision.text, &revision.episode.said);
        return;
    }
    match form(revision.rubric) {
        Some(Form::List) => list::answer(revision, check),
        Some(Form::Title | Form::Slug) => title::answer(revision, check),
        None => prose::answer(revision, check),
    }
}

fn form(rubric: &Rubric) -> Option<Form> {
    rubric
        .rules
        .iter()
        .find_map(|rule| if let Check::Form { form } = rule.check { Some(form) } else { None })
}
