//! What a session adds to the page of its run: where it stood when, its iterations as columns, and every change.
//!
//! A change stands beside the review that asked for it and the one that followed it.
//!
//! Invariant: every passage, approval, iteration and review stands in it, word for word.
//! Absent here: calls, costs and times, which every run has.

use super::{
    passage::Passage,
    sides::{Sides, sides},
};
use crate::commands::runs::changed;
use redraft_workflows::{
    gated::{Iteration, Record, Reviewed, State, ToldApproval, change::Became},
    pair::patch,
};

/// The parts of a session.
pub(super) struct SessionShown<'a> {
    pub(super) record: &'a Record,
    pub(super) plan: Option<Passage<'a>>,
    pub(super) iterations: Vec<IterationShown<'a>>,
}

/// An iteration: a column, and its change.
pub(super) struct IterationShown<'a> {
    pub(super) iteration: &'a Iteration,
    /// How much it changes, in a few words.
    pub(super) sum: String,
    pub(super) files: Vec<FileShown<'a>>,
    pub(super) remarks: Passage<'a>,
    /// Who approved its files, and its review.
    pub(super) approvals: Vec<&'a ToldApproval>,
    pub(super) review: Option<ReviewShown<'a>>,
    pub(super) change: Sides<'a>,
    /// The review that asked for it, with the number of its iteration.
    pub(super) asked_by: Option<(u32, ReviewShown<'a>)>,
}

/// What became of a file.
pub(super) struct FileShown<'a> {
    pub(super) name: &'a str,
    pub(super) became: Became,
    pub(super) mood: &'static str,
}

/// A review with how it looks.
pub(super) struct ReviewShown<'a> {
    pub(super) mood: &'static str,
    /// `REVIEW: …`, or why nobody can read it.
    pub(super) line: String,
    pub(super) text: Passage<'a>,
}

/// What the page shows of a session.
pub(super) fn session(record: &Record) -> SessionShown<'_> {
    let all = &record.iterations;
    let shown = |iteration| iteration_shown(record, iteration);
    SessionShown {
        plan: record.plan.as_deref().map(Passage::aside),
        iterations: all.iter().map(shown).collect(),
        record,
    }
}

fn iteration_shown<'a>(record: &'a Record, iteration: &'a Iteration) -> IterationShown<'a> {
    let changes = patch::read(&iteration.diff);
    let number = iteration.iteration;
    let before = record.iterations.iter().find(|before| before.iteration + 1 == number);
    let approvals = record
        .session
        .approvals
        .iter()
        .filter(|one| one.iteration == number && one.phase != State::Planned);
    IterationShown {
        iteration,
        sum: changed::sum(&changes),
        files: iteration.files.iter().map(file_shown).collect(),
        remarks: Passage::shown(&iteration.remarks),
        approvals: approvals.collect(),
        review: iteration.review.as_ref().map(review_shown),
        change: sides(&iteration.diff, &changes),
        asked_by: before
            .and_then(|before| Some((before.iteration, review_shown(before.review.as_ref()?)))),
    }
}

fn file_shown<'a>((name, became): (&'a String, &Became)) -> FileShown<'a> {
    let mood = match became {
        Became::Added => "good",
        Became::Removed => "bad",
        Became::Changed => "unsure",
        Became::Unchanged => "open",
    };
    FileShown { name, became: *became, mood }
}

fn review_shown(review: &Reviewed) -> ReviewShown<'_> {
    let mood = match review.verdict.as_deref() {
        Some("PASS") => "good",
        Some(_) => "unsure",
        None => "bad",
    };
    let wrong = review.wrong.as_deref().unwrap_or_default();
    let line = review.line.clone().unwrap_or_else(|| format!("It cannot be read: {wrong}"));
    ReviewShown { mood, line, text: Passage::shown(&review.text) }
}
