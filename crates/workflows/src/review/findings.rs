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
    findings::{Answer, Finding, Findings, Misfit},
};
use redraft_loop::{Issue, Run, Severity, Turn};

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
            let disputes: Vec<_> = turn.readings.iter().flat_map(reply::disputes).collect();
            findings.dispute(turn.round, CREATOR, &disputes);
        }
        REVIEW => fold_review(findings, turn),
        _ => {}
    }
}

fn fold_review(findings: &mut Findings, turn: &Turn) {
    let roles = reviewer_roles(turn.readings.len());
    for (n, (role, reading)) in roles.iter().zip(&turn.readings).enumerate() {
        let of_rules = |issue: &&Issue| issue.code.as_deref().is_some_and(checks::is_of_the_house);
        let (ours, theirs): (Vec<&Issue>, Vec<&Issue>) = reading.issues.iter().partition(of_rules);
        let [ours, theirs] = [ours, theirs].map(|issues| -> Vec<Issue> {
            issues.into_iter().cloned().collect()
        });
        // The rules speak in the first seat.
        if n == 0 {
            findings.review_afresh(turn.round, RULES, &ours);
        }
        match reply::answers(reading) {
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
    by: &str,
    round: u32,
    answers: &[Answer],
    new: Vec<Issue>,
) -> Result<Vec<Issue>, Unreadable> {
    let mut findings = of_run(run);
    findings.check_answers(by, answers).map_err(|misfit| unreadable("findings", &misfit))?;
    findings.review(round, by, answers, &[]);
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
    of_run(run).check_disputes(disputes).map_err(|misfit| unreadable("disputes", &misfit))
}

/// Whether a reviewer that answers by id has something to answer.
pub(super) fn has_open(run: &Run, by: &str) -> bool {
    of_run(run).shown_to(by).any(|finding| finding.status.is_open())
}

fn unreadable(field: &str, misfit: &Misfit) -> Unreadable {
    Unreadable { why: format!("{field}: {misfit}") }
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
