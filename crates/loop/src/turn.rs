//! A turn: a finished step with what was said in it.
//!
//! Invariant: readings stand in the panel's order, whatever order the replies came in.
//! Absent here: calls and attempts. They are counted by the run and told by the record.

use crate::{Issue, Reading, StepId, Time, Verdict, reading};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A finished step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The round it belongs to, from 1; 0 for opening steps.
    pub round: u32,
    /// The step that was played.
    pub step: StepId,
    /// When its last reading came in.
    pub at: Time,
    /// What each seat said, in the panel's order; one entry where one agent plays.
    pub readings: Vec<Reading>,
}

impl Turn {
    /// The text of the first seat: the candidate where one agent writes it.
    pub fn text(&self) -> &str {
        self.readings.first().map_or("", |reading| &reading.text)
    }

    /// Whether everyone in the turn is done.
    pub fn done(&self) -> bool {
        self.readings.iter().all(|reading| reading.done)
    }

    /// The merged verdict; `None` when nobody gave one.
    pub fn verdict(&self) -> Option<Verdict> {
        reading::merge(&self.readings)
    }

    /// All issues, seat by seat.
    pub fn issues(&self) -> impl Iterator<Item = &Issue> {
        self.readings.iter().flat_map(|reading| &reading.issues)
    }

    /// Whether an issue of this code is among them.
    pub fn found(&self, code: &str) -> bool {
        self.issues().any(|issue| issue.code.as_deref() == Some(code))
    }

    /// Whether both turns have the same texts and verdicts, seat by seat.
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        let same = |(a, b): (&Reading, &Reading)| a.text == b.text && a.verdict == b.verdict;
        self.readings.len() == other.readings.len()
            && self.readings.iter().zip(&other.readings).all(same)
    }

    /// Whether the turn passes: everybody's merged verdict is `ok`, which no error can stand beside.
    pub fn accepted(&self) -> bool {
        self.verdict() == Some(Verdict::Ok)
    }
}
