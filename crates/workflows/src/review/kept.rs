//! What the journal keeps of a reply beside text, verdict and issues, and what is read from it again.
//!
//! Invariant: what was kept is read back as it was; a reading of another kind gives nothing.
//! Absent here: how a reply is read.

use super::model::{AssetId, Candidate, ProvenanceRef, ReviewIssue, ReviewIteration, TextFormat};
use crate::findings::{Answer, Dispute};
use jiff::Timestamp;
use redraft_loop::{Issue, Reading, Severity, Time, Turn};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// What the journal keeps of a reply beside what every reading has, by the kind of reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Details {
    Candidate(CandidateDetails),
    Review(ReviewDetails),
}

/// What the journal keeps of a creator's reply beside text and `done`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CandidateDetails {
    pub(super) candidate_id: Uuid,
    pub(super) created_at: Timestamp,
    pub(super) format: TextFormat,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) provenance: Vec<ProvenanceRef>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) disputes: Vec<Dispute>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) mutate_files: BTreeMap<String, String>,
}

/// What the journal keeps of a review beside verdict and issues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewDetails {
    pub(super) created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reviewer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) provenance: Vec<ProvenanceRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) findings: Option<Vec<Answer>>,
    /// The ids of the issues that the house itself has found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) of_the_house: Vec<String>,
    /// Whether nobody could read the review, and the workflow stands in for its reviewer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) stands_in: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) mutate_files: BTreeMap<String, String>,
}

pub(super) fn timestamp(time: Time) -> Timestamp {
    Timestamp::from_microsecond(time.0).unwrap_or(Timestamp::MAX)
}

/// A UUID that follows from a name alone (contract §4: version 5 in the nil namespace).
pub fn named_uuid(name: &str) -> Uuid {
    Uuid::new_v5(&Uuid::nil(), name.as_bytes())
}

pub(super) fn details(value: &Details) -> serde_json::Value {
    // These structs have string keys only, which JSON always holds.
    serde_json::to_value(value).unwrap_or_default()
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
