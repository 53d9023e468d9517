//! Plays loops and says how many a second: for strace to count, for perf to look at, for peers to compare with.
//!
//! Invariant: the journal stands and its writer runs before the time begins; both sides of a comparison do
//! the same. Absent here: any bound.

use crate::{
    Outcome, block_on,
    disk::{self, Scratch},
    play::{self, Script},
    workspace::Episode,
};
use redraft_store::Store;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// How loops follow each other.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Order {
    Sequential,
    /// So many side by side, until all are done.
    AtOnce(u64),
}

/// What became of a number of loops.
pub(crate) struct Played {
    pub(crate) took: Duration,
    pub(crate) loops: u64,
    pub(crate) commits: u64,
    pub(crate) ticks: u64,
    pub(crate) given: u64,
    pub(crate) sent: u64,
}

impl Played {
    pub(crate) fn rate(&self) -> f64 {
        self.loops as f64 / self.took.as_secs_f64()
    }
}

/// Whether files are written, and whether they are synced.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Keeping {
    Journal,
    Files,
    /// With what a command does at its end, for each loop.
    SyncedFiles,
}

/// Plays `count` loops in a home of their own.
pub(crate) fn play_loops(
    order: Order,
    count: u64,
    script: Script,
    keeping: Keeping,
) -> Outcome<Played> {
    let scratch = Scratch::new("loops")?;
    block_on(async {
        let (home, store) = scratch.store()?;
        play::play_in_journal(store.clone(), Script { rounds: 1, ..Script::USUAL }).await?;
        let mut episodes = Vec::new();
        if keeping != Keeping::Journal {
            for n in 0..count {
                let root = scratch.path().join(format!("w{n}"));
                episodes.push(Arc::new(Episode::make(&home, &store, &root).await?));
            }
        }
        let (commits, written) = (store.commits(), disk::Written::now()?);
        let ticks = disk::processor_ticks()?;
        let begun = Instant::now();
        let width = match order {
            Order::Sequential => 1,
            Order::AtOnce(width) => width,
        };
        let mut at = 0;
        while at < count {
            let until = count.min(at + width);
            let tasks: Vec<_> = (at..until)
                .map(|n| {
                    let episode = usize::try_from(n).ok().and_then(|n| episodes.get(n)).cloned();
                    tokio::spawn(one(store.clone(), episode, script, keeping))
                })
                .collect();
            for task in tasks {
                task.await??;
            }
            at = until;
        }
        let took = begun.elapsed();
        let written = disk::Written::since(written)?;
        Ok(Played {
            took,
            loops: count,
            commits: store.commits() - commits,
            ticks: disk::processor_ticks()? - ticks,
            given: written.given,
            sent: written.sent,
        })
    })
}

async fn one(
    store: Store,
    episode: Option<Arc<Episode>>,
    script: Script,
    keeping: Keeping,
) -> Outcome<()> {
    let Some(episode) = episode else {
        return play::play_in_journal(store, script).await.map(drop);
    };
    episode.play(script).await?;
    if keeping == Keeping::SyncedFiles { episode.settle().await } else { Ok(()) }
}

/// `loops sequential|at-once COUNT [ROUNDS [files]]`
pub(crate) fn run(words: &[&str]) -> Outcome<bool> {
    let number = |at: usize, default: u64| words.get(at).map_or(Ok(default), |word| word.parse());
    let count = number(1, 100)?;
    let order =
        if words.first() == Some(&"sequential") { Order::Sequential } else { Order::AtOnce(100) };
    let rounds = u32::try_from(number(2, 3)?)?;
    let keeping = if words.contains(&"files") { Keeping::Files } else { Keeping::Journal };
    let script = Script { rounds, ..Script::USUAL };
    let played = play_loops(order, count, script, keeping)?;
    println!(
        "loops_per_second={:.1} loops={} calls={} commits={} processor_ms={} seconds={:.3}",
        played.rate(),
        played.loops,
        played.loops * script.calls(),
        played.commits,
        played.ticks * 10,
        played.took.as_secs_f64(),
    );
    Ok(true)
}
