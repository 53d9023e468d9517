//! What a session adds to its run's record: how it stands, its plan, and what each iteration came to.
//!
//! Invariant: it follows from the journal's facts alone; every iteration whose files were read stands here, with its review.
//! Absent here: calls, costs and times, which every run's record has; what a person made of a file meanwhile.

use super::{
    artifact::{PLAN, code_folder, response_path},
    bundle,
    change::{self, Became},
    code::Code,
    profile::Phase,
    review::{self, iteration_of},
    review_meta::ReviewMeta,
    session::Session,
    shape::step_of,
    told::Told,
};
use redraft_loop::{Fact, Reading};
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc};

/// A session as its contract names its parts. Fields are only ever added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Record {
    /// The session as `session.json` tells it.
    pub session: Told,
    /// The plan as it was approved; null before that.
    pub plan: Option<String>,
    /// The iterations whose files were read, the oldest first.
    pub iterations: Vec<Iteration>,
}

/// What an iteration came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Iteration {
    /// Its number, from 1.
    pub iteration: u32,
    /// What became of each file since the iteration before, by its name.
    pub files: BTreeMap<String, Became>,
    /// What changed since then, as a unified diff; of the first iteration, all of it.
    pub diff: String,
    /// What its author said beside the files.
    pub remarks: String,
    /// How often its files were sent back.
    pub rejected: u32,
    /// Its review; null before there is one.
    pub review: Option<Reviewed>,
}

/// What was said of an iteration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reviewed {
    /// `REVIEW: …`; null where nobody can read the review.
    pub line: Option<String>,
    /// `PASS` or `FAIL`; null where nobody can read the review.
    pub verdict: Option<String>,
    /// Why nobody can read it; null where it was read.
    pub wrong: Option<String>,
    /// The review, word for word.
    pub text: String,
}

/// What these facts add to their run's record; `None` where they are no session.
pub fn record(facts: &[Fact]) -> Option<Record> {
    let session = Session::replay(facts.iter().cloned()).ok()?;
    let mut before = Code::new();
    let mut iterations = Vec::new();
    for n in 1..=session.iteration() {
        let Some(code) = session.code_of(n) else { continue };
        iterations.push(iteration(&session, n, &before, &code));
        before = code;
    }
    let plan = session.artifacts.get(PLAN).map(|plan| plan.text.to_string());
    Some(Record { session: session.told(), plan, iterations })
}

fn iteration(session: &Session, n: u32, before: &Code, code: &Code) -> Iteration {
    let phase = made_in(n);
    let response = session.artifacts.get(&response_path(phase, n));
    let extension = session.begun.profile.extension();
    let bundle = response.and_then(|response| bundle::read(&response.text, extension).ok());
    Iteration {
        iteration: n,
        files: change::became(before, code),
        diff: change::diff(before, code),
        remarks: bundle.map(|bundle| bundle.remarks).unwrap_or_default(),
        rejected: session.rejections.get(&(phase, n)).map_or(0, |rejection| rejection.times),
        review: session.reviewed(n, None),
    }
}

/// The phase in which the files of an iteration are made.
fn made_in(iteration: u32) -> Phase {
    if iteration > 1 { Phase::Revision } else { Phase::Generation }
}

impl Session {
    /// The files of an iteration as the journal has them; `None` where no response of it was read, or it was sent back.
    pub fn code_of(&self, iteration: u32) -> Option<Code> {
        self.artifacts.get(&response_path(made_in(iteration), iteration))?;
        let folder = format!("{}/", code_folder(iteration));
        let files = self.artifacts.iter();
        let named = files.filter_map(|(path, file)| Some((path.strip_prefix(&folder)?, file)));
        Some(named.map(|(name, file)| (name.to_owned(), Arc::clone(&file.text))).collect())
    }

    /// The review of an iteration as it came or was approved, or as a person has edited it since; `None` where there is
    /// none.
    pub fn reviewed(&self, iteration: u32, edited: Option<&str>) -> Option<Reviewed> {
        let kept = self.artifacts.get(&response_path(Phase::Review, iteration))?;
        let text = edited.unwrap_or(&kept.text);
        let finished = self.run.turn(iteration, &step_of(Phase::Review));
        let turn = finished.or(self.at_gate().filter(|_| self.waits_for_review_of(iteration)));
        let known = turn.and_then(|turn| turn.readings.first());
        Some(match known.filter(|known| known.text == text) {
            Some(known) => told(known, text),
            None => match self.begun.reading(&self.run, Phase::Review, iteration, text) {
                Ok(reading) => told(&reading, text),
                Err(error) => Reviewed { wrong: Some(error.why), ..bare(text) },
            },
        })
    }

    fn waits_for_review_of(&self, iteration: u32) -> bool {
        let asked = self.asked().filter(|(phase, _)| *phase == Phase::Review);
        asked.is_some_and(|(phase, round)| iteration_of(phase, round) == iteration)
    }
}

fn told(reading: &Reading, text: &str) -> Reviewed {
    let meta: Option<ReviewMeta> = review::meta(reading);
    Reviewed {
        line: meta.map(|meta| meta.to_string()),
        verdict: meta.map(|meta| meta.verdict.to_string()),
        wrong: review::what_is_wrong(reading).map(str::to_owned),
        ..bare(text)
    }
}

fn bare(text: &str) -> Reviewed {
    Reviewed { line: None, verdict: None, wrong: None, text: text.to_owned() }
}
