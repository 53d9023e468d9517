//! Playing assets side by side, with somebody watching who may interrupt.
//!
//! Invariant: it returns when all of them rest and everything that happened is shown.
//! Absent here: what playing an asset is.

use crate::{
    display::{self, Line},
    exit::{Code, Failure},
    play::{Cast, Company},
};
use redraft_engine::{Cancel, Events};
use redraft_workflows::review::model::AssetId;
use std::future::Future;

/// Who watches a command's runs, and may interrupt them.
#[derive(Clone)]
pub(crate) struct Watch {
    events: Events,
    pub(crate) cancel: Cancel,
}

impl Watch {
    /// These players, under this watch.
    pub(crate) fn over(self, cast: Cast) -> Company {
        Company { cast, events: self.events, cancel: self.cancel }
    }
}

/// How each asset went, in the order in which they were named.
pub(crate) async fn together<O, F>(
    assets: &[AssetId],
    quiet: bool,
    play: impl Fn(AssetId, Watch) -> F,
) -> Result<Vec<(AssetId, O)>, Failure>
where
    F: Future<Output = O> + Send + 'static,
    O: Send + 'static,
{
    let watch = Watch { events: Events::new(4096), cancel: Cancel::default() };
    let line = |asset: &AssetId| Line { subject: asset.to_string(), name: asset.to_string() };
    let screen = display::show(&watch.events, assets.iter().map(line).collect(), quiet);
    let later = "later".to_owned();
    let signals =
        tokio::spawn(display::listen_for_stop(watch.cancel.clone(), screen.live(), later));
    let play = |asset: &AssetId| tokio::spawn(play(asset.clone(), watch.clone()));
    let tasks: Vec<_> = assets.iter().map(play).collect();
    let mut outcomes = Vec::new();
    for (asset, task) in assets.iter().zip(tasks) {
        let outcome = task.await.map_err(|error| Failure::of(Code::Failure, &error))?;
        outcomes.push((asset.clone(), outcome));
    }
    signals.abort();
    drop(watch);
    screen.finish().await;
    Ok(outcomes)
}

/// Programs that were given up are still being ended.
pub(crate) fn settle_programs() {
    #[cfg(unix)]
    let _ = redraft_agents::command::settle(std::time::Duration::from_secs(2));
}
