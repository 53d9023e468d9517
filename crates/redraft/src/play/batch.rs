//! Commands that draft several assets: what one of them does after an earlier one stopped.
//!
//! Invariant: an asset that was done before the stop is not paid for again by the command that goes on.
//! Absent here: drafting.

use super::{Plan, writing::writer};
use crate::{
    clock,
    episode::{StoredRun, View},
};
use redraft_loop::{Run, Time};
use redraft_workflows::review::model::AssetId;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The assets of one command, and of the stopped one that it goes on with.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    /// When the first of these commands began.
    began: Time,
    /// The assets that are done.
    done: BTreeSet<AssetId>,
}

impl Batch {
    /// While one of these assets has an open run, those are done whose newest run is complete, newer than the command
    /// that opened the open one, and has what is asked for.
    pub(crate) fn of(assets: &[AssetId], plan: &Plan, view: &View) -> Self {
        let newest: Vec<&StoredRun> =
            assets.iter().filter_map(|asset| view.newest_draft(asset)).collect();
        let (open, complete): (Vec<&StoredRun>, Vec<&StoredRun>) =
            newest.into_iter().partition(|stored| stored.run.decision().is_none());
        let Some(began) = open.iter().map(|stored| began(&stored.run)).min() else {
            return Self { began: clock::now(), done: BTreeSet::new() };
        };
        let since = |run: &Run| run.last_turn().is_some_and(|turn| turn.at >= began);
        let done = complete.into_iter().filter(|s| since(&s.run) && is_enough(&s.run, plan));
        Self { began, done: done.map(|stored| stored.asset.clone()).collect() }
    }

    /// The assets that are done.
    pub(crate) fn done(&self) -> &BTreeSet<AssetId> {
        &self.done
    }

    /// What a run of the batch is opened with, so that later commands know it by that.
    pub(super) fn settings(&self) -> Value {
        json!({ BEGAN: self.began.0 })
    }
}

const BEGAN: &str = "batch_began";

/// When the batch of a run began, in microseconds since 1970; runs of earlier versions stand for themselves.
fn began(run: &Run) -> Time {
    run.opened().settings[BEGAN].as_i64().map_or(run.opened().at, Time)
}

/// Whether a complete run is by the writer, and of as many candidates, as this command says; where it says nothing,
/// any is.
pub(super) fn is_enough(run: &Run, plan: &Plan) -> bool {
    let by_them = writer(run) == plan.creator || !plan.creator_is_named;
    by_them && plan.max_iterations.is_none_or(|candidates| candidates <= run.limits().rounds)
}
