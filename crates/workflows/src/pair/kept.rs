//! What the journal keeps of a pair's messages, and what is read from it again.
//!
//! Invariant: a diff stands in its reading's text alone, once; so does what any other message says.
//! Absent here: how a message is read.

use super::{
    message::{Kind, Message},
    shape::{CHECK, CRITIQUE, IMPLEMENT, PROPOSE, VERIFY},
    work::Checked,
};
use crate::findings::{Answer, Dispute};
use redraft_loop::{Opened, Reading, Run, Turn};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was asked, as it stands in a run's first fact.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The task, word for word.
    pub task: String,
    /// The repository, where there is one; the mock run has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<Repository>,
    /// The commands that check a change, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// Whether the builder edits files itself, and answers with no diff.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edits: bool,
    /// The project's own prompts that stood when the run was opened, by the name of ours that each replaces: the whole
    /// file. Where a name is missing, ours is told.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, String>,
}

/// A repository as models are told of it, captured when the run was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repository {
    /// Its top folder on the machine where the run was opened.
    pub folder: String,
    /// The commit that the change is made against.
    pub commit: String,
    /// The paths of its files.
    pub paths: Vec<String>,
    /// The texts that are shown whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<TextFile>,
}

/// A file's path and text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextFile {
    /// The path from the repository's root.
    pub path: String,
    /// The text.
    pub text: String,
}

/// What is kept of a turn's reading beside its text, verdict and issues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Kept {
    /// A message. Its longest text is the reading's: the diff of an implement message, the content of any other.
    Message(Box<Message>),
    /// What the checks said.
    Checked(Checked),
}

impl Kept {
    pub(super) fn of(reading: &Reading) -> Option<Self> {
        Self::deserialize(&reading.details).ok()
    }

    fn value(&self) -> serde_json::Value {
        // These types have string keys only, which JSON always holds.
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// A message's reading, without verdict and issues.
pub(super) fn message_reading(mut message: Message) -> Reading {
    let text = match message.kind {
        Kind::Implement => message.diff.take().unwrap_or_default(),
        Kind::Propose | Kind::Critique | Kind::Verify => std::mem::take(&mut message.content),
    };
    Reading { details: Kept::Message(Box::new(message)).value(), ..Reading::text(text) }
}

/// The checks' reading, without verdict and issues; its text is the same where they end the same.
pub(super) fn checks_reading(checked: Checked) -> Reading {
    let line = |check: &super::CheckResult| format!("{}: {}\n", check.command, check.ending());
    let text: String = checked.checks.iter().map(line).collect();
    Reading { details: Kept::Checked(checked).value(), ..Reading::text(text) }
}

/// What was asked; `None` where the run is no pair.
pub fn settings(run: &Run) -> Option<Settings> {
    settings_of(run.opened())
}

/// The same of a run that is being opened.
pub fn settings_of(opened: &Opened) -> Option<Settings> {
    Settings::deserialize(&opened.settings).ok()
}

/// The message of a turn; `None` where the checks made it.
pub(super) fn message(reading: &Reading) -> Option<Message> {
    let Kept::Message(message) = Kept::of(reading)? else { return None };
    let text = reading.text.clone();
    Some(match message.kind {
        Kind::Implement => Message { diff: Some(text), ..*message },
        Kind::Propose | Kind::Critique | Kind::Verify => Message { content: text, ..*message },
    })
}

/// What a message says of findings that were raised before it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Said {
    #[serde(default)]
    pub(super) findings: Option<Vec<Answer>>,
    #[serde(default)]
    pub(super) disputes: Vec<Dispute>,
}

/// What a turn's message says of findings, without a copy of the change or of anything else that it holds; `None` where
/// the checks made it.
pub(super) fn said(reading: &Reading) -> Option<Said> {
    Said::deserialize(reading.details.get("message")?).ok()
}

/// All messages of a run, oldest first: none is ever dropped.
pub fn messages(run: &Run) -> Vec<Message> {
    run.turns().iter().filter_map(|turn| message(turn.readings.first()?)).collect()
}

/// What the checks said in this round; `None` while they have not run.
pub fn checked(run: &Run, round: u32) -> Option<Checked> {
    let reading = run.turn(round, &CHECK.into())?.readings.first()?;
    match Kept::of(reading)? {
        Kept::Checked(checked) => Some(checked),
        Kept::Message(_) => None,
    }
}

/// The kind of message that a step brings; `None` for the checks' step.
pub(super) fn kind(step: &str) -> Option<Kind> {
    match step {
        PROPOSE => Some(Kind::Propose),
        IMPLEMENT => Some(Kind::Implement),
        CRITIQUE => Some(Kind::Critique),
        VERIFY => Some(Kind::Verify),
        _ => None,
    }
}

/// The newest turn of a step, as a message.
pub(super) fn newest(run: &Run, step: &str) -> Option<Message> {
    run.newest(&step.into()).and_then(|turn: &Turn| message(turn.readings.first()?))
}
