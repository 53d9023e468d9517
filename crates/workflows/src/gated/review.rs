//! A review as the journal keeps it: its verdict and numbers, or why nobody can read it.
//!
//! Invariant: a review that cannot be read has no verdict that lets anything pass; neither has one that was quoted from
//! the texts under review.
//! Absent here: the block itself; see `review_meta`.

use super::{
    profile::{Material, Phase},
    review_meta::{self, ReviewMeta, Token, Warning},
};
use crate::{Prompt, Unreadable};
use redraft_loop::{Issue, Reading, Severity, Verdict};
use serde::{Deserialize, Serialize};

/// The code of the issue that a review has which cannot be read.
const MALFORMED: &str = "malformed";

/// What is kept of a review beside its text and verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    issues_total: u32,
    issues_critical: u32,
    missing_inputs: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// The texts that a reviewer was shown as data, from which a verdict could be quoted: all but what reviewers said before
/// and what is said of that. A review that was sent back may say the same again.
pub(super) fn shown(prompt: &Prompt) -> Vec<&str> {
    const OF_REVIEWS: [Material; 4] =
        [Material::PreviousReview, Material::Rejected, Material::Feedback, Material::WhatIsWrong];
    let is_of_reviews = |name: &str| OF_REVIEWS.iter().any(|material| material.name() == name);
    let parts = prompt.parts.iter().filter(|part| !is_of_reviews(&part.name));
    parts.map(|part| &*part.text).collect()
}

/// A review's prompt with the words for its block.
pub(super) fn asked(mut prompt: Prompt, session: &str, iteration: u32) -> Prompt {
    let token = Token::of(session, iteration, &shown(&prompt));
    let words = review_meta::asked(&token);
    prompt.instructions = format!(
        "{}\n\n# The first lines of this review\n\n{words}",
        prompt.instructions.trim_end()
    );
    prompt
}

/// Reads a review of what this prompt shows.
///
/// # Errors
/// When its block is missing or malformed, with the line and the fix.
pub(super) fn read(
    response: &str,
    prompt: &Prompt,
    session: &str,
    iteration: u32,
) -> Result<Reading, Unreadable> {
    let shown = shown(prompt);
    let token = Token::of(session, iteration, &shown);
    let (meta, warnings) = review_meta::read(response, &shown, &token)
        .map_err(|error| Unreadable { why: error.to_string() })?;
    Ok(reading(response, meta, &warnings))
}

fn reading(response: &str, meta: ReviewMeta, warnings: &[Warning]) -> Reading {
    let ReviewMeta { verdict, issues_total, issues_critical, missing_inputs } = meta;
    let warnings = warnings.iter().map(ToString::to_string).collect();
    let kept = Kept { issues_total, issues_critical, missing_inputs, warnings };
    Reading {
        verdict: Some(match verdict {
            review_meta::Verdict::Pass => Verdict::Ok,
            review_meta::Verdict::Fail => Verdict::ChangesRequested,
        }),
        // These types have string keys only, which JSON always holds.
        details: serde_json::to_value(kept).unwrap_or_default(),
        ..Reading::text(response)
    }
}

/// What stands for a review that nobody can read: it waits for a person to mend it.
pub(super) fn malformed(response: String, why: String) -> Reading {
    let issue = Issue {
        id: MALFORMED.into(),
        severity: Severity::Error,
        message: why,
        code: Some(MALFORMED.into()),
        field: None,
    };
    Reading { verdict: Some(Verdict::NeedsHuman), issues: vec![issue], ..Reading::text(response) }
}

/// Why nobody can read a review; `None` where it was read.
pub fn what_is_wrong(reading: &Reading) -> Option<&str> {
    let issue = reading.issues.iter().find(|issue| issue.code.as_deref() == Some(MALFORMED))?;
    Some(&issue.message)
}

/// The numbers of a review that was read.
pub fn meta(reading: &Reading) -> Option<ReviewMeta> {
    let verdict = match reading.verdict? {
        Verdict::Ok => review_meta::Verdict::Pass,
        Verdict::ChangesRequested => review_meta::Verdict::Fail,
        Verdict::NeedsHuman => return None,
    };
    let Kept { issues_total, issues_critical, missing_inputs, .. } =
        Kept::deserialize(&reading.details).ok()?;
    Some(ReviewMeta { verdict, issues_total, issues_critical, missing_inputs })
}

/// What is odd about a review that was read.
pub fn warnings(reading: &Reading) -> Vec<String> {
    Kept::deserialize(&reading.details).map(|kept| kept.warnings).unwrap_or_default()
}

/// The iteration that a round's step belongs to: a revision makes the next one.
pub fn iteration_of(phase: Phase, round: u32) -> u32 {
    match phase {
        Phase::Planning | Phase::Generation => 1,
        Phase::Review => round,
        Phase::Revision => round + 1,
    }
}
