//! What a reviewer's word cannot overrule: rules that are checked in every review, whoever reviews.
//!
//! Invariant: a rule only adds issues, and an `ok` that meets an error becomes `changes_requested`.
//! Absent here: rubrics, but for their limits that can be counted. What else they say belongs to a reviewer.

mod limits;
mod pattern;
mod presented;
mod prose;
mod spelling;

pub(super) use limits::lines as limits_of;

use super::{
    kept::{named_uuid, with_house_issue},
    model::AssetId,
    names::Names,
    reversal,
};
use redraft_loop::{Issue, Reading, Severity, Verdict};
use spelling::Case;

/// The selection that a new candidate may not depart from (contract §3.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedSelection {
    /// The file that holds it, relative to the workspace.
    pub file: String,
    /// Its text.
    pub text: String,
}

const EMPTY: &str = "empty_text";
/// The code of the issue that a candidate gets which departs from a locked selection.
pub const LOCKED_SELECTION: &str = "locked_selection";
const HEADING: &str = "markdown_in_slug";
const REVERSAL: &str = "reversal";
const SPELLING: &str = "name_spelling";
const SPEAKER: &str = "unknown_speaker";
/// The code of the issue that stands in for a review that nobody can read.
pub(super) const UNREADABLE: &str = "unreadable_review";

/// Assets in which words stand in lower case.
const LOWER_CASE: [&str; 4] = ["slug", "cms_tags", "audio_tags", "itunes_keywords"];
/// Assets that are one line, in which a colon names no speaker.
const TITLES: [&str; 3] = ["title_detail", "title_seo", "subtitle_auphonic"];
/// The most names of a text that are told at once.
const MOST_NAMES: usize = 20;

/// Adds what the rules find about the candidate to a review of it.
pub(super) fn enforce(
    asset: &AssetId,
    round: u32,
    rules: &Rules<'_>,
    candidate: &str,
    mut review: Reading,
) -> Reading {
    let differs = locked_selection(rules.locked, candidate);
    // A text that a person has chosen stands as it is: asking for a change of it would lead nowhere.
    let stands = rules.locked.is_some() && differs.is_none();
    let of_names = if stands { Vec::new() } else { names(asset, rules.names, candidate) };
    let of_limits = if stands { Vec::new() } else { limits(rules.rubric, candidate, &review) };
    let found = [
        empty_text(candidate),
        differs,
        heading_in_slug(asset, candidate),
        reversal(rules.earlier, candidate),
    ];
    for (code, message) in found.into_iter().flatten().chain(of_limits).chain(of_names) {
        let n = review.issues.len();
        let issue = Issue {
            id: named_uuid(&format!("review_issue:{asset}:{round}:{n}")).to_string(),
            severity: weight(code),
            message,
            code: Some(code.to_owned()),
            field: Some("content".to_owned()),
        };
        review = with_house_issue(review, issue);
    }
    if review.is_contradiction() {
        review.verdict = Some(Verdict::ChangesRequested);
    }
    review
}

/// What the rules go by, beside the text.
pub(super) struct Rules<'a> {
    pub(super) locked: Option<&'a LockedSelection>,
    /// The names that a text has to keep to.
    pub(super) names: &'a Names,
    /// What the players are told of the kind, and with it its limits; `None` where only programs of ours play.
    pub(super) rubric: Option<&'a str>,
    /// The two texts before, the older one first.
    pub(super) earlier: Option<[&'a str; 2]>,
}

/// Going back and forth is worth knowing; whether the text is good for that, its reviewer says.
fn weight(code: &str) -> Severity {
    if code == REVERSAL { Severity::Warning } else { Severity::Error }
}

type Found = Option<(&'static str, String)>;

fn empty_text(candidate: &str) -> Found {
    let empty = candidate.trim().is_empty();
    empty.then(|| (EMPTY, "the candidate is empty; write its text".to_owned()))
}

/// The limits that the text breaks and its reviewer has not named as errors. An empty text breaks none worth telling.
fn limits(rubric: Option<&str>, candidate: &str, review: &Reading) -> Vec<(&'static str, String)> {
    let rubric = rubric.filter(|_| !candidate.trim().is_empty());
    let named = |code: &str| {
        let mut errors = review.issues.iter().filter(|issue| issue.severity != Severity::Warning);
        errors.any(|issue| issue.code.as_deref() == Some(code))
    };
    let limits = rubric.map(limits::of).unwrap_or_default().into_iter();
    limits.filter_map(|limit| limit.breach(candidate)).filter(|(code, _)| !named(code)).collect()
}

/// Names that are spelled otherwise than the episode has them, and people who do not take part in it.
fn names(asset: &AssetId, names: &Names, candidate: &str) -> Vec<(&'static str, String)> {
    let is_list = LOWER_CASE.contains(&asset.as_str());
    let case = if is_list { Case::Free } else { Case::Kept };
    let misspelled = spelling::misspelled(names, case, candidate).into_iter().map(|name| {
        let (written, right) = (name.written, name.right);
        (SPELLING, format!("{written:?} is spelled {right:?}: correct it"))
    });
    let is_title = TITLES.contains(&asset.as_str());
    let unknown = match is_list {
        true => Vec::new(),
        false => presented::unknown(names, is_title, candidate),
    };
    let unknown = unknown.into_iter().map(|name| {
        let who =
            "is presented as taking part, and is neither host, guest nor speaker of the episode";
        (SPEAKER, format!("{name:?} {who}: take the name out, or add it to episode.yaml"))
    });
    misspelled.chain(unknown).take(MOST_NAMES).collect()
}

/// Newlines are normalised; the format plays no part, so changing it does not get round the lock.
fn locked_selection(locked: Option<&LockedSelection>, candidate: &str) -> Found {
    let locked = locked?;
    let normal = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n").trim_end().to_owned();
    (normal(&locked.text) != normal(candidate)).then(|| {
        let file = &locked.file;
        (LOCKED_SELECTION, format!("differs from the locked selection in {file}; keep its text"))
    })
}

/// A slug becomes part of an address: a Markdown heading can only be a mistake.
fn heading_in_slug(asset: &AssetId, candidate: &str) -> Found {
    let heading = candidate.lines().any(|line| line.trim_start().starts_with('#'));
    (asset.as_str() == "slug" && heading)
        .then(|| (HEADING, "the slug holds a Markdown heading; write the slug alone".to_owned()))
}

/// Going back and forth leads nowhere: whoever wrote the text before had a reason.
fn reversal(earlier: Option<[&str; 2]>, candidate: &str) -> Found {
    let [older, before] = earlier?;
    let message =
        "undoes what the iteration before changed; settle which of both is right, and why";
    reversal::undoes(candidate, before, older).then(|| (REVERSAL, message.to_owned()))
}
