//! A thousand loops at once whose agents take their time: does the house keep up, and how much does it hold?
//!
//! Absent here: files.

use crate::{
    Outcome, block_on,
    disk::{self, Scratch},
    figures::verdict,
    play::{self, Script},
};
use std::time::{Duration, Instant};

const LOOPS: u64 = 1000;
const DELAY: Duration = Duration::from_millis(200);

pub(crate) fn run() -> Outcome<bool> {
    let script = Script { delay: DELAY, ..Script::USUAL };
    let scratch = Scratch::new("thousand")?;
    let (took, commits) = block_on(async {
        let (_, store) = scratch.store()?;
        play::play_in_journal(store.clone(), Script { rounds: 1, ..Script::USUAL }).await?;
        let before = store.commits();
        let begun = Instant::now();
        let play = |_| tokio::spawn(play::play_in_journal(store.clone(), script));
        let tasks: Vec<_> = (0..LOOPS).map(play).collect();
        for task in tasks {
            task.await??;
        }
        Ok((begun.elapsed(), store.commits() - before))
    })?;
    let ideal = DELAY * 6;
    let (ratio, memory) = (took.as_secs_f64() / ideal.as_secs_f64(), disk::peak_memory()?);
    let (fast, small) = (ratio <= 1.2, memory < 200_000);
    println!("{LOOPS} loops at once, 6 calls of 200 ms each, durable");
    println!(
        "  wall {:.3} s, {ratio:.3} × ideal, at most 1.2: {}",
        took.as_secs_f64(),
        verdict(fast)
    );
    println!("  peak memory {:.1} MB, below 200: {}", memory as f64 / 1000.0, verdict(small));
    let calls = LOOPS * script.calls();
    println!("  calls {calls}, commits {commits}, processor ms {}", disk::processor_ticks()? * 10);
    Ok(fast && small)
}
