//! What creators and reviewers answer, once their JSON is found; the forms say the same to everybody else.
//!
//! Invariant: whatever a form accepts parses here, ids, times and asset ids aside, which are narrower types.
//! Absent here: what is left out is filled by the reader.

use super::model::{AssetId, IssueSeverity, ProvenanceRef, TextFormat};
use crate::findings::{Answer, Dispute};
use jiff::Timestamp;
use redraft_loop::Verdict;
use serde::Deserialize;
use std::collections::BTreeMap;
use uuid::Uuid;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CreatorReply {
    pub(super) done: bool,
    pub(super) candidate: CandidateReply,
    #[serde(default)]
    pub(super) disputes: Vec<Dispute>,
    #[serde(default)]
    pub(super) mutate_files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CandidateReply {
    pub(super) content: String,
    #[serde(default)]
    pub(super) asset_id: Option<AssetId>,
    #[serde(default)]
    pub(super) candidate_id: Option<Uuid>,
    #[serde(default)]
    pub(super) created_at: Option<Timestamp>,
    #[serde(default)]
    pub(super) format: Option<TextFormat>,
    #[serde(default)]
    pub(super) provenance: Vec<ProvenanceRef>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewReply {
    pub(super) verdict: Verdict,
    #[serde(default)]
    pub(super) issues: Vec<IssueReply>,
    /// `None` where the reviewer looked at the candidate afresh.
    #[serde(default)]
    pub(super) findings: Option<Vec<Answer>>,
    #[serde(default)]
    pub(super) summary: Option<String>,
    #[serde(default)]
    pub(super) reviewer: Option<String>,
    #[serde(default)]
    pub(super) created_at: Option<Timestamp>,
    #[serde(default)]
    pub(super) provenance: Vec<ProvenanceRef>,
    /// The loop's iteration wins over this one (contract §3.2).
    #[serde(default, rename = "iteration")]
    _iteration: Option<u32>,
    #[serde(default)]
    pub(super) mutate_files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IssueReply {
    pub(super) severity: IssueSeverity,
    pub(super) message: String,
    #[serde(default)]
    pub(super) code: Option<String>,
    #[serde(default)]
    pub(super) field: Option<String>,
    #[serde(default)]
    pub(super) issue_id: Option<Uuid>,
}
