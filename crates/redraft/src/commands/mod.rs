//! One file per command.

pub(crate) mod adopt;
pub(crate) mod agents;
pub(crate) mod budget;
mod columns;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod draft;
pub(crate) mod export;
pub(crate) mod files;
pub(crate) mod findings;
mod forecast;
pub(crate) mod gated;
mod given;
mod going_on;
pub(crate) mod ingest;
pub(crate) mod init;
pub(crate) mod money;
#[cfg(unix)]
pub(crate) mod pair;
pub(crate) mod pick;
pub(crate) mod podcast_init;
pub(crate) mod prompts;
pub(crate) mod refusals;
pub(crate) mod repair;
pub(crate) mod review;
pub(crate) mod runs;
pub(crate) mod serve;
mod side_by_side;
pub(crate) mod slips;
pub(crate) mod solve;
mod stale;
pub(crate) mod status;
pub(crate) mod summarize;
pub(crate) mod together;
pub(crate) mod verify;
pub(crate) mod versions;
pub(crate) mod waits;
mod writing;

use crate::{
    config::{Config, Flags, Surroundings},
    episode::Episode,
    exit::{Code, Failure},
    say,
};
use redraft_workflows::review::model::{ASSET_KINDS, AssetId};
use std::{
    future::Future,
    num::NonZero,
    path::{Path, PathBuf},
    time::Duration,
};

/// Which workspace a command works on.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorkspaceArg {
    /// The workspace's folder
    #[arg(long, short = 'w', value_name = "DIR", default_value = ".")]
    pub(crate) workspace: PathBuf,
}

impl WorkspaceArg {
    pub(crate) fn open(&self) -> Result<Episode, Failure> {
        Episode::open(&self.workspace)
    }
}

/// The configuration of a command that asks agents; what is odd in it is told, since it may be why they are others.
pub(crate) fn configured(workspace: &Path, flags: &Flags) -> Result<Config, Failure> {
    let config = Config::load(&Surroundings::of_process(workspace), flags)?;
    config.remarks.iter().for_each(|remark| say::err(&format!("warning: {remark}")));
    Ok(config)
}

/// The assets that a command is for: all 13 kinds, or those that were named, each once.
pub(crate) fn assets(all: bool, named: &[String]) -> Result<Vec<AssetId>, Failure> {
    let names: Vec<&str> = match all {
        true => ASSET_KINDS.to_vec(),
        false => named.iter().map(String::as_str).collect(),
    };
    let mut assets = Vec::new();
    for name in names {
        let asset = AssetId::parse(name).map_err(|error| Failure::usage(error.to_string()))?;
        if !assets.contains(&asset) {
            assets.push(asset);
        }
    }
    Ok(assets)
}

/// Runs one future to its end, and what it spawns on all processors: a thousand replies may come at one moment.
pub(crate) fn block_on<T>(future: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    // On one processor more threads would only cost.
    match std::thread::available_parallelism().map_or(1, NonZero::get) {
        1 => block_on_one_thread(future),
        _ => block_on_runtime(tokio::runtime::Builder::new_multi_thread(), future),
    }
}

/// Runs one future to its end with all that it spawns on this thread, so that what is spawned first begins first.
pub(crate) fn block_on_one_thread<T>(
    future: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    block_on_runtime(tokio::runtime::Builder::new_current_thread(), future)
}

/// Runs one future to its end, and what it spawns on threads of which another comes when one is blocked. What they still
/// work on when it ends is waited for so long, and then left.
pub(crate) fn block_on_with_threads<T>(
    patience: Duration,
    future: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let runtime = runtime(tokio::runtime::Builder::new_multi_thread())?;
    let ended = runtime.block_on(future);
    runtime.shutdown_timeout(patience);
    ended
}

fn block_on_runtime<T>(
    builder: tokio::runtime::Builder,
    future: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    runtime(builder)?.block_on(future)
}

fn runtime(mut builder: tokio::runtime::Builder) -> Result<tokio::runtime::Runtime, Failure> {
    // Answers of the journal's thread are looked at before each next task, so that its groups fill up.
    let runtime = builder.enable_all().global_queue_interval(1).build();
    runtime.map_err(|error| Failure::of(Code::Failure, &error))
}

/// The person at the keyboard, for what is recorded in their name.
pub(crate) fn person(by: Option<&String>) -> String {
    let user = || std::env::var("USER").ok().filter(|user| !user.is_empty());
    by.cloned().or_else(user).unwrap_or_else(|| "a person".to_owned())
}
