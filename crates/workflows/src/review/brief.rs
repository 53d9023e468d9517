//! What a model is told: instructions from templates, and everything else as parts beside them.
//!
//! Invariant: instructions are made from templates, the asset's id, the iteration, the lens and the names of
//! the parts alone. No text of an episode, a candidate or a review ever stands in them, so none can change them.
//! Absent here: files. Whoever opens a workspace builds the brief from its texts.

mod built_in;
mod episode_card;
mod excerpt;
mod template;
mod templates;

pub use episode_card::EpisodeCard;
pub use excerpt::{Summaries, TRANSCRIPT_BUDGET, excerpt};
pub use template::{Origin, Template, TemplateError};
pub(crate) use templates::reads;
pub use templates::{CREATOR, REVIEWER, Templates};

use super::{
    json,
    model::{AssetId, Candidate, IssueSeverity, ReviewIteration},
};
use crate::Part;
use redraft_loop::Verdict;
use serde::Serialize;
use template::Variables;

/// What the reviews of one episode have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// The instructions, before they are filled in.
    pub templates: Templates,
    /// What is known of the episode, as JSON; see [`EpisodeCard::part`].
    pub episode: Part,
    /// What was said, within a bound; see [`excerpt`].
    pub transcript: Option<Part>,
}

/// Which side of the table a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Writes.
    Creator,
    /// Judges.
    Reviewer,
}

impl Side {
    /// The name of the side's template.
    pub fn template(self) -> &'static str {
        match self {
            Self::Creator => CREATOR,
            Self::Reviewer => REVIEWER,
        }
    }
}

/// What one call is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Task<'a> {
    /// The asset.
    pub asset: &'a AssetId,
    /// Who is asked.
    pub side: Side,
    /// What this reviewer looks at above all; the name of a template `lenses/<lens>`.
    pub lens: Option<&'a str>,
    /// From 1.
    pub iteration: u32,
    /// The last one that is allowed.
    pub last_iteration: u32,
    /// The selection that may not change.
    pub locked: Option<&'a str>,
    /// The text to go on from, or to review.
    pub candidate: Option<&'a Candidate>,
    /// What was said about the text to go on from.
    pub previous_review: Option<&'a ReviewIteration>,
    /// The findings that are still open, as a JSON list of objects with `id`.
    pub open_findings: Option<String>,
    /// Parts of the call beside these: `reopened`, `your reply`, `what is wrong`.
    pub more: Vec<Part>,
}

/// A prompt but for the form of its reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Briefed {
    /// What to do.
    pub instructions: String,
    /// What to work on.
    pub parts: Vec<Part>,
}

/// A review as the creator is shown it: what was said, without the journal's ids and times.
#[derive(Serialize)]
struct ShownReview<'a> {
    verdict: Verdict,
    issues: Vec<ShownIssue<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
}

#[derive(Serialize)]
struct ShownIssue<'a> {
    severity: IssueSeverity,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
}

impl Brief {
    /// What this call is asked.
    pub fn write(&self, task: &Task<'_>) -> Briefed {
        let parts = self.parts(task);
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let lens = task.lens.and_then(|lens| self.templates.lens(lens));
        let bare = Variables {
            asset: task.asset.as_str(),
            iteration: task.iteration,
            last_iteration: task.last_iteration,
            parts: &names,
            rubric: String::new(),
            lens: String::new(),
        };
        let lens = lens.map_or(String::new(), |lens| lens.text(&bare));
        let rubric = self.templates.kind(task.asset).text(&bare);
        let instructions = self.templates.side(task.side).text(&Variables { rubric, lens, ..bare });
        Briefed { instructions, parts }
    }

    /// The templates that play a part in a call.
    pub fn used(&self, asset: &AssetId, side: Side, lens: Option<&str>) -> Vec<&Template> {
        let lens = lens.and_then(|lens| self.templates.lens(lens));
        let always = [self.templates.side(side), self.templates.kind(asset)];
        always.into_iter().chain(lens).collect()
    }

    fn parts(&self, task: &Task<'_>) -> Vec<Part> {
        let candidate = match task.side {
            Side::Creator => "previous candidate",
            Side::Reviewer => "candidate",
        };
        let review = task.previous_review.filter(|_| task.side == Side::Creator);
        std::iter::once(self.episode.clone())
            .chain(self.transcript.clone())
            .chain(task.locked.map(|text| Part::new("locked selection", text)))
            .chain(task.candidate.map(|text| Part::new(candidate, &*text.content)))
            .chain(review.map(|review| Part::new("previous review", shown(review))))
            .chain(task.open_findings.clone().map(|text| Part::new("open findings", text)))
            .chain(task.more.iter().cloned())
            .collect()
    }
}

fn shown(review: &ReviewIteration) -> String {
    let issues = review.issues.iter().map(|issue| ShownIssue {
        severity: issue.severity,
        message: &issue.message,
        code: issue.code.as_deref(),
        field: issue.field.as_deref(),
    });
    let review = ShownReview {
        verdict: review.verdict,
        issues: issues.collect(),
        summary: review.summary.as_deref(),
    };
    // Texts and names of our own enums are always JSON.
    json::write(&review).unwrap_or_default()
}

#[cfg(test)]
mod tests;
