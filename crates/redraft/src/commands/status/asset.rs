//! How one asset stands, in one line or in many.
//!
//! Invariant: the labels are the contract's, word for word (§5).
//! Absent here: what to do next.

use crate::{
    commands::{
        findings, stale,
        waits::{Waits, waits_of},
    },
    episode::View,
    play::DEFAULT_ITERATIONS,
    say,
};
use redraft_loop::{Role, Run, Verdict};
use redraft_workflows::{
    findings::Finding,
    findings_of,
    review::{
        best::{self, Best},
        model::{AssetId, Candidate, EpisodeWorkspace, IssueSeverity, ReviewIssue},
        workspace::Closed,
    },
};
use serde::Serialize;

/// One asset, as `--json` shows it.
#[derive(Serialize)]
pub(super) struct AssetStatus {
    pub(super) asset_id: AssetId,
    iteration: u32,
    max_iterations: u32,
    verdict: Option<Verdict>,
    pub(super) outcome: String,
    reason: Option<String>,
    selected_by: Option<String>,
    /// Who let the locked selection go, while nothing is selected anew.
    released_by: Option<String>,
    /// The records that were closed before the present one, oldest first.
    closed: Vec<Closed>,
    /// Whether it was written from another transcript than the one that stands now.
    stale: bool,
    candidates: usize,
    /// The candidate that a person is offered where both sides do not agree; null before the first review.
    pub(super) best: Option<Best>,
    /// Whether any candidate has a text that could be selected.
    #[serde(skip)]
    pub(super) has_text: bool,
    /// What reviews found and what became of it, oldest first.
    findings: Vec<Finding>,
    /// Why its loop stands still, where it is open and cannot go on by itself.
    pub(super) waits: Option<Waits>,
    /// Which agent plays which role in its present run.
    cast: Vec<(Role, String)>,
    pub(super) blocking: Vec<ReviewIssue>,
    outstanding: Vec<ReviewIssue>,
}

/// How an asset stands.
pub(super) fn status(id: &AssetId, view: &View, state: &EpisodeWorkspace) -> AssetStatus {
    let protocol = view.protocol(id);
    let asset = state.asset(id);
    let review = asset.and_then(|asset| asset.reviews.last());
    let decision = protocol.as_ref().and_then(|protocol| protocol.decision.clone());
    let picked = view.workspace.pick_since_end(id).map(|picked| picked.by.clone());
    let closed = view.workspace.closed(id);
    let reopened =
        closed.last().map_or(0, |closed| closed.last_iteration.saturating_add(DEFAULT_ITERATIONS));
    let outstanding = review.map(|review| review.issues.clone()).unwrap_or_default();
    let run = view.current_run(id).map(|stored| &stored.run);
    AssetStatus {
        asset_id: id.clone(),
        iteration: review.map_or(0, |review| review.iteration),
        max_iterations: protocol.as_ref().map_or(reopened, |protocol| protocol.max_iterations),
        verdict: review.map(|review| review.verdict),
        outcome: match (&picked, &decision) {
            (Some(by), _) => format!("selected by {by}"),
            (None, Some(decision)) => decision.outcome.as_str().to_owned(),
            (None, None) if protocol.is_some() || !closed.is_empty() => "in_progress".to_owned(),
            (None, None) => "drafted".to_owned(),
        },
        reason: decision.map(|decision| decision.reason),
        selected_by: picked,
        released_by: view.released(id).map(|released| released.by.clone()),
        closed,
        stale: stale::is_stale(id, view),
        candidates: asset.map_or(0, |asset| asset.candidates.len()),
        has_text: asset.is_some_and(|asset| asset.candidates.iter().any(Candidate::has_text)),
        best: run.and_then(|run| best::of_run(id, run)),
        findings: run.map(|run| findings_of(run).all().to_vec()).unwrap_or_default(),
        waits: run.and_then(waits_of),
        cast: run.map(cast_of).unwrap_or_default(),
        blocking: outstanding
            .iter()
            .filter(|issue| issue.severity == IssueSeverity::Error)
            .cloned()
            .collect(),
        outstanding,
    }
}

fn cast_of(run: &Run) -> Vec<(Role, String)> {
    let cast = run.opened().cast.iter();
    cast.map(|member| (member.role.clone(), member.agent.clone())).collect()
}

impl AssetStatus {
    /// All there is to tell, a line a thing.
    pub(super) fn tell(&self, lines: &mut Vec<String>) {
        lines.push(String::new());
        lines.extend(self.head());
        self.tell_record(lines);
        for issue in &self.outstanding {
            let weight = match issue.severity {
                IssueSeverity::Error => "error",
                IssueSeverity::Warning => "warning",
            };
            lines.push(format!("  {weight}: {}", issue.message));
        }
        if let Some(sum) = findings::sum(&self.findings) {
            lines.push(format!("Findings: {sum}"));
            let table = findings::table(&self.findings, |role| self.agent_of(role));
            lines.extend(table.iter().map(|line| format!("  {line}")));
        }
        if let Some(best) = self.best.filter(|_| self.outcome == "needs_human") {
            let Best { iteration, candidate_id, errors, warnings } = best;
            let (errors, warnings) = (say::count(errors, "error"), say::count(warnings, "warning"));
            lines.push(format!(
                "Best so far: iteration {iteration} with {errors} and {warnings}, candidate {candidate_id}"
            ));
        }
    }

    /// One line, and below it what keeps the asset from its end.
    pub(super) fn tell_shortly(&self, lines: &mut Vec<String>) {
        lines.push(self.head().join("  "));
        let mut more = Vec::new();
        self.tell_record(&mut more);
        let open: Vec<Finding> =
            self.findings.iter().filter(|f| f.status != findings::Status::Fixed).cloned().collect();
        if self.outcome != "converged" && self.selected_by.is_none() {
            more.extend(findings::table(&open, |role| self.agent_of(role)));
        }
        lines.extend(more.iter().map(|line| format!("  {line}")));
    }

    fn head(&self) -> [String; 5] {
        let verdict = self.verdict.map_or("none yet", crate::display::verdict_text);
        let outcome = match &self.reason {
            Some(reason) => format!("Outcome: {} ({reason})", self.outcome),
            None => format!("Outcome: {}", self.outcome),
        };
        [
            format!("Asset: {}", self.asset_id),
            format!("Iteration: {}/{}", self.iteration, self.max_iterations),
            format!("Verdict: {verdict}"),
            outcome,
            format!("Blocking issues: {}", self.blocking.len()),
        ]
    }

    /// What is to be known of its record: what it waits for, who reopened it, what was let go.
    fn tell_record(&self, lines: &mut Vec<String>) {
        if let Some(Waits { why, help, .. }) = &self.waits {
            lines.push(format!("Waits: {why}"));
            lines.push(format!("  help: {help}"));
        }
        if let Some(closed) = self.closed.last() {
            let (record, by, reason) = (closed.number + 1, &closed.reopened_by, &closed.reason);
            lines.push(format!("Record: {record}, reopened by {by}: {reason}"));
        }
        if let Some(by) = &self.released_by {
            lines.push(format!(
                "Selection: let go by {by}; it stays until something is selected anew"
            ));
        }
        if self.stale {
            let stale = "Stale: written from another transcript than the one that stands now";
            lines.push(stale.to_owned());
        }
    }

    fn agent_of(&self, role: &str) -> Option<&str> {
        let played = self.cast.iter().find(|(known, _)| known.as_str() == role);
        played.map(|(_, agent)| agent.as_str())
    }
}
