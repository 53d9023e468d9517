//! The findings of a review, folded from its turns, and what a reviewer's reply makes of them.
//!
//! Invariant: what the rules of the house find is theirs; no reviewer is shown it or can call it fixed.
//! Absent here: identity and status, which are the same for every workflow.

use super::{
    kept,
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

/// Folds one turn in.
pub(super) fn fold(findings: &mut Findings, turn: &Turn) {
    match turn.step.as_str() {
        CREATE => {
            let disputes: Vec<_> = turn.readings.iter().flat_map(kept::disputes_of).collect();
            findings.dispute(turn.round, CREATOR, &disputes);
        }
        REVIEW => {
            let house: Vec<Issue> = turn.readings.iter().flat_map(|r| parted(r).0).collect();
            findings.review_afresh(turn.round, RULES, &house);
            for (role, reading) in reviewer_roles(turn.readings.len()).iter().zip(&turn.readings) {
                fold_reviewer(findings, turn.round, role.as_str(), reading);
            }
        }
        _ => {}
    }
}

/// Folds in what one reviewer said itself. Where the workflow stands in for it, it said nothing.
fn fold_reviewer(findings: &mut Findings, round: u32, by: &str, reading: &Reading) {
    if kept::stands_in(reading) {
        return;
    }
    let (_, theirs) = parted(reading);
    match kept::answers_of(reading) {
        Some(answers) => findings.review(round, by, &answers, &theirs),
        None => findings.review_afresh(round, by, &theirs),
    }
}

/// The issues of a review that the house has found, and those that its reviewer has.
fn parted(reading: &Reading) -> (Vec<Issue>, Vec<Issue>) {
    let house = kept::of_the_house(reading);
    reading.issues.iter().cloned().partition(|issue| house.contains(&issue.id))
}

/// The issues of a review that answers findings by id: those that stand, each under its own id, in the words of
/// the answer where it has some; then what is new.
///
/// # Errors
/// When an answer is to nothing that was shown, or an open finding is passed over.
pub(super) fn issues(
    known: &Findings,
    ask: &Ask,
    answers: &[Answer],
    new: Vec<Issue>,
) -> Result<Vec<Issue>, Unreadable> {
    let by = ask.role.as_str();
    known.check_answers(by, answers).map_err(|misfit| broken("/findings", &misfit.to_string()))?;
    let mut findings = known.clone();
    findings.review(ask.round, by, answers, &[]);
    let answered = |finding: &&Finding| answers.iter().any(|answer| answer.id == finding.id);
    let standing =
        findings.shown_to(by).filter(answered).filter(|finding| finding.status.is_open());
    Ok(standing.map(Finding::as_issue).chain(new).collect())
}

/// The review, with an issue of the house's for each dispute that neither side gives up.
pub(super) fn with_stuck(before: &Findings, by: &str, round: u32, reading: Reading) -> Reading {
    let mut after = before.clone();
    after.review_afresh(round, RULES, &parted(&reading).0);
    fold_reviewer(&mut after, round, by, &reading);
    let upheld = |id: &str| before.all().iter().find(|f| f.id == id).map_or(0, |f| f.upheld);
    let stuck = after.open().filter(|f| f.upheld >= 2 && f.upheld > upheld(&f.id)).map(is_stuck);
    let stuck: Vec<Issue> = stuck.collect();
    stuck.into_iter().fold(reading, kept::with_house_issue)
}

/// Refuses ids that would make one finding of two.
///
/// # Errors
/// When an issue bears the id of another, or of a finding that it does not answer.
pub(super) fn check_ids(known: &Findings, review: &Reading) -> Result<(), Unreadable> {
    let answers = kept::answers_of(review).unwrap_or_default();
    let stands = |id: &str| answers.iter().any(|answer| answer.id == id && answer.status.is_open());
    for (n, issue) in review.issues.iter().enumerate() {
        let twice = review.issues[..n].iter().any(|earlier| earlier.id == issue.id);
        let of_another = known.all().iter().any(|finding| finding.id == issue.id);
        if twice || (of_another && !stands(&issue.id)) {
            let why = format!("{} is the id of another finding; leave issue_id out", issue.id);
            return Err(broken("/issues", &why));
        }
    }
    Ok(())
}

/// Checks that a creator disputes open findings only.
///
/// # Errors
/// The first dispute that does not fit.
pub(super) fn check_disputes(
    known: &Findings,
    disputes: &[crate::findings::Dispute],
) -> Result<(), Unreadable> {
    let fits = known.check_disputes(disputes);
    fits.map_err(|misfit| broken("/disputes", &misfit.to_string()))
}

/// Refuses a review that passes over the findings that it was shown. Programs of ours need not answer: they look
/// at each candidate afresh.
///
/// # Errors
/// When there are open findings of its own and the review answers none.
pub(super) fn demand_answers(
    known: &Findings,
    ask: &Ask,
    review: &Reading,
) -> Result<(), Unreadable> {
    let by = ask.role.as_str();
    let open = known.shown_to(by).any(|finding| finding.status.is_open());
    if open && kept::answers_of(review).is_none() {
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

impl Shown {
    /// The words of others in it.
    pub(super) fn into_texts(self) -> impl Iterator<Item = String> {
        std::iter::once(self.message).chain(self.dispute)
    }
}

/// What a call is shown of the findings: a reviewer all of its own, the creator all that are open.
pub(super) fn shown(findings: &Findings, ask: &Ask) -> Vec<Shown> {
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
        id: kept::named_uuid(&format!("{UPHELD_TWICE}:{}", finding.id)).to_string(),
        severity: Severity::Warning,
        message: format!(
            "disputed twice and upheld twice, so a person has to decide: {}",
            finding.message
        ),
        code: Some(UPHELD_TWICE.to_owned()),
        field: finding.field.clone(),
    }
}
