//! `podcast status --watch`: the status again, whenever the journal has grown.
//!
//! Invariant: looking costs one short read; the workspace is read again only after a change. Ctrl-C ends it with the
//! last state shown.
//! Absent here: writing, and waiting for the files: the mark that they are synced is a change of the journal too.

use super::{COMMAND, Status};
use crate::{
    commands::block_on,
    episode::Episode,
    exit::{Code, Failure},
    say,
};
use redraft_store::Store;
use redraft_workflows::review::model::AssetId;
use std::{
    pin::pin,
    time::{Duration, SystemTime},
};

/// How often the journal is looked at.
const INTERVAL: Duration = Duration::from_millis(500);

/// What tells one state of the journal from another.
#[derive(PartialEq)]
struct Mark {
    /// How many facts each stream of the workspace holds.
    streams: Vec<(String, u64)>,
    /// When `state.json` was written: all there is to see without a journal.
    state: Option<SystemTime>,
}

/// A workspace that is being looked at.
struct Watched {
    episode: Episode,
    /// Only these assets, where any are named.
    only: Vec<AssetId>,
    store: Option<Store>,
}

/// How the status is shown each time.
#[derive(Clone, Copy)]
enum Face {
    /// In place of what was shown before.
    Screen,
    /// One page below the other.
    Pages,
    /// One JSON document a line.
    Json,
}

pub(super) fn watch(episode: Episode, only: Vec<AssetId>, as_json: bool) -> Result<Code, Failure> {
    let face = match (as_json, say::is_screen()) {
        (true, _) => Face::Json,
        (false, true) => Face::Screen,
        (false, false) => Face::Pages,
    };
    let store = episode.store()?;
    block_on(until_ctrl_c(Watched { episode, only, store }, face))
}

async fn until_ctrl_c(mut watched: Watched, face: Face) -> Result<Code, Failure> {
    let mut interrupted = pin!(tokio::signal::ctrl_c());
    // Whoever sees a first page may interrupt from then on.
    if futures::poll!(&mut interrupted).is_ready() {
        return Ok(Code::Done);
    }
    let mut shown = None;
    loop {
        let mark = watched.mark()?;
        if shown.as_ref() != Some(&mark) {
            if !watched.show(face, true)? {
                return Ok(Code::Done);
            }
            shown = Some(mark);
        }
        tokio::select! {
            _ = &mut interrupted => break,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
    if shown != Some(watched.mark()?) || matches!(face, Face::Screen) {
        watched.show(face, false)?;
    }
    Ok(Code::Done)
}

impl Watched {
    /// The state as it is now; a journal that was made since is opened.
    fn mark(&mut self) -> Result<Mark, Failure> {
        if self.store.is_none() {
            self.episode = Episode::open(&self.episode.root)?;
            self.store = self.episode.store()?;
        }
        let mut streams = Vec::new();
        if let (Some(store), Some(home)) = (&self.store, self.episode.home()) {
            let rows = store.heads(&home.workspace_key(&self.episode.root)?)?;
            streams.extend(rows.into_iter().map(|row| (row.stream.to_string(), row.seq)));
        }
        let place = self.episode.files.root().join("state.json");
        let state = place.metadata().and_then(|found| found.modified()).ok();
        Ok(Mark { streams, state })
    }

    /// Shows the status; tells whether anybody reads on.
    fn show(&self, face: Face, goes_on: bool) -> Result<bool, Failure> {
        let status = Status::of(&self.episode, &self.only)?;
        let mut lines = status.lines();
        Ok(match face {
            Face::Json => say::json_line(COMMAND, Code::Done, status.fields()),
            Face::Pages => {
                lines.push(String::new());
                say::page(&lines, false)
            }
            Face::Screen => {
                if goes_on {
                    lines.extend(["", "Watching; Ctrl-C ends."].map(str::to_owned));
                }
                say::page(&lines, true)
            }
        })
    }
}
