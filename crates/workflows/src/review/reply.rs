//! Replies of creators and reviewers: read into a reading and back.
//!
//! Invariant: what a reply leaves out is filled from the run alone, so that the same reply reads the same.
//! Absent here: what a reading leads to, rules that look beyond one reply, and how JSON is found in a reply.

use super::{
    answers::{CreatorReply, IssueReply, ReviewReply},
    checks::UNREADABLE,
    findings, forms,
    model::{AssetId, Candidate, ProvenanceRef, ReviewIssue, ReviewIteration, TextFormat},
    shape::UPHELD_TWICE,
};
use crate::{
    Unreadable,
    findings::{Answer, Dispute, Findings},
    reply::{broken, read_as},
};
use jiff::Timestamp;
use redraft_loop::{Ask, Issue, Reading, Run, Severity, Time, Turn};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// The codes of issues that lead the run somewhere.
const RESERVED: [&str; 2] = [UPHELD_TWICE, UNREADABLE];

/// What the journal keeps of a reply beside what every reading has, by the kind of reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Details {
    Candidate(CandidateDetails),
    Review(ReviewDetails),
}

/// What the journal keeps of a creator's reply beside text and `done`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CandidateDetails {
    candidate_id: Uuid,
    created_at: Timestamp,
    format: TextFormat,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    provenance: Vec<ProvenanceRef>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    disputes: Vec<Dispute>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    mutate_files: BTreeMap<String, String>,
}

/// What the journal keeps of a review beside verdict and issues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewDetails {
    created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reviewer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    provenance: Vec<ProvenanceRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<Answer>>,
    /// The ids of the issues that the house itself has found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    of_the_house: Vec<String>,
    /// Whether nobody could read the review, and the workflow stands in for its reviewer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stands_in: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    mutate_files: BTreeMap<String, String>,
}

fn timestamp(time: Time) -> Timestamp {
    Timestamp::from_microsecond(time.0).unwrap_or(Timestamp::MAX)
}

/// Times have at most microseconds (contract §2).
fn in_micros(time: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}

/// A UUID that follows from a name alone (contract §4: version 5 in the nil namespace).
pub fn named_uuid(name: &str) -> Uuid {
    Uuid::new_v5(&Uuid::nil(), name.as_bytes())
}

