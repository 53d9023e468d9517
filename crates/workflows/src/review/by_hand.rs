//! What a person is asked in place of a model's prompt, and what they may answer without JSON.
//!
//! Invariant: an answer by hand becomes the JSON that says the same, or is refused with what to write instead. An
//! answer in JSON is left to the reader of replies.
//! Absent here: where the page is laid, and reading what became JSON.

use super::{checks::limits_of, shape::CREATE};
use crate::{Part, Prompt, by_hand::is_json};
use redraft_loop::{Severity, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write;

/// The parts of a prompt that a person is shown; the transcript and what is known of the episode stand in the workspace.
const SHOWN: [&str; 7] = [
    "locked selection",
    "previous candidate",
    "previous review",
    "candidate",
    "reopened",
    "your reply",
    "what is wrong",
];

/// Where a person finds the transcript, and how commands name the workspace.
pub fn places(workspace: &str, transcript: Option<&str>) -> impl Iterator<Item = Part> {
    let transcript = transcript.map(|file| Part::new(TRANSCRIPT, file));
    std::iter::once(Part::new(WORKSPACE, workspace)).chain(transcript)
}

const WORKSPACE: &str = "workspace";
const TRANSCRIPT: &str = "transcript file";

/// The fields of a request that matter here.
#[derive(Deserialize)]
struct Request {
    asset_id: String,
    iteration: u32,
    step: String,
    #[serde(default)]
    open_findings: Vec<Shown>,
}

#[derive(Deserialize)]
struct Shown {
    id: String,
    status: String,
    severity: Severity,
    message: String,
    dispute: Option<String>,
}

impl Shown {
    fn is_open(&self) -> bool {
        self.status != "fixed"
    }
}

fn request(prompt: &Prompt) -> Option<Request> {
    serde_json::from_str(&prompt.request).ok()
}

/// The same call as one short page; `None` where it is none of a review.
pub fn page(prompt: &Prompt) -> Option<Prompt> {
    let asked = request(prompt)?;
    let (asset, role) =
        (&asked.asset_id, if asked.step == CREATE { "creator" } else { "reviewer" });
    let mut text = match asked.step.as_str() {
        CREATE => format!(
            "Write the text `{asset}` for the episode (iteration {}). Your answer is the text itself, from its first \
             to its last character, and nothing else.\n",
            asked.iteration
        ),
        _ => format!(
            "Review the candidate of `{asset}` below (iteration {}): is it true to what was said, and can it be \
             published as it stands?\n\n{ANSWER}",
            asked.iteration
        ),
    };
    let limits: String = limits_of(&prompt.instructions).map(|line| format!("{line}\n")).collect();
    if !limits.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(text, "\nLimits of the text:\n\n{limits}");
    }
    let findings: Vec<Part> = findings(&asked).into_iter().collect();
    let place = |name: &str| prompt.parts.iter().find(|part| part.name == name);
    if let Some(Part { text: transcript, .. }) = place(TRANSCRIPT) {
        let _ = write!(text, "\nThe transcript stands in {transcript}.");
    }
    let at = place(WORKSPACE).map_or(String::new(), |part| format!(" {}", part.text));
    let _ = write!(
        text,
        "\nAll that a model would be told: \
         redraft prompts show{at} {asset} --role {role}\n"
    );
    let shown = prompt.parts.iter().filter(|part| SHOWN.contains(&part.name.as_str()));
    let parts = shown.cloned().chain(findings).collect();
    Some(Prompt { instructions: text, parts, reply: None, request: String::new() })
}

/// How a reviewer answers.
const ANSWER: &str = "Your answer begins with a line `ok`, `changes_requested` or `needs_human`. Below it stands one line for each issue:\n\n    \
    error: what has to change, and where\n    warning: what could be better and may stay\n\nWhere findings are shown, answer each by its id: `fixed: ID`, \
    `open: ID`, `disputed: ID` or `reopened: ID`; below `ok`, those you do not name count as fixed.\n";

fn findings(asked: &Request) -> Option<Part> {
    let line = |finding: &Shown| {
        let Shown { id, status, message, .. } = finding;
        let dispute = finding.dispute.iter().map(|why| format!("\n    disputed: {why}"));
        format!(
            "{id}  {status}  {}: {message}{}\n",
            weight(finding.severity),
            dispute.collect::<String>()
        )
    };
    let text: String = asked.open_findings.iter().map(line).collect();
    (!text.is_empty()).then(|| Part::new("findings", text))
}

fn weight(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error | Severity::Blocker => "error",
    }
}

