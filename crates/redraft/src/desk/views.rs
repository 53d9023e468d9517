//! The list of runs, a part at a time.
//!
//! Invariant: what a part costs does not grow with the journal, and a decided run is folded once for all lists.
//! Absent here: how a run is folded and where one stands.

use super::reading;
use redraft_loop::{Run, RunId};
use redraft_server::{DeskError, RunPage, RunView, Standing};
use redraft_store::{Filter, Store, StreamId, StreamRow};
use redraft_workflows::solve::NAME;
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// How many views are kept at most.
const MOST: usize = 4_096;

/// Views of decided runs, which never change.
#[derive(Default)]
pub(super) struct Views(Mutex<BTreeMap<RunId, RunView>>);

impl Views {
    /// At most so many solves, the last opened first: those before this one, or of all.
    pub(super) fn page(
        &self,
        store: &Store,
        limit: usize,
        before: Option<&RunId>,
        standing: impl Fn(&Run) -> Standing,
    ) -> Result<RunPage, DeskError> {
        let filter = Filter {
            kind: Some("run".into()),
            workflow: Some(NAME.to_owned()),
            ..Filter::default()
        };
        // One more than is asked for tells whether more follow.
        let from = before.map(StreamId::from);
        let rows = store.page(&filter, from.as_ref(), limit.saturating_add(1));
        let rows = rows.map_err(|error| DeskError::Unavailable(error.to_string()))?;
        let rows = match (rows, before) {
            (Some(rows), _) => rows,
            (None, Some(before)) => return Err(DeskError::NoSuchRun(before.clone())),
            (None, None) => Vec::new(),
        };
        let runs = rows.iter().take(limit).map(|row| self.view(store, row, &standing));
        Ok(RunPage { runs: runs.collect::<Result<_, _>>()?, more: rows.len() > limit })
    }

    fn view(
        &self,
        store: &Store,
        row: &StreamRow,
        standing: impl Fn(&Run) -> Standing,
    ) -> Result<RunView, DeskError> {
        let id = RunId::new(row.stream.as_str());
        if let Some(known) = self.kept().get(&id).filter(|view| view.facts == row.seq) {
            return Ok(known.clone());
        }
        let run = reading::run(store, &id)?;
        let view = reading::view(&run, standing(&run));
        if matches!(view.standing, Standing::Decided { .. }) {
            let mut kept = self.kept();
            kept.insert(id, view.clone());
            if kept.len() > MOST {
                // Ids are ordered by time: the oldest goes.
                kept.pop_first();
            }
        }
        Ok(view)
    }

    fn kept(&self) -> MutexGuard<'_, BTreeMap<RunId, RunView>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
