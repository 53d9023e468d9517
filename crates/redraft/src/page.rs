//! A run as one page of HTML: no script, nothing from outside, good to read from disk and on paper.
//!
//! Invariant: same record, same page; every text of others goes through [`Seen`], and no template calls one safe.
//! Absent here: the journal, files, and what any workflow decides.

mod budget;
mod calls;
mod compared;
mod critique;
mod findings;
mod paired;
mod passage;
mod rounds;
mod seen;
mod session;
mod sides;
mod since;
mod solved;
mod spans;
mod timeline;

use crate::{
    commands::runs::{Own, ending},
    say,
};
use askama::Template;
use budget::Meter;
use calls::CallRow;
use compared::By;
use findings::FindingRow;

use paired::Paired;
use redraft_engine::RunRecord;
use redraft_loop::Outcome;
use redraft_workflows::{
    review::comparison::Change,
    solve::{Found, Incident},
};
use rounds::Round;
pub(crate) use seen::Seen;
use session::SessionShown;
use sides::Sides;
pub(crate) use sides::{Numbered, Row, rows as rows_of};
use since::{Came, Since};
use solved::Solved;
use spans::{moment, span};
use timeline::Timeline;

/// What tells a page of ours from any other file.
const GENERATOR: &str = "redraft runs export";

/// The longest part of a question that stands in the heading, in characters.
const HEADING: usize = 160;

/// A run, ready to be written as HTML.
#[derive(Template)]
#[template(path = "run/page.html")]
struct Page<'a> {
    generator: &'static str,
    /// What the run is about, on one line.
    subject: String,
    record: &'a RunRecord,
    ending: String,
    worked: String,
    mood: &'static str,
    why_open: Option<String>,
    meters: Vec<Meter>,
    timeline: Timeline,
    calls: Vec<CallRow<'a>>,
    part: Part<'a>,
}

/// What a page shows beside what every run has, by its workflow.
enum Part<'a> {
    Solve(Box<Solved<'a>>),
    Pair(Box<Paired<'a>>),
    Gated(Box<SessionShown<'a>>),
    /// Any other: its turns as they are.
    Rounds {
        rounds: Vec<Round<'a>>,
        findings: Vec<FindingRow<'a>>,
    },
}

/// The page of a run, with what its workflow adds to its record.
///
/// # Errors
/// Never for records; the type is that of any template.
pub(crate) fn page(record: &RunRecord, own: Option<&Own>) -> Result<String, askama::Error> {
    let page = Page {
        generator: GENERATOR,
        subject: subject(record, own),
        record,
        ending: ending(record.decision.as_ref()),
        worked: span(record.worked_ms),
        mood: mood(record),
        why_open: why_open(record),
        meters: budget::meters(record),
        timeline: timeline::timeline(record),
        calls: calls::rows(record),
        part: part(record, own),
    };
    page.render()
}

fn part<'a>(record: &'a RunRecord, own: Option<&'a Own>) -> Part<'a> {
    match own {
        Some(Own::Solve(own)) => Part::Solve(Box::new(solved::solved(own))),
        Some(Own::Pair(own)) => Part::Pair(Box::new(paired::paired(own))),
        Some(Own::Gated(own)) => Part::Gated(Box::new(session::session(own))),
        None => Part::Rounds { rounds: rounds::rounds(record), findings: findings::rows(record) },
    }
}

impl Page<'_> {
    /// What went wrong on the way, where the workflow keeps count of it.
    fn incidents(&self) -> &[Incident] {
        match &self.part {
            Part::Solve(solved) => &solved.record.incidents,
            Part::Pair(_) | Part::Gated(_) | Part::Rounds { .. } => &[],
        }
    }
}

/// Whether a file that begins like this is a page of ours about this run.
pub(crate) fn is_page_of(beginning: &str, record: &RunRecord) -> bool {
    let head = beginning.split("</head>").next().unwrap_or_default();
    let named = |name: &str, content: &str| {
        head.contains(&format!("<meta name=\"{name}\" content=\"{content}\">"))
    };
    named("generator", GENERATOR) && named("run", record.run_id.as_str())
}

/// What a run is about; of a question or a task its beginning.
fn subject(record: &RunRecord, own: Option<&Own>) -> String {
    match own {
        Some(Own::Solve(own)) => say::beginning(&own.normalized_problem.problem_statement, HEADING),
        Some(Own::Pair(own)) => say::beginning(&own.task, HEADING),
        Some(Own::Gated(_)) | None => record.subject.clone(),
    }
}

/// How the ending looks.
fn mood(record: &RunRecord) -> &'static str {
    match record.decision.as_ref().map(|exit| exit.outcome) {
        Some(Outcome::Converged) => "good",
        Some(Outcome::NeedsHuman) => "unsure",
        Some(Outcome::Ended) => "bad",
        None => "open",
    }
}

/// Why an undecided run rests, as far as its journal tells.
fn why_open(record: &RunRecord) -> Option<String> {
    let last = record.stops.last();
    match (&record.decision, last) {
        (Some(_), _) => None,
        (None, Some(stop)) => Some(format!("It rested at {}: {}.", moment(&stop.at), stop.why)),
        (None, None) => Some("Somebody is at work on it, or was cut off.".to_owned()),
    }
}

#[cfg(test)]
mod tests;
