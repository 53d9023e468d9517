//! The findings of a review, folded from its turns, and what a reviewer's reply makes of them.
//!
//! Invariant: what the rules of the house find is theirs; no reviewer is shown it or can call it fixed.
//! Absent here: identity and status, which are the same for every workflow.

use super::{
    checks, reply,
    shape::{CREATE, CREATOR, REVIEW, UPHELD_TWICE, reviewer_roles},
};
use crate::{
    Unreadable,
    findings::{Answer, Finding, Findings, Status},
    reply::broken,
};
use redraft_loop::{Ask, Issue, Reading, Run, Severity, Turn};
use serde::Serialize;

/// Who raises what the rules of the house find.
const RULES: &str = "rules";

/// All findings of a run so far.
pub fn of_run(run: &Run) -> Findings {
    let mut findings = Findings::default();
    run.turns().iter().for_each(|turn| fold(&mut findings, turn));
    findings
}

fn fold(findings: &mut Findings, turn: &Turn) {
    match turn.step.as_str() {
        CREATE => {
            let disputes: Vec<_> = turn.readings.iter().flat_map(reply::disputes_of).collect();
            findings.dispute(turn.round, CREATOR, &disputes);
        }
        REVIEW => fold_review(findings, turn),
        _ => {}
    }
}

fn fold_review(findings: &mut Findings, turn: &Turn) {
    let roles = reviewer_roles(turn.readings.len());
    for (n, (role, reading)) in roles.iter().zip(&turn.readings).enumerate() {
        // The rules speak in the first seat.
        let of_rules =
            |issue: &&Issue| n == 0 && issue.code.as_deref().is_some_and(checks::is_of_the_house);
        let (ours, theirs): (Vec<&Issue>, Vec<&Issue>) = reading.issues.iter().partition(of_rules);
        let [ours, theirs] =
            [ours, theirs].map(|issues| -> Vec<Issue> { issues.into_iter().cloned().collect() });
        if n == 0 {
            findings.review_afresh(turn.round, RULES, &ours);
        }
        match reply::answers_of(reading) {
            Some(answers) => findings.review(turn.round, role.as_str(), &answers, &theirs),
            None => findings.review_afresh(turn.round, role.as_str(), &theirs),
        }
    }
}

/// The issues of a review that answers findings by id: those that stand, each under its own id, in the words of
/// the answer where it has some; then what is new; then a dispute that neither side gives up.
///
/// # Errors
/// When an answer is to nothing that was shown, or an open finding is passed over.
pub(super) fn issues(
    run: &Run,
    ask: &Ask,
    answers: &[Answer],
    new: Vec<Issue>,
) -> Result<Vec<Issue>, Unreadable> {
    let (mut findings, by) = (of_run(run), ask.role.as_str());
    findings
        .check_answers(by, answers)
        .map_err(|misfit| broken("/findings", &misfit.to_string()))?;
    findings.review(ask.round, by, answers, &[]);
    let answered = |finding: &&Finding| answers.iter().any(|answer| answer.id == finding.id);
    let standing: Vec<&Finding> =
        findings.shown_to(by).filter(answered).filter(|finding| finding.status.is_open()).collect();
    let stuck = standing.iter().filter(|finding| finding.upheld >= 2).map(|f| is_stuck(f));
    let stuck: Vec<Issue> = stuck.collect();
    Ok(standing.into_iter().map(Finding::as_issue).chain(new).chain(stuck).collect())
}

/// Checks that a creator disputes open findings only.
///
/// # Errors
/// The first dispute that does not fit.
pub(super) fn check_disputes(
    run: &Run,
    disputes: &[crate::findings::Dispute],
) -> Result<(), Unreadable> {
    let fits = of_run(run).check_disputes(disputes);
    fits.map_err(|misfit| broken("/disputes", &misfit.to_string()))
}

/// Refuses a review that passes over the findings that it was shown. Programs of ours need not answer: they look
/// at each candidate afresh.
///
/// # Errors
/// When there are open findings of its own and the review answers none.
pub(super) fn demand_answers(run: &Run, ask: &Ask, review: &Reading) -> Result<(), Unreadable> {
    let by = ask.role.as_str();
    let open = of_run(run).shown_to(by).any(|finding| finding.status.is_open());
    if open && reply::answers_of(review).is_none() {
        let why = "missing; answer each finding that was shown by its id, as fixed or open";
        return Err(broken("/findings", why));
    }
    Ok(())
}

/// A finding as a call is shown it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    id: String,
    status: Status,
    severity: Severity,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// Why the creator disputes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    dispute: Option<String>,
}

/// What a call is shown of the findings: a reviewer all of its own, the creator all that are open.
pub(super) fn shown(run: &Run, ask: &Ask) -> Vec<Shown> {
    let findings = of_run(run);
    let shown = |finding: &Finding| Shown {
        id: finding.id.clone(),
        status: finding.status,
        severity: finding.severity,
        message: finding.message.clone(),
        code: finding.code.clone(),
        field: finding.field.clone(),
        dispute: finding.dispute().map(str::to_owned),
    };
    match ask.step.as_str() {
        CREATE => findings.open().map(shown).collect(),
        _ => findings.shown_to(ask.role.as_str()).map(shown).collect(),
    }
}

fn is_stuck(finding: &Finding) -> Issue {
    Issue {
        id: reply::named_uuid(&format!("{UPHELD_TWICE}:{}", finding.id)).to_string(),
        severity: Severity::Warning,
        message: format!(
            "disputed twice and upheld twice, so a person has to decide: {}",
            finding.message
        ),
        code: Some(UPHELD_TWICE.to_owned()),
        field: finding.field.clone(),
    }
}
