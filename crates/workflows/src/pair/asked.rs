//! What a call works on, read once from its run: as texts for models, and as one JSON document for programs.
//!
//! Invariant: whatever stands in a part stands in the document too, under a name of its own.
//! Absent here: instructions, and the form of the reply.

use super::{
    findings,
    kept::{self, Settings, TextFile},
    shape::{CHECK, CRITIQUE, IMPLEMENT, PROPOSE, VERIFY},
    work::CheckResult,
};
use crate::{
    Part,
    findings::Finding,
    review::{Repair, json, repair},
};
use redraft_loop::{Ask, Run, Turn};
use serde::Serialize;

/// The part that holds the newest change; absent while there is none, or it is empty.
pub const DIFF: &str = "diff";

/// What a call works on, as programs read it.
#[derive(Serialize)]
pub(super) struct Asked<'a> {
    workflow: &'static str,
    step: &'a str,
    turn: u32,
    task: &'a str,
    /// The commands that our own program runs, in the checks' step alone.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    checks: &'a [String],
    /// The commit that the change is made against.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    paths: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    files: &'a [TextFile],
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    check_results: Vec<CheckResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critique: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<Repair<'a>>,
}

/// The proposal belongs to the first turn.
pub(super) fn turn(ask: &Ask) -> u32 {
    ask.round.max(1)
}

impl<'a> Asked<'a> {
    /// What this call works on.
    pub(super) fn of(run: &'a Run, ask: &'a Ask, settings: Option<&'a Settings>) -> Self {
        let (step, now) = (ask.step.as_str(), turn(ask));
        let is_check = step == CHECK;
        let repository =
            settings.filter(|_| !is_check).and_then(|settings| settings.repository.as_ref());
        Self {
            workflow: super::NAME,
            step,
            turn: now,
            task: settings.map_or("", |settings| &settings.task),
            checks: settings.filter(|_| is_check).map_or(&[], |settings| &settings.checks),
            commit: repository.map(|repository| repository.commit.as_str()),
            paths: repository.map_or(&[], |repository| &repository.paths),
            files: repository.map_or(&[], |repository| &repository.files),
            proposal: proposal(run, step, now),
            diff: run.newest(&IMPLEMENT.into()).map(Turn::text).filter(|diff| !diff.is_empty()),
            check_results: check_results(run, step, now),
            critique: critique(run, step),
            findings: shown(run, step),
            repair: Repair::of(ask),
        }
    }

    /// The newest change alone, which is what checks look at.
    pub(super) fn change(&self) -> Vec<Part> {
        self.diff.iter().map(|diff| Part::new(DIFF, *diff)).collect()
    }

    /// The texts that a model works on, in order.
    pub(super) fn parts(&self, ask: &Ask) -> Vec<Part> {
        let part = |name: &str, text: String| (!text.is_empty()).then(|| Part::new(name, text));
        let told = |text: &Option<String>| text.clone().unwrap_or_default();
        let findings = match self.findings.is_empty() {
            true => String::new(),
            // Findings are always JSON.
            false => json::write(&self.findings).unwrap_or_default(),
        };
        let before = [part("task", self.task.to_owned()), part("paths", self.paths.join("\n"))];
        let files =
            self.files.iter().map(|file| part(&format!("file {}", file.path), file.text.clone()));
        let after = [
            part("proposal", told(&self.proposal)),
            part(DIFF, self.diff.unwrap_or_default().to_owned()),
            part("checks", self.check_results.iter().map(as_text).collect()),
            part("critique", told(&self.critique)),
            part("findings", findings),
        ];
        before.into_iter().chain(files).chain(after).flatten().chain(repair(ask)).collect()
    }
}

/// The proposal, for whoever builds for the first time or criticises.
fn proposal(run: &Run, step: &str, now: u32) -> Option<String> {
    match step {
        IMPLEMENT if now == 1 => words(run, PROPOSE),
        CRITIQUE => words(run, PROPOSE),
        _ => None,
    }
}

/// The newest critique, for whoever builds again or verifies.
fn critique(run: &Run, step: &str) -> Option<String> {
    match step {
        IMPLEMENT | VERIFY => words(run, CRITIQUE),
        _ => None,
    }
}

/// What was said when this step was last taken.
fn words(run: &Run, step: &str) -> Option<String> {
    kept::newest(run, step).map(|message| message.content).filter(|said| !said.is_empty())
}

/// What the checks say of the change that a step speaks of: a builder's is the one before.
fn check_results(run: &Run, step: &str, now: u32) -> Vec<CheckResult> {
    let of = if step == IMPLEMENT { now.saturating_sub(1) } else { now };
    kept::checked(run, of).map(|checked| checked.checks).unwrap_or_default()
}

/// The findings that a step has to mend or to answer.
fn shown(run: &Run, step: &str) -> Vec<Finding> {
    match step {
        IMPLEMENT => findings::of_run(run).open().cloned().collect(),
        CRITIQUE => findings::to_judge(&findings::of_run(run)),
        _ => Vec::new(),
    }
}

/// A check as a model reads it: how it ended, and the end of what a failing one printed.
fn as_text(check: &CheckResult) -> String {
    match check.passed() {
        true => format!("{}: passed\n", check.command),
        false => format!("{}: {}\n{}\n", check.command, check.ending(), check.tail.trim_end()),
    }
}
