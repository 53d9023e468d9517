//! What a solve adds to its run's record.
//!
//! Absent here: calls, costs and times, which every run's record has.

use super::{
    kept::{self, Incident},
    replies::{Candidate, Critique, Plan},
    request::{Problem, Request},
    response::Response,
    result,
};
use redraft_loop::Run;
use serde::Serialize;

/// A solve as its contract names its parts. Fields are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record {
    /// The request, word for word.
    pub request: Request,
    /// The problem that was made of it.
    pub normalized_problem: Problem,
    /// The plan; null before there is one.
    pub plan: Option<Plan>,
    /// The draft, and its revision.
    pub candidates: Vec<Candidate>,
    /// The critique of each.
    pub critiques: Vec<Critique>,
    /// What went wrong on the way.
    pub incidents: Vec<Incident>,
    /// The response, as far as the run has come.
    pub final_response: Response,
}

/// What this run adds to its record; `None` where it is no solve.
pub fn record(run: &Run) -> Option<Record> {
    let kept::Settings { request, problem, .. } = kept::settings(run)?;
    Some(Record {
        request,
        normalized_problem: problem,
        plan: kept::plan(run),
        candidates: kept::candidates(run),
        critiques: kept::critiques(run),
        incidents: kept::incidents(run),
        final_response: result::response(run),
    })
}
