//! Replies of creators and reviewers: read into a reading.
//!
//! Invariant: what a reply leaves out is filled from the run alone, so that the same reply reads the same.
//! Absent here: what a reading leads to, rules that look beyond one reply, and how JSON is found in a reply.

use super::{
    answers::{CreatorReply, IssueReply, ReviewReply},
    checks::UNREADABLE,
    findings, forms,
    kept::{CandidateDetails, Details, ReviewDetails, details, named_uuid, timestamp},
    model::{AssetId, ProvenanceRef, TextFormat},
    shape::UPHELD_TWICE,
};
use crate::{
    Unreadable,
    findings::Findings,
    reply::{broken, read_as},
};
use jiff::Timestamp;
use redraft_loop::{Ask, Issue, Reading, Run, Severity};

/// The codes of issues that lead the run somewhere.
const RESERVED: [&str; 2] = [UPHELD_TWICE, UNREADABLE];

/// Times have at most microseconds (contract §2).
fn in_micros(time: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}

/// Reads a creator's reply to these texts.
pub(super) fn creator(
    asset: &AssetId,
    run: &Run,
    known: &Findings,
    ask: &Ask,
    text: &str,
    under_review: &[&str],
) -> Result<Reading, Unreadable> {
    let CreatorReply { done, candidate, disputes, mutate_files } =
        read_as(forms::creator(), text, under_review)?;
    if candidate.asset_id.as_ref().is_some_and(|id| id != asset) {
        return Err(broken("/candidate/asset_id", &format!("must be {asset}")));
    }
    findings::check_disputes(known, &disputes)?;
    let provenance = check_provenance(candidate.provenance)?;
    let id = candidate.candidate_id.unwrap_or_else(|| {
        let (run, round, attempt) = (&run.opened().run, ask.round, ask.attempt);
        named_uuid(&format!("candidate:{run}:{asset}:{round}:{attempt}"))
    });
    let kept = Details::Candidate(CandidateDetails {
        candidate_id: id,
        created_at: candidate.created_at.map_or_else(|| timestamp(run.now()), in_micros),
        format: candidate.format.unwrap_or(TextFormat::Markdown),
        provenance,
        disputes,
        mutate_files,
    });
    Ok(Reading { done, details: details(&kept), ..Reading::text(candidate.content) })
}

/// Reads a reviewer's reply to these texts. A verdict `ok` beside an error is a contradiction and unreadable.
pub(super) fn reviewer(
    asset: &AssetId,
    run: &Run,
    known: &Findings,
    ask: &Ask,
    text: &str,
    under_review: &[&str],
) -> Result<Reading, Unreadable> {
    let reply: ReviewReply = read_as(forms::reviewer(), text, under_review)?;
    if let Some(name) = &reply.reviewer {
        check_segment("/reviewer", name)?;
    }
    let provenance = check_provenance(reply.provenance)?;
    let run_id = &run.opened().run;
    let issue = |(n, issue): (usize, IssueReply)| {
        let default = || {
            let (role, round) = (&ask.role, ask.round);
            named_uuid(&format!("review_issue:{run_id}:{asset}:{round}:{role}:{n}"))
        };
        Issue {
            id: issue.issue_id.unwrap_or_else(default).to_string(),
            severity: Severity::from(issue.severity),
            message: issue.message,
            code: issue.code,
            field: issue.field,
        }
    };
    check_codes(&reply.issues)?;
    let new: Vec<Issue> = reply.issues.into_iter().enumerate().map(issue).collect();
    let issues = match &reply.findings {
        Some(answers) => findings::issues(known, ask, answers, new)?,
        None => new,
    };
    let kept = Details::Review(ReviewDetails {
        created_at: reply.created_at.map_or_else(|| timestamp(run.now()), in_micros),
        reviewer: reply.reviewer,
        summary: reply.summary,
        provenance,
        findings: reply.findings,
        of_the_house: Vec::new(),
        stands_in: false,
        mutate_files: reply.mutate_files,
    });
    let reading = Reading {
        verdict: Some(reply.verdict),
        issues,
        details: details(&kept),
        ..Reading::text("")
    };
    if reading.is_contradiction() {
        return Err(broken("/verdict", "ok together with an error issue"));
    }
    Ok(reading)
}

/// Some codes lead the run somewhere; those are the house's to give.
fn check_codes(issues: &[IssueReply]) -> Result<(), Unreadable> {
    let codes = issues.iter().map(|issue| issue.code.as_deref().unwrap_or_default());
    match codes.enumerate().find(|(_, code)| RESERVED.contains(code)) {
        Some((n, code)) => {
            Err(broken(&format!("/issues/{n}/code"), &format!("{code} is not for replies")))
        }
        None => Ok(()),
    }
}

/// Names that become file names must be one plain path segment.
fn check_segment(pointer: &str, name: &str) -> Result<(), Unreadable> {
    let bad = name.is_empty()
        || name.len() > 128
        || name.starts_with('.')
        || name.chars().any(|c| c == '/' || c == '\\' || c.is_control());
    if bad {
        return Err(broken(pointer, &format!("{name:?} cannot be part of a file name")));
    }
    Ok(())
}

/// The references as files have them.
fn check_provenance(refs: Vec<ProvenanceRef>) -> Result<Vec<ProvenanceRef>, Unreadable> {
    let check = |provenance: ProvenanceRef| {
        check_segment("/provenance/kind", &provenance.kind)?;
        check_segment("/provenance/ref", &provenance.reference)?;
        Ok(ProvenanceRef { created_at: provenance.created_at.map(in_micros), ..provenance })
    };
    refs.into_iter().map(check).collect()
}
