//! What a person is asked in a pair in place of a model's prompt, and what they may answer without JSON.
//!
//! Invariant: an answer by hand becomes the message that says the same, or is refused with what to write instead. An
//! answer in JSON is left to the reader of replies.
//! Absent here: where the page is laid, and whether a diff applies.

mod answer;

use super::{
    message::{Kind, Message},
    prompts::template_of,
    shape::{CRITIQUE, IMPLEMENT, PROPOSE},
    verdict::Judgement,
};
use crate::{
    Part, Prompt,
    by_hand::{is_json, line},
    findings::Finding,
    review::json,
};
use redraft_loop::Severity;
use serde::Deserialize;

/// The fields of a request that matter here.
#[derive(Deserialize)]
struct Request {
    workflow: String,
    step: String,
    turn: u32,
    commit: Option<String>,
    #[serde(default)]
    findings: Vec<Finding>,
}

fn request(prompt: &Prompt) -> Option<Request> {
    let asked: Request = serde_json::from_str(&prompt.request).ok()?;
    (asked.workflow == super::NAME).then_some(asked)
}

/// Whether a call belongs to a pair.
pub fn is_of_pair(prompt: &Prompt) -> bool {
    request(prompt).is_some()
}

/// The same call as one short page; `None` where it is none of a pair. The repository's files stand in the repository.
pub fn page(prompt: &Prompt) -> Option<Prompt> {
    let asked = request(prompt)?;
    let against = asked.commit.as_ref().map_or(String::new(), |commit| format!(" {commit}"));
    let task = match asked.step.as_str() {
        PROPOSE => PROPOSING.to_owned(),
        IMPLEMENT => IMPLEMENTING.replace(" COMMIT", &against),
        CRITIQUE => CRITICISING.to_owned(),
        _ => VERIFYING.to_owned(),
    };
    let template = template_of(&asked.step, false).map_or("", |template| template.name);
    let instructions =
        format!("{task}\nAll that a model would be told: redraft prompts show {template}\n");
    let parts = prompt.parts.iter().filter_map(|part| shown(part, &asked)).collect();
    Some(Prompt { instructions, parts, reply: None, request: String::new() })
}

const PROPOSING: &str = "Propose how the task below is to be done: which files change and how, what stays as it is, and how one would see \
    that it is right. Somebody else makes the change.\n\nYour answer is the proposal, in your own words.\n";

const IMPLEMENTING: &str = "Make the change that the task below asks for.\n\nYour answer is the whole change as one unified diff, as `git diff COMMIT` prints \
    it: against that commit, not against your last change. It may stand in a fence. Above it may stand what the change does, and for each finding that is wrong \
    a line\n\n    disputed: ID why it is wrong\n";

const CRITICISING: &str = "Criticise the change below: does it do all of the task and nothing else, and what breaks?\n\nYour answer is what you \
    think of it, in your own words; what has to change stands in a list, point by point:\n\n    \
    - what is wrong, and what to do\n    - warning: what could be better and may stay\n    \
    - blocker (src/file): what makes the change useless, and in which file\n\nWhere findings are shown, answer each that is not fixed on a line of its own: \
    `fixed: ID`, `open: ID`, `disputed: ID` or `reopened: ID`; below the id's line or after it may stand why.\n";

const VERIFYING: &str = "Say whether the change below, as it stands in the diff, is what the task asks for. A failing check keeps it from counting, \
    whatever you say.\n\nYour answer begins with a line `verified` or `rejected`, alone; below it may stand why.\n";

/// A part as a person reads it; `None` where they need not.
fn shown(part: &Part, asked: &Request) -> Option<Part> {
    match part.name.as_str() {
        "paths" => None,
        name if name.starts_with("file ") => None,
        "findings" => {
            Some(Part::new("findings", asked.findings.iter().map(listed).collect::<String>()))
        }
        "your reply" => Some(Part::new("your reply", in_words(&part.text))),
        _ => Some(part.clone()),
    }
}

fn listed(finding: &Finding) -> String {
    let Finding { id, message, .. } = finding;
    let (weight, file) = (weight(finding.severity), in_file(finding.field.as_deref()));
    let status = finding.status.name();
    let dispute =
        finding.dispute().map_or(String::new(), |why| format!("    disputed: {}\n", line(why)));
    format!("{id}  {status}  {weight}{file}: {}\n{dispute}", line(message))
}

fn weight(severity: Severity) -> &'static str {
    match severity {
        Severity::Blocker => "blocker",
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn in_file(file: Option<&str>) -> String {
    file.map_or(String::new(), |file| format!(" ({file})"))
}

/// A message as a person would have written it; what is none, as it is.
fn in_words(reply: &str) -> String {
    let Ok(message) = serde_json::from_str::<Message>(reply) else { return reply.to_owned() };
    let verdict = message.verdict.map(|verdict| match verdict {
        Judgement::Verified => "verified\n\n".to_owned(),
        Judgement::Rejected => "rejected\n\n".to_owned(),
    });
    let points = message.issues.iter().flatten().map(|point| {
        let file = in_file(point.file.as_deref());
        format!("- {}{file}: {}\n", weight(point.severity), line(&point.message))
    });
    let answers = message.findings.iter().flatten().map(|answer| {
        let note = answer.note.as_deref().map_or(String::new(), |note| format!(" {}", line(note)));
        format!("{}: {}{note}\n", answer.status.name(), answer.id)
    });
    let disputes = message.disputes.iter();
    let disputes = disputes.map(|one| format!("disputed: {} {}\n", one.finding, line(&one.reason)));
    let below: String = points.chain(answers).chain(disputes).chain(message.diff).collect();
    let gap = if below.is_empty() { "" } else { "\n\n" };
    format!("{}{}{gap}{below}", verdict.unwrap_or_default(), message.content)
}

/// The answer as a reply.
///
/// # Errors
/// What is wrong, and what to write instead.
pub fn reply(prompt: &Prompt, text: &str) -> Result<String, String> {
    let Some(asked) = request(prompt) else { return Ok(text.to_owned()) };
    if is_json(text, "type") {
        return Ok(text.to_owned());
    }
    let message = match asked.step.as_str() {
        PROPOSE => Message::new(Kind::Propose, asked.turn, text.trim()),
        IMPLEMENT => answer::implemented(asked, text)?,
        CRITIQUE => answer::criticised(asked, text)?,
        _ => answer::verified(&asked, text)?,
    };
    json::write(&message).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
