//! What critiques and checks find, followed from turn to turn.
//!
//! Invariant: what the checks find is theirs; the architect is not shown it and cannot call it fixed.
//! Absent here: identity and status, which are the same for every workflow.

use super::{
    kept,
    message::Message,
    shape::{ARCHITECT, BUILDER, CHECK, CHECKS, CRITIQUE, IMPLEMENT},
};
use crate::{
    Unreadable,
    findings::{Answer, Finding, Findings},
    reply::broken,
};
use redraft_loop::{Issue, Reading, Run, Severity, Turn};

/// How many findings may stand open; a critique has room for an answer to each, and to every mended one that it is shown.
const OPEN: usize = 400;
/// How many mended findings the architect is shown.
const MENDED: usize = 50;

/// All findings of a run so far.
pub fn of_run(run: &Run) -> Findings {
    let mut findings = Findings::default();
    run.turns().iter().for_each(|turn| fold(&mut findings, turn));
    findings
}

fn fold(findings: &mut Findings, turn: &Turn) {
    let Some(reading) = turn.readings.first() else { return };
    match (turn.step.as_str(), kept::said(reading)) {
        (CHECK, _) => findings.review_afresh(turn.round, CHECKS, &reading.issues),
        (IMPLEMENT, Some(said)) => findings.dispute(turn.round, BUILDER, &said.disputes),
        (CRITIQUE, Some(said)) => match &said.findings {
            Some(answers) => findings.review(turn.round, ARCHITECT, answers, &reading.issues),
            None => findings.review_afresh(turn.round, ARCHITECT, &reading.issues),
        },
        _ => {}
    }
}

/// What the architect has to judge: all that is open, then the newest of what was mended, which may be back; how that
/// came about is told no more.
pub(super) fn to_judge(known: &Findings) -> Vec<Finding> {
    let (open, mut mended): (Vec<&Finding>, Vec<&Finding>) =
        known.shown_to(ARCHITECT).partition(|finding| finding.status.is_open());
    mended.sort_by_key(|finding| finding.history.last().map(|change| change.round));
    let newest = &mended[mended.len().saturating_sub(MENDED)..];
    let brief = |finding: &&Finding| Finding { history: Vec::new(), ..(*finding).clone() };
    open.into_iter().cloned().chain(newest.iter().map(brief)).collect()
}

/// Checks that a builder disputes open findings only.
///
/// # Errors
/// The first dispute that does not fit.
pub(super) fn check_disputes(known: &Findings, message: &Message) -> Result<(), Unreadable> {
    let fits = known.check_disputes(&message.disputes);
    fits.map_err(|misfit| broken("/disputes", &misfit.to_string()))
}

/// The points of a critique as issues: those that stand under their own ids, then what is new. An architect without
/// points gives reasons, and each of them is one.
///
/// # Errors
/// When an answer is to nothing that was shown, an open finding is passed over, or too many would stand open.
pub(super) fn issues(
    run: &Run,
    known: &Findings,
    message: &Message,
) -> Result<Vec<Issue>, Unreadable> {
    let round = run.round();
    let new = |n: usize, severity, text: &str, file: Option<&String>| Issue {
        id: format!("t{round}-{}", n + 1),
        severity,
        message: text.to_owned(),
        code: None,
        field: file.cloned(),
    };
    let new: Vec<Issue> = match &message.issues {
        Some(points) => (points.iter().enumerate())
            .map(|(n, point)| new(n, point.severity, &point.message, point.file.as_ref()))
            .collect(),
        None => (message.reasons.iter().enumerate())
            .map(|(n, reason)| new(n, Severity::Error, reason, None))
            .collect(),
    };
    let all: Vec<Issue> = match &message.findings {
        Some(answers) => standing(known, round, answers)?.into_iter().chain(new).collect(),
        None => new,
    };
    match all.len() {
        ..=OPEN => Ok(all),
        many => Err(broken(
            "/issues",
            &format!(
                "{many} findings would stand open, and at most {OPEN} may; raise what weighs most"
            ),
        )),
    }
}

fn standing(known: &Findings, round: u32, answers: &[Answer]) -> Result<Vec<Issue>, Unreadable> {
    let fits = known.check_answers(ARCHITECT, answers);
    fits.map_err(|misfit| broken("/findings", &misfit.to_string()))?;
    let mut findings = known.clone();
    findings.review(round, ARCHITECT, answers, &[]);
    let answered = |finding: &&Finding| answers.iter().any(|answer| answer.id == finding.id);
    let open = findings.shown_to(ARCHITECT).filter(answered).filter(|one| one.status.is_open());
    Ok(open.map(Finding::as_issue).collect())
}

/// The failing checks as issues.
pub(super) fn of_checks(reading: &Reading) -> Vec<Issue> {
    let Some(kept::Kept::Checked(checked)) = kept::Kept::of(reading) else { return Vec::new() };
    let failing = checked.checks.iter().enumerate().filter(|(_, check)| !check.passed());
    failing
        .map(|(n, check)| Issue {
            id: format!("check-{}", n + 1),
            severity: Severity::Error,
            message: format!("{}: {}", check.command, check.ending()),
            code: Some(format!("check_{}", n + 1)),
            field: None,
        })
        .collect()
}
