//! What this process knows of runs: which are driven, and why others rest.
//!
//! Invariant: a run is driven, rests or is neither; whoever is given a run to drive is the only one who is.
//! Absent here: the journal.

use super::{Seen, inbox::Look};
use crate::exit::Code;
use redraft_loop::RunId;
use redraft_server::DeskError;
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use tokio::sync::watch;

/// Why a run rests.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Resting {
    pub(super) why: String,
    pub(super) code: Code,
    /// Where it waits for a person: what they had laid into the inbox before they were asked.
    pub(super) person: Option<Look>,
}

impl Resting {
    pub(super) fn told_of(self, run: &RunId) -> DeskError {
        DeskError::Rests { run: run.clone(), why: self.why, exit_code: self.code as u8 }
    }
}

#[derive(Default)]
pub(super) struct Known(Mutex<Runs>);

#[derive(Default)]
struct Runs {
    driven: BTreeMap<RunId, watch::Receiver<Seen>>,
    rest: BTreeMap<RunId, Resting>,
}

impl Known {
    /// From now on whoever looks for the run waits for its driver, which tells by this. `None` where it has one.
    pub(super) fn expect(&self, run: &RunId, facts: u64) -> Option<watch::Sender<Seen>> {
        let mut runs = self.runs();
        if runs.driven.contains_key(run) {
            return None;
        }
        let (seen, watcher) = watch::channel(Seen::Driven(facts));
        runs.rest.remove(run);
        runs.driven.insert(run.clone(), watcher);
        Some(seen)
    }

    /// Nobody drives it any more, and it rests like this unless it is decided or was never there.
    pub(super) fn left(&self, run: &RunId, rest: Option<Resting>) {
        let mut runs = self.runs();
        runs.driven.remove(run);
        runs.rest.extend(rest.map(|rest| (run.clone(), rest)));
    }

    pub(super) fn watcher(&self, run: &RunId) -> Option<watch::Receiver<Seen>> {
        self.runs().driven.get(run).cloned()
    }

    pub(super) fn resting(&self, run: &RunId) -> Option<Resting> {
        self.runs().rest.get(run).cloned()
    }

    /// How many are driven.
    pub(super) fn driven(&self) -> u64 {
        self.runs().driven.len() as u64
    }

    /// Those that wait for a person.
    pub(super) fn waiting(&self) -> Vec<(RunId, Look)> {
        let runs = self.runs();
        let waits = |(run, rest): (&RunId, &Resting)| Some((run.clone(), rest.person.clone()?));
        runs.rest.iter().filter_map(waits).collect()
    }

    fn runs(&self) -> MutexGuard<'_, Runs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
