//! Counts commits and bytes: of short loops, of a long one, and how often a text is stored.
//!
//! Absent here: time.

use crate::{
    Outcome, block_on,
    disk::{self, Scratch},
    figures::verdict,
    play::{self, Script},
};
use redraft_loop::RunId;
use redraft_store::{Store, StreamId};
use std::time::Duration;

pub(crate) fn run() -> Outcome<bool> {
    let mut kept = commits()?;
    kept &= growth()?;
    kept &= payload()?;
    Ok(kept)
}

fn bodies(store: &Store, run: &RunId) -> Outcome<Vec<String>> {
    let entries = store.read(&StreamId::from(run))?;
    Ok(entries.into_iter().map(|entry| entry.body).collect())
}

fn commits() -> Outcome<bool> {
    println!("Durable commits of a loop of n instant calls (Store::commits), journal only");
    println!("{:>6} {:>8} {:>8} {:>7}", "calls", "commits", "n + 2", "");
    let mut all = true;
    for rounds in [1, 3, 10, 50] {
        let scratch = Scratch::new("commits")?;
        let (_, store) = scratch.store()?;
        let script = Script { rounds, ..Script::USUAL };
        block_on(play::play_in_journal(store.clone(), script))?;
        let (calls, commits) = (script.calls(), store.commits());
        let kept = commits <= calls + 2;
        all &= kept;
        println!("{calls:>6} {commits:>8} {:>8} {:>7}", calls + 2, verdict(kept));
    }
    Ok(all)
}

/// Iterations at which the long loop is weighed.
const STATIONS: [u32; 4] = [50, 100, 150, 200];

fn growth() -> Outcome<bool> {
    println!(
        "\nBytes of a loop of 20 KB candidates, in KB: facts of one run at its iterations; the rest"
    );
    println!("of a loop of its own for each length, before and after the journal is closed");
    println!(
        "{:>10} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "iterations", "facts", "per iter", "db + wal", "closed", "written", "to disk", "seconds"
    );
    let script = |rounds| Script { rounds, bytes: 20_000, delay: Duration::ZERO };
    let scratch = Scratch::new("growth")?;
    let (_, store) = scratch.store()?;
    let run = block_on(play::play_in_journal(store.clone(), script(200)))?;
    let facts = facts_at(&bodies(&store, &run)?);
    for (station, bytes) in STATIONS.iter().zip(&facts) {
        let row = weigh(script(*station))?;
        let kb = |bytes: u64| format!("{:.0}", bytes as f64 / 1000.0);
        println!(
            "{station:>10} {:>9} {:>9.1} {:>9} {:>9} {:>9} {:>9} {:>9.2}",
            kb(*bytes),
            *bytes as f64 / 1000.0 / f64::from(*station),
            kb(row.open),
            kb(row.closed),
            kb(row.given),
            kb(row.sent),
            row.seconds
        );
    }
    let ratio = facts[3] as f64 / facts[0] as f64;
    let kept = (3.9..4.1).contains(&ratio);
    println!("facts at 200 / facts at 50 = {ratio:.3}, linear is 4: {}", verdict(kept));
    Ok(kept)
}

struct Weight {
    open: u64,
    closed: u64,
    given: u64,
    sent: u64,
    seconds: f64,
}

fn weigh(script: Script) -> Outcome<Weight> {
    let scratch = Scratch::new("weight")?;
    let (home, store) = scratch.store()?;
    let (database, log) = (home.dir().join("journal.db"), home.dir().join("journal.db-wal"));
    let before = disk::Written::now()?;
    let begun = std::time::Instant::now();
    block_on(play::play_in_journal(store.clone(), script))?;
    let seconds = begun.elapsed().as_secs_f64();
    let open = disk::length(&database) + disk::length(&log);
    drop(store);
    let written = disk::Written::since(before)?;
    let closed = disk::length(&database) + disk::length(&log);
    Ok(Weight { open, closed, given: written.given, sent: written.sent, seconds })
}

/// Bytes of all facts up to the end of each station's iteration.
fn facts_at(bodies: &[String]) -> Vec<u64> {
    let (mut bytes, mut answers, mut found) = (0, 0, Vec::new());
    for body in bodies {
        bytes += body.len() as u64;
        answers += u32::from(body.contains(r#""replied":"#));
        let due = STATIONS.get(found.len()).is_some_and(|station| answers == station * 2);
        if due {
            found.push(bytes);
        }
    }
    found
}

fn payload() -> Outcome<bool> {
    let scratch = Scratch::new("payload")?;
    let (_, store) = scratch.store()?;
    let script = Script::USUAL;
    let run = block_on(play::play_in_journal(store.clone(), script))?;
    let bodies = bodies(&store, &run)?;
    let bytes: usize = bodies.iter().map(String::len).sum();
    let all = bodies.concat();
    let mut once = true;
    for round in 1..=script.rounds {
        for text in [play::marker(&run, round), play::complaint(&run, round)] {
            // The last review complains of nothing.
            let wanted = usize::from(round < script.rounds || text.starts_with('<'));
            once &= all.matches(&text).count() == wanted;
        }
    }
    let kept = bytes <= 30_000;
    println!("\nA loop of 3 iterations with 2 KB candidates");
    println!("facts {}, payload {bytes} bytes, at most 30000: {}", bodies.len(), verdict(kept));
    println!("beside the candidates: {} bytes", bytes - 3 * script.bytes);
    println!("each candidate and each issue stands once in the facts: {}", verdict(once));
    Ok(kept && once)
}
