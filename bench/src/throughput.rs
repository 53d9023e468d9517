//! Loops a second, beside the bare rate of as many synced appends of the same bytes.
//!
//! Invariant: bare and ours take turns in one process on one disk; a ratio is taken of neighbours.
//! Absent here: other programs. See `bench/peers`.

use crate::{
    Outcome, block_on,
    disk::{self, Bare, Scratch},
    figures::{Series, verdict},
    loops::{Keeping, Order, Played, play_loops},
    play::{self, Script},
};
use redraft_store::StreamId;

/// Loops of one sequential measurement.
const SEQUENTIAL: u64 = 60;
/// Loops of one measurement with 100 at once.
const AT_ONCE: u64 = 400;

pub(crate) fn run(repetitions: usize) -> Outcome<bool> {
    let lengths = lengths()?;
    let bytes: usize = lengths.iter().sum();
    println!(
        "Loops of 3 iterations, 6 instant calls, 2 KB candidates: {} commits, {bytes} bytes of facts each",
        lengths.len()
    );
    println!("median (least … most) of {repetitions} repetitions; bare and ours take turns\n");
    let mut kept = sequential(repetitions, &lengths)?;
    kept &= at_once(repetitions, &lengths)?;
    with_files(repetitions)?;
    Ok(kept)
}

/// How many bytes of facts each commit of a loop holds: a claim closes its batch.
fn lengths() -> Outcome<Vec<usize>> {
    let scratch = Scratch::new("lengths")?;
    let (_, store) = scratch.store()?;
    let run = block_on(play::play_in_journal(store.clone(), Script::USUAL))?;
    let mut lengths = vec![0];
    for entry in store.read(&StreamId::from(&run))? {
        if let Some(last) = lengths.last_mut() {
            *last += entry.body.len();
        }
        if entry.body.contains(r#""asked":"#) {
            lengths.push(0);
        }
    }
    if lengths.len() as u64 != store.commits() {
        return Err(format!("{} batches, {} commits", lengths.len(), store.commits()).into());
    }
    Ok(lengths)
}

/// Ours and the two bare rates, of as many syncs.
struct Beside {
    ours: Vec<Played>,
    growing: Vec<f64>,
    overwriting: Vec<f64>,
}

impl Beside {
    fn ratios(&self, bare: &[f64]) -> Series {
        Series::new(self.ours.iter().zip(bare).map(|(ours, bare)| ours.rate() / bare).collect())
    }

    fn rates(&self) -> Series {
        Series::new(self.ours.iter().map(Played::rate).collect())
    }

    fn per_loop(&self, of: impl Fn(&Played) -> u64) -> Series {
        Series::new(self.ours.iter().map(|p| of(p) as f64 / p.loops as f64).collect())
    }
}

fn beside(
    repetitions: usize,
    lengths: &[usize],
    syncs_like_ours: bool,
    play: impl Fn() -> Outcome<Played>,
) -> Outcome<Beside> {
    let mut all = Beside { ours: Vec::new(), growing: Vec::new(), overwriting: Vec::new() };
    for _ in 0..repetitions {
        let played = play()?;
        let scratch = Scratch::new("bare")?;
        let bytes: usize = lengths.iter().sum();
        let grouped = usize::try_from(played.loops)? * bytes / usize::try_from(played.commits)?;
        let rate = |how| -> Outcome<f64> {
            let took = match syncs_like_ours {
                true => disk::bare(scratch.path(), how, &[grouped], played.commits)?,
                false => disk::bare(scratch.path(), how, lengths, played.loops)?,
            };
            Ok(played.loops as f64 / took.as_secs_f64())
        };
        all.growing.push(rate(Bare::Growing)?);
        all.overwriting.push(rate(Bare::Overwriting)?);
        all.ours.push(played);
    }
    Ok(all)
}

fn show(beside: &Beside) {
    println!("  ours                        {} loops/s", beside.rates().show(0));
    for (name, rates) in [("growing file", &beside.growing), ("overwritten", &beside.overwriting)] {
        println!("  bare, {name:<13}         {} loops/s", Series::new(rates.clone()).show(0));
        println!("    ours / bare               {}", beside.ratios(rates).show(2));
    }
    println!(
        "  per loop: commits {}, processor ms {}, KB given to write {}, KB sent to disk {}",
        beside.per_loop(|p| p.commits).show(2),
        beside.per_loop(|p| p.ticks * 10).show(2),
        beside.per_loop(|p| p.given / 1000).show(0),
        beside.per_loop(|p| p.sent / 1000).show(0),
    );
}

fn sequential(repetitions: usize, lengths: &[usize]) -> Outcome<bool> {
    println!("One after another, journal only, beside as many appends, each synced");
    let play = || play_loops(Order::Sequential, SEQUENTIAL, Script::USUAL, Keeping::Journal);
    let beside = beside(repetitions, lengths, false, play)?;
    show(&beside);
    let kept = beside.ratios(&beside.growing).median() >= 0.5;
    println!("  at least half of the bare rate: {}\n", verdict(kept));
    Ok(kept)
}

fn at_once(repetitions: usize, lengths: &[usize]) -> Outcome<bool> {
    let play = || play_loops(Order::AtOnce(100), AT_ONCE, Script::USUAL, Keeping::Journal);
    println!("100 at once, journal only, beside as many appends, each synced");
    let each = beside(repetitions, lengths, false, play)?;
    show(&each);
    let kept = each.ratios(&each.growing).median() >= 0.5;
    println!("  at least half of the bare rate: {}", verdict(kept));
    println!("100 at once, journal only, beside as few syncs as ours made, of the same bytes");
    let few = beside(repetitions, lengths, true, play)?;
    show(&few);
    let calls = AT_ONCE * Script::USUAL.calls();
    let most = each.ours.iter().chain(&few.ours).map(|p| p.commits).max().unwrap_or(u64::MAX);
    let grouped = most * 10 <= calls;
    let per_call = most as f64 / calls as f64;
    println!(
        "  commits per call, worst repetition: {per_call:.3}, at most 0.1: {}\n",
        verdict(grouped)
    );
    Ok(kept && grouped)
}

fn with_files(repetitions: usize) -> Outcome<()> {
    println!("With the files of a workspace for each loop (no bound set)");
    let cases = [
        ("one after another, files", Order::Sequential, SEQUENTIAL, Keeping::Files),
        ("one after another, files synced at its end", Order::Sequential, 20, Keeping::SyncedFiles),
        ("100 at once, files", Order::AtOnce(100), 200, Keeping::Files),
        ("100 at once, files synced at each end", Order::AtOnce(100), 100, Keeping::SyncedFiles),
    ];
    for (name, order, count, keeping) in cases {
        let mut all = Beside { ours: Vec::new(), growing: Vec::new(), overwriting: Vec::new() };
        for _ in 0..repetitions.min(3) {
            all.ours.push(play_loops(order, count, Script::USUAL, keeping)?);
        }
        println!(
            "  {name:<43} {} loops/s, commits per loop {}, processor ms {}",
            all.rates().show(0),
            all.per_loop(|p| p.commits).show(2),
            all.per_loop(|p| p.ticks * 10).show(1),
        );
    }
    Ok(())
}
