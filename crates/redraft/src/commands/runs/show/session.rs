//! The part of a session in `redraft runs show`: where it stood when, who approved what, and what each iteration came to.
//!
//! Invariant: every passage, approval and iteration is a line.
//! Absent here: whole texts and diffs; `gated diff`, `runs record` and `runs export` have them.

use crate::{
    commands::{columns, runs::changed},
    say,
};
use redraft_workflows::{
    gated::{Iteration, Record, Reviewed, ToldApproval},
    pair::patch,
};

/// Prints it, the iterations last.
pub(super) fn print(own: &Record) {
    let session = &own.session;
    say::out(&format!("Profile: {}", session.profile));
    for (key, value) in &session.context {
        say::out(&format!("  {key}: {}", say::beginning(value, TOLD)));
    }
    say::out(&format!("Phase: {}, {}", session.phase, session.status));
    if let Some(error) = &session.last_error {
        say::out(&format!("Last error: {error}"));
    }
    let head = ["PHASE", "STATUS", "SINCE"].map(str::to_owned).to_vec();
    let passages = session.phase_history.iter();
    let rows = passages
        .map(|one| vec![one.phase.to_string(), one.status.to_string(), one.timestamp.clone()]);
    table(head, rows);
    let head = ["APPROVED", "ITERATION", "BY", "AT", "FILES"].map(str::to_owned).to_vec();
    table(head, session.approvals.iter().map(approval));
    let head = ["ITERATION", "CHANGE", "SENT BACK", "REVIEW"].map(str::to_owned).to_vec();
    table(head, own.iterations.iter().map(iteration));
}

/// The longest part of a value that stands on a line, in characters.
const TOLD: usize = 160;

/// A table below its header; nothing where it has no rows.
fn table(head: Vec<String>, rows: impl Iterator<Item = Vec<String>>) {
    let rows: Vec<Vec<String>> = [head].into_iter().chain(rows).collect();
    if rows.len() > 1 {
        columns::lines(&rows).iter().for_each(|line| say::out(line));
    }
}

fn approval(approval: &ToldApproval) -> Vec<String> {
    let ToldApproval { phase, iteration, files, by, at } = approval;
    let by = say::clean(&say::beginning(by, TOLD));
    vec![phase.to_string(), iteration.to_string(), by, at.clone(), files.len().to_string()]
}

fn iteration(iteration: &Iteration) -> Vec<String> {
    let review = match &iteration.review {
        None => "none yet".to_owned(),
        Some(Reviewed { line: Some(line), .. }) => line.clone(),
        Some(Reviewed { .. }) => "it cannot be read".to_owned(),
    };
    vec![
        iteration.iteration.to_string(),
        changed::sum(&patch::read(&iteration.diff)),
        iteration.rejected.to_string(),
        review,
    ]
}