fn details(value: &Details) -> serde_json::Value {
    // These structs have string keys only, which JSON always holds.
    serde_json::to_value(value).unwrap_or_default()
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

/// The reading of a candidate that was not written by a call: a seed, or one of a foreign workspace.
pub fn reading_of_candidate(candidate: &Candidate, done: bool) -> Reading {
    let kept = Details::Candidate(CandidateDetails {
        candidate_id: candidate.candidate_id,
        created_at: candidate.created_at,
        format: candidate.format,
        provenance: candidate.provenance.clone(),
        disputes: Vec::new(),
        mutate_files: BTreeMap::new(),
    });
    Reading { done, details: details(&kept), ..Reading::text(candidate.content.clone()) }
}

/// The reading of a review that was not given by a call.
pub fn reading_of_review(review: &ReviewIteration) -> Reading {
    let kept = Details::Review(ReviewDetails {
        created_at: review.created_at,
        reviewer: review.reviewer.clone(),
        summary: review.summary.clone(),
        provenance: review.provenance.clone(),
        findings: None,
        of_the_house: Vec::new(),
        stands_in: false,
        mutate_files: BTreeMap::new(),
    });
    let issue = |issue: &ReviewIssue| Issue {
        id: issue.issue_id.to_string(),
        severity: Severity::from(issue.severity),
        message: issue.message.clone(),
        code: issue.code.clone(),
        field: issue.field.clone(),
    };
    Reading {
        verdict: Some(review.verdict),
        issues: review.issues.iter().map(issue).collect(),
        details: details(&kept),
        ..Reading::text("")
    }
}

/// The candidate that a reading stands for; `None` where it is no candidate's.
pub fn candidate_of(asset: &AssetId, reading: &Reading) -> Option<Candidate> {
    let Details::Candidate(kept) = Details::deserialize(&reading.details).ok()? else {
        return None;
    };
    Some(Candidate {
        asset_id: asset.clone(),
        candidate_id: kept.candidate_id,
        content: reading.text.clone(),
        created_at: kept.created_at,
        format: kept.format,
        provenance: kept.provenance,
    })
}

/// The review that one seat gave; `None` where the reading is no review.
pub fn review_of(round: u32, reading: &Reading) -> Option<ReviewIteration> {
    let Details::Review(kept) = Details::deserialize(&reading.details).ok()? else {
        return None;
    };
    let issue = |issue: &Issue| ReviewIssue {
        code: issue.code.clone(),
        field: issue.field.clone(),
        issue_id: issue.id.parse().unwrap_or_else(|_| named_uuid(&issue.id)),
        message: issue.message.clone(),
        severity: issue.severity.into(),
    };
    Some(ReviewIteration {
        created_at: kept.created_at,
        issues: reading.issues.iter().map(issue).collect(),
        iteration: round,
        provenance: kept.provenance,
        reviewer: kept.reviewer,
        summary: kept.summary,
        verdict: reading.verdict?,
    })
}

/// The merged review of a turn: that of its only seat, or all of them joined.
pub fn merged_review(turn: &Turn) -> Option<ReviewIteration> {
    let mut reviews: Vec<ReviewIteration> =
        turn.readings.iter().filter_map(|reading| review_of(turn.round, reading)).collect();
    if reviews.len() <= 1 {
        return reviews.pop();
    }
    let join = |texts: Vec<&str>, between| match texts.is_empty() {
        true => None,
        false => Some(texts.join(between)),
    };
    Some(ReviewIteration {
        created_at: reviews.iter().map(|review| review.created_at).max()?,
        iteration: turn.round,
        reviewer: join(reviews.iter().filter_map(|r| r.reviewer.as_deref()).collect(), "+"),
        summary: join(reviews.iter().filter_map(|r| r.summary.as_deref()).collect(), "\n"),
        verdict: turn.verdict()?,
        provenance: reviews.iter_mut().flat_map(|r| std::mem::take(&mut r.provenance)).collect(),
        issues: reviews.into_iter().flat_map(|review| review.issues).collect(),
    })
}

/// The files that a reply wants written beside the contract's own.
pub fn mutate_files(reading: &Reading) -> BTreeMap<String, String> {
    match Details::deserialize(&reading.details) {
        Ok(Details::Candidate(kept)) => kept.mutate_files,
        Ok(Details::Review(kept)) => kept.mutate_files,
        Err(_) => BTreeMap::new(),
    }
}

/// What a reply refers to.
pub(super) fn provenance(reading: &Reading) -> Vec<ProvenanceRef> {
    match Details::deserialize(&reading.details) {
        Ok(Details::Candidate(kept)) => kept.provenance,
        Ok(Details::Review(kept)) => kept.provenance,
        Err(_) => Vec::new(),
    }
}

/// What a reviewer said of the findings it was shown; `None` where it looked at the candidate afresh.
pub fn answers_of(reading: &Reading) -> Option<Vec<Answer>> {
    review_details(reading)?.findings
}

/// The findings that a creator says are wrong.
pub fn disputes_of(reading: &Reading) -> Vec<Dispute> {
    match Details::deserialize(&reading.details) {
        Ok(Details::Candidate(kept)) => kept.disputes,
        Ok(Details::Review(_)) | Err(_) => Vec::new(),
    }
}

/// The ids of a review's issues that the house itself has found.
pub(super) fn of_the_house(reading: &Reading) -> Vec<String> {
    review_details(reading).map(|kept| kept.of_the_house).unwrap_or_default()
}

/// Whether the workflow stands in for a reviewer whose replies nobody could read.
pub(super) fn stands_in(reading: &Reading) -> bool {
    review_details(reading).is_some_and(|kept| kept.stands_in)
}

/// The review with an issue that the house itself has found.
pub(super) fn with_house_issue(reading: Reading, issue: Issue) -> Reading {
    let Some(mut kept) = review_details(&reading) else { return reading };
    kept.of_the_house.push(issue.id.clone());
    let issues = reading.issues.into_iter().chain([issue]).collect();
    Reading { issues, details: details(&Details::Review(kept)), ..reading }
}

fn review_details(reading: &Reading) -> Option<ReviewDetails> {
    match Details::deserialize(&reading.details) {
        Ok(Details::Review(kept)) => Some(kept),
        Ok(Details::Candidate(_)) | Err(_) => None,
    }
}

/// A review that stands in for one that nobody can read, and says nothing yet.
pub(super) fn standing_in(at: Time) -> Reading {
    let kept = Details::Review(ReviewDetails {
        created_at: timestamp(at),
        reviewer: None,
        summary: None,
        provenance: Vec::new(),
        findings: None,
        of_the_house: Vec::new(),
        stands_in: true,
        mutate_files: BTreeMap::new(),
    });
    Reading { details: details(&kept), ..Reading::text("") }
}
