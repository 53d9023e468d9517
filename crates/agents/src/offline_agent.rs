//! The offline agent as a player: answers a review's calls with extractive drafts and rubric reviews.
//!
//! Invariant: it answers from the prompt and the episode alone; no network, no clock, no state.
//! Absent here: how texts are extracted and checked, which is `offline`.

use crate::offline::{self, Episode, Finding, Previous};
use futures::FutureExt;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::Failure;
use serde::Deserialize;
use serde_json::{Value, json};

/// Writes and reviews the assets of one episode.
pub struct OfflineAgent {
    episode: Episode,
    /// Rules that only an extract can keep to, and that others are not held to.
    waived: &'static [&'static str],
}

/// The version of the extraction, for the record.
const EXTRACTION: &str = "extractive-1";

#[derive(Deserialize)]
struct Prompt {
    asset_id: String,
    iteration: u32,
    step: String,
    candidate: Option<Text>,
    previous_candidate: Option<Text>,
    previous_review: Option<Review>,
}

#[derive(Deserialize)]
struct Text {
    content: String,
}

#[derive(Deserialize)]
struct Review {
    issues: Vec<Issue>,
}

#[derive(Deserialize)]
struct Issue {
    severity: String,
    message: String,
    code: Option<String>,
}

impl OfflineAgent {
    /// An agent for this episode.
    pub fn new(episode: Episode) -> Self {
        Self { episode, waived: &[] }
    }

    /// The same for texts of others: in one's own words a text says what nobody said word for word.
    #[must_use]
    pub fn judging_others(self) -> Self {
        Self { waived: &["not_in_transcript"], ..self }
    }

    fn reply(&self, call: &Call) -> Result<Answer, String> {
        let prompt: Prompt = serde_json::from_str(&call.prompt.request)
            .map_err(|error| format!("the offline agent cannot read the prompt: {error}"))?;
        let reply = if prompt.candidate.is_some() && prompt.step != "create" {
            self.review(&prompt)?
        } else {
            self.draft(&prompt)?
        };
        Ok(Answer::text(reply.to_string()))
    }

    fn draft(&self, prompt: &Prompt) -> Result<Value, String> {
        let kind = &prompt.asset_id;
        let findings: Vec<Finding> = prompt.previous_review.iter().flat_map(findings).collect();
        let previous = prompt.previous_candidate.as_ref().map(|text| Previous {
            text: &text.content,
            findings: &findings,
            iteration: prompt.iteration.saturating_sub(1),
        });
        let draft = offline::draft(kind, &self.episode, previous).ok_or_else(|| unknown(kind))?;
        Ok(json!({
            "done": draft.done,
            "candidate": {
                "content": draft.text,
                "format": format_name(draft.format),
                "provenance": [provenance(kind)],
            },
        }))
    }

    fn review(&self, prompt: &Prompt) -> Result<Value, String> {
        let kind = &prompt.asset_id;
        offline::rubric(kind).ok_or_else(|| unknown(kind))?;
        let text = prompt.candidate.as_ref().map_or("", |text| &text.content);
        let mut findings = offline::review(kind, &self.episode, text);
        findings.retain(|finding| !self.waived.contains(&finding.code.as_str()));
        let error = findings.iter().any(|finding| finding.severity == offline::Severity::Error);
        let issues: Vec<Value> = findings.iter().map(issue).collect();
        Ok(json!({
            "verdict": if error { "changes_requested" } else { "ok" },
            "reviewer": "offline",
            "issues": issues,
            "provenance": [provenance(kind)],
        }))
    }
}

/// The name of a format as replies spell it.
pub fn format_name(format: offline::Format) -> &'static str {
    match format {
        offline::Format::Markdown => "markdown",
        offline::Format::Plain => "plain",
    }
}

/// Where the offline agent's texts come from, as one provenance entry.
pub fn provenance(kind: &str) -> Value {
    let version = offline::rubric(kind).map_or(0, |rubric| rubric.version);
    json!({
        "kind": "offline",
        "ref": format!("{EXTRACTION}.{kind}"),
        "metadata": {"note": offline::EXTRACTIVE_NOTE, "rubric_version": version},
    })
}

fn unknown(kind: &str) -> String {
    let kinds: Vec<&str> = offline::kinds().collect();
    format!("the offline agent has no rubric for {kind}; it knows {}", kinds.join(", "))
}

fn findings(review: &Review) -> impl Iterator<Item = Finding> + '_ {
    review.issues.iter().map(|issue| Finding {
        severity: match issue.severity.as_str() {
            "error" => offline::Severity::Error,
            _ => offline::Severity::Warning,
        },
        code: issue.code.clone().unwrap_or_default(),
        message: issue.message.clone(),
    })
}

fn issue(finding: &Finding) -> Value {
    let severity = match finding.severity {
        offline::Severity::Error => "error",
        offline::Severity::Warning => "warning",
    };
    json!({
        "severity": severity,
        "code": finding.code,
        "field": "content",
        "message": finding.message,
    })
}

impl Agent for OfflineAgent {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        let failed = |message| AttemptError::new(Failure::Permanent, message).into();
        std::future::ready(self.reply(call).map_err(failed)).boxed()
    }

    fn costs_nothing(&self) -> bool {
        true
    }
}