/// The answer as a reply.
///
/// # Errors
/// What is wrong, and what to write instead.
pub fn reply(prompt: &Prompt, text: &str) -> Result<String, String> {
    let Some(asked) = request(prompt) else { return Ok(text.to_owned()) };
    match asked.step.as_str() {
        CREATE => candidate(&prompt.instructions, text),
        _ if verdict(text).is_none() && has_json(text) => Ok(text.to_owned()),
        _ => review(&asked, text).map(|review| review.to_string()),
    }
}

/// Whether JSON stands on lines of its own somewhere in an answer; what is read of it, the reader of replies says.
fn has_json(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('{'))
}

/// The verdict that an answer begins with.
fn verdict(text: &str) -> Option<Verdict> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    match first.trim().to_lowercase().as_str() {
        "ok" => Some(Verdict::Ok),
        "changes_requested" => Some(Verdict::ChangesRequested),
        "needs_human" => Some(Verdict::NeedsHuman),
        _ => None,
    }
}

fn candidate(instructions: &str, text: &str) -> Result<String, String> {
    if is_json(text, "candidate") {
        return Ok(text.to_owned());
    }
    if text.trim_start().starts_with('{') {
        return Err("it looks like JSON and has no candidate; write the text alone".to_owned());
    }
    let plain = limits_of(instructions).any(|line| line.starts_with("- Format: plain text"));
    let format = if plain { "plain" } else { "markdown" };
    Ok(json!({"done": true, "candidate": {"content": text, "format": format}}).to_string())
}

fn review(asked: &Request, text: &str) -> Result<Value, String> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let verdict = verdict(text).ok_or_else(|| {
        "its first line has to be ok, changes_requested or needs_human, alone".to_owned()
    })?;
    lines.next();
    let (mut issues, mut answers): (Vec<Value>, Vec<(String, String)>) = (Vec::new(), Vec::new());
    for (n, line) in lines {
        let (word, rest) = line.trim().split_once(':').unwrap_or((line.trim(), ""));
        match (word.trim().to_lowercase().as_str(), rest.trim()) {
            (word @ ("error" | "warning"), message) if !message.is_empty() => {
                issues.push(json!({"severity": word, "message": message}));
            }
            (word @ ("fixed" | "open" | "disputed" | "reopened"), id) if !id.is_empty() => {
                answers.push((
                    known(asked, id).map_err(|why| format!("line {n}: {why}"))?,
                    word.to_owned(),
                ));
            }
            _ => {
                return Err(format!(
                    "line {n} has to be `error: …`, `warning: …`, or a finding's `fixed: ID`, `open: ID`"
                ));
            }
        }
    }
    complete(asked, verdict, &mut answers)?;
    let stands = answers.iter().any(|(_, status)| status != "fixed");
    let errors = issues.iter().any(|issue| issue["severity"] == "error");
    match verdict {
        Verdict::Ok if errors => {
            return Err("ok and an error contradict each other; write changes_requested, or make it a warning".to_owned());
        }
        Verdict::Ok if stands => {
            return Err("ok and a finding that is not fixed contradict each other; write changes_requested, or `fixed: ID`".to_owned());
        }
        Verdict::ChangesRequested if !errors && !stands => {
            return Err(
                "changes_requested says what has to change: add a line `error: …`".to_owned()
            );
        }
        Verdict::Ok | Verdict::ChangesRequested | Verdict::NeedsHuman => {}
    }
    let answers: Vec<Value> =
        answers.iter().map(|(id, status)| json!({"id": id, "status": status})).collect();
    let findings = (!asked.open_findings.is_empty()).then_some(answers);
    let mut review = json!({"verdict": verdict, "issues": issues});
    if let Some(findings) = findings {
        review["findings"] = Value::from(findings);
    }
    Ok(review)
}

/// The whole id of a finding that was shown, of which the beginning is given.
fn known(asked: &Request, id: &str) -> Result<String, String> {
    let mut found = asked.open_findings.iter().filter(|finding| finding.id.starts_with(id));
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one.id.clone()),
        (Some(_), Some(_)) => {
            Err(format!("several findings begin with {id}; write more of the id"))
        }
        (None, _) => Err(format!("no finding {id} was shown; copy its id from the page")),
    }
}

/// Each open finding is answered once; under `ok` those that are not named are fixed.
fn complete(
    asked: &Request,
    verdict: Verdict,
    answers: &mut Vec<(String, String)>,
) -> Result<(), String> {
    for finding in asked.open_findings.iter().filter(|finding| finding.is_open()) {
        let named = answers.iter().filter(|(id, _)| *id == finding.id).count();
        match (named, verdict) {
            (1, _) => {}
            (0, Verdict::Ok) => answers.push((finding.id.clone(), "fixed".to_owned())),
            (0, _) => {
                return Err(format!(
                    "say how finding {} stands: `fixed: {0}` or `open: {0}`",
                    finding.id
                ));
            }
            (_, _) => {
                return Err(format!("finding {} is answered twice; keep one line", finding.id));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
