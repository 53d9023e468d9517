//! Agents as they are configured: models, programs and people.
//!
//! Invariant: a variant owns what is valid in it; a key is only ever named by where it comes from.
//! Absent here: reading them from a file, and playing them.

use super::origin::Place;
use redraft_agents::{
    Preset,
    llm::{KeySource, Provider},
};
use std::{collections::BTreeMap, path::PathBuf};

/// An agent with the file that defines it, whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Defined {
    pub(crate) agent: Agent,
    /// Where its table begins.
    pub(crate) place: Place,
    /// Where its keys stand; what is not here is built in.
    pub(crate) keys: BTreeMap<&'static str, Place>,
}

/// What plays a role.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Agent {
    /// A language model.
    Llm(Llm),
    /// A program: prompt on stdin, reply on stdout.
    Command(Program),
    /// A person.
    Human,
    /// The agent without network and key.
    Offline,
    /// The agent that says what a script says.
    Scripted,
}

/// A language model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Llm {
    pub(crate) provider: Provider,
    pub(crate) model: String,
    /// The family for the record; derived from the model's name where it is not given.
    pub(crate) family: Option<String>,
    /// Always there for a compatible server; without credentials, query and trailing slash.
    pub(crate) base_url: Option<String>,
    /// `None`: no key is sent.
    pub(crate) key: Option<KeySource>,
    /// From 0 to 2; the model's own where it is not given.
    pub(crate) temperature: Option<f64>,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) stream: bool,
    pub(crate) json_schema: bool,
}

/// A program that plays a role.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Program {
    pub(crate) launch: Launch,
    /// Further arguments, as they are; no shell sees them.
    pub(crate) args: Vec<String>,
    /// What goes to stdin; the preset's own choice, else text, where it is not given.
    pub(crate) input: Option<Input>,
    /// Variables that are let through, by name, beside PATH, LANG, HOME and TMPDIR.
    pub(crate) env: Vec<String>,
    pub(crate) max_output_bytes: u64,
    /// Tighter than the budget's time for one call, where it is given.
    pub(crate) timeout_seconds: Option<u64>,
    /// Whether it edits the files itself where it builds; one that does not answers with a diff, as models do.
    pub(crate) edits: bool,
}

/// What is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Launch {
    /// A known program with the arguments it needs.
    Preset(Preset),
    /// A program by its name on PATH, or by its path.
    Program(PathBuf),
}

/// What a program gets on stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    /// The prompt.
    Text,
    /// The call as one JSON document.
    Json,
}

/// The agents that need no table; the presets' programs are known too, see [`Preset`].
pub(crate) const BUILT_IN: [&str; 3] = ["offline", "scripted", "human"];

/// The most bytes of a reply of a program for which nothing else is said.
pub(super) const LONGEST_REPLY: u64 = 4_000_000;

impl Program {
    /// A known program as it is, without a table.
    pub(crate) fn preset(preset: Preset) -> Self {
        Self {
            launch: Launch::Preset(preset),
            args: Vec::new(),
            input: None,
            env: Vec::new(),
            max_output_bytes: LONGEST_REPLY,
            timeout_seconds: None,
            edits: true,
        }
    }
}

impl Agent {
    /// The word in the file.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Llm(_) => "llm",
            Self::Command(_) => "command",
            Self::Human => "human",
            Self::Offline => "offline",
            Self::Scripted => "scripted",
        }
    }
}

impl Input {
    pub(crate) const ALL: [Self; 2] = [Self::Text, Self::Json];

    /// The word in the file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
        }
    }
}
