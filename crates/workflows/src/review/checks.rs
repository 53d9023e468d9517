//! What a reviewer's word cannot overrule: rules that are checked in every review, whoever reviews.
//!
//! Invariant: a rule only adds an error, and an `ok` that meets one becomes `changes_requested`.
//! Absent here: rubrics. They belong to a reviewer.

use super::{model::AssetId, reply::named_uuid};
use redraft_loop::{Issue, Reading, Severity, Verdict};

/// The selection that a new candidate may not depart from (contract §3.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedSelection {
    /// The file that holds it, relative to the workspace.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// Adds what the rules find about the candidate to a review of it.
pub(super) fn enforce(
    asset: &AssetId,
    round: u32,
    locked: Option<&LockedSelection>,
    candidate: &str,
    mut review: Reading,
) -> Reading {
    let found = [
        empty_text(candidate),
        locked_selection(locked, candidate),
        heading_in_slug(asset, candidate),
    ];
    for (code, message) in found.into_iter().flatten() {
        let n = review.issues.len();
        review.issues.push(Issue {
            id: named_uuid(&format!("review_issue:{asset}:{round}:{n}")).to_string(),
            severity: Severity::Error,
            message,
            code: Some(code.to_owned()),
            field: Some("content".to_owned()),
        });
    }
    if review.is_contradiction() {
        review.verdict = Some(Verdict::ChangesRequested);
    }
    review
}

type Found = Option<(&'static str, String)>;

fn empty_text(candidate: &str) -> Found {
    let empty = candidate.trim().is_empty();
    empty.then(|| ("empty_text", "the candidate is empty; write its text".to_owned()))
}

/// Newlines are normalised; the format plays no part, so changing it does not get round the lock.
fn locked_selection(locked: Option<&LockedSelection>, candidate: &str) -> Found {
    let locked = locked?;
    let normal = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n").trim_end().to_owned();
    (normal(&locked.text) != normal(candidate)).then(|| {
        let file = &locked.file;
        ("locked_selection", format!("differs from the locked selection in {file}; keep its text"))
    })
}

/// A slug becomes part of an address: a Markdown heading can only be a mistake.
fn heading_in_slug(asset: &AssetId, candidate: &str) -> Found {
    let heading = candidate.lines().any(|line| line.trim_start().starts_with('#'));
    (asset.as_str() == "slug" && heading).then(|| {
        ("markdown_in_slug", "the slug holds a Markdown heading; write the slug alone".to_owned())
    })
}
