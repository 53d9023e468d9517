//! What stands in a session's folder: paths, texts, and whose they are.
//!
//! Invariant: every file that the journal knows has one path, and no two have the same.
//! Absent here: writing, and what a person has made of a file meanwhile.

use super::{profile::Phase, state::State};
use redraft_loop::{Hash, Time};
use sha2::{Digest, Sha256};
use std::{fmt::Write, sync::Arc};

/// The standards that hold for a session.
pub const STANDARDS: &str = "standards-bundle.md";
/// The plan as it was approved.
pub const PLAN: &str = "plan.md";
/// What a session's journal says, for people and programs.
pub const SESSION: &str = "session.json";

/// A file as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Where the session stood when it came about.
    pub phase: State,
    /// The iteration it belongs to, from 1.
    pub iteration: u32,
    /// Its text.
    pub text: Arc<str>,
    /// The SHA-256 of its text.
    pub sha256: Hash,
    /// When it came about.
    pub at: Time,
    /// Whose it is.
    pub kind: Kind,
}

/// Whose a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Ours, or approved and used: whoever changes it damages it.
    Kept,
    /// A response or code that nobody has approved yet: a person may change it, and it is never written over.
    Input,
}

impl Artifact {
    pub(super) fn new(phase: State, iteration: u32, text: Arc<str>, at: Time, kind: Kind) -> Self {
        Self { phase, iteration, sha256: sha256(&text), text, at, kind }
    }
}

/// The folder of an iteration.
pub fn folder(iteration: u32) -> String {
    format!("iteration-{iteration}")
}

/// Where the code of an iteration stands.
pub fn code_folder(iteration: u32) -> String {
    format!("iteration-{iteration}/code")
}

/// The prompt of a phase.
pub fn prompt_path(phase: Phase, iteration: u32) -> String {
    format!("iteration-{iteration}/{phase}-prompt.md")
}

/// The response to it.
pub fn response_path(phase: Phase, iteration: u32) -> String {
    format!("iteration-{iteration}/{phase}-response.md")
}

/// Where a response is put that was the n-th to be rejected, or of an agent that nobody could read.
pub fn aside(path: &str, why: Aside, n: u32) -> String {
    let why = match why {
        Aside::Rejected => "rejected",
        Aside::Refused => "refused",
    };
    match path.strip_suffix(".md") {
        Some(stem) => format!("{stem}.{why}-{n}.md"),
        None => format!("{path}.{why}-{n}"),
    }
}

/// Why a response is put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aside {
    /// A person sent it back.
    Rejected,
    /// It could not be read.
    Refused,
}

/// The SHA-256 of a text.
pub fn sha256(text: &str) -> Hash {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text) {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    Hash::new(hex)
}
