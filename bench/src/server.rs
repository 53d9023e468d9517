//! What the server itself costs: solves over HTTP whose three calls are answered at once.
//!
//! The agent is the offline one. It answers inside the server's process, as a plain function does, and a solve with it
//! plans, generates and criticises by a call each, as with a model; a model behind HTTP would add its client and a
//! third process to the two processors, and a program a process for each call.
//!
//! Invariant: the load comes from this process, the server is the built binary in one of its own with a journal that
//! nobody has used before.
//! Absent here: bounds. They are of the comparison with others, see `bench/peers`.

pub(crate) mod connection;
mod load;
pub(crate) mod question;
pub(crate) mod served;

use crate::{
    Outcome,
    disk::{self, Bare, Scratch},
    figures::Series,
};
use load::Load;
use served::{Served, Usage};
use std::{path::Path, time::Duration};

const REPETITIONS: usize = 3;
const CLIENTS: [usize; 3] = [1, 50, 500];
const TIME: Duration = Duration::from_secs(5);

/// One load on a server, and what it made of it.
struct Measured {
    load: Load,
    /// The server's, for this load alone.
    usage: Usage,
    /// Of the clients, in ms.
    own_processor: u64,
}

/// `server REDRAFT`
pub(crate) fn run(redraft: &str) -> Outcome<bool> {
    let mut rows: Vec<Vec<Measured>> = CLIENTS.iter().map(|_| Vec::new()).collect();
    let (mut memory, mut sync) = (Vec::new(), Vec::new());
    // Kept until all is measured; see `solves`.
    let mut folders = Vec::new();
    for _ in 0..REPETITIONS {
        let scratch = Scratch::new("server")?;
        sync.push(disk::bare(scratch.path(), Bare::Growing, &[4096], 200)?.as_secs_f64() * 5.0);
        let served = Served::start(Path::new(redraft), scratch.path(), &[])?;
        for (row, clients) in rows.iter_mut().zip(CLIENTS) {
            row.push(measure(&served, clients, TIME)?);
        }
        memory.push(served.peak_memory()? as f64 / 1000.0);
        served.stop()?;
        folders.push(scratch);
    }
    show(&rows, &Series::new(memory), &Series::new(sync));
    Ok(rows.iter().flatten().all(|one| one.load.refused == 0))
}

/// `solves REDRAFT FOLDER CLIENTS SECONDS`: one line, for comparisons. Whoever made the folder removes it, in the end:
/// a file system that has just deleted thousands of files makes new ones slowly.
pub(crate) fn solves(words: &[&str]) -> Outcome<bool> {
    let [redraft, folder, clients, seconds] = words else { return Err(crate::USAGE.into()) };
    let served = Served::start(Path::new(redraft), Path::new(folder), &[])?;
    let measured = measure(&served, clients.parse()?, Duration::from_secs(seconds.parse()?))?;
    let memory = served.peak_memory()?;
    served.stop()?;
    let solves = measured.load.all().max(1) as f64;
    let processor = measured.usage.processor as f64 / solves;
    println!("{} processor_ms={processor:.2} memory_kb={memory}", line(&measured.load));
    Ok(measured.load.refused == 0)
}

/// `load PORT CLIENTS SECONDS`: the same load on any server that answers `POST /v1/solve`, one line.
pub(crate) fn load(words: &[&str]) -> Outcome<bool> {
    let [port, clients, seconds] = words else { return Err(crate::USAGE.into()) };
    let time = Duration::from_secs(seconds.parse()?);
    let load = load::on(port.parse()?, clients.parse()?, time)?;
    println!("{}", line(&load));
    Ok(load.refused == 0)
}

/// `question`: what every client asks, for peers that are asked without HTTP.
pub(crate) fn question() -> Outcome<bool> {
    println!("{}", question::body());
    Ok(true)
}

fn line(load: &Load) -> String {
    format!(
        "solves_per_second={:.1} p50_ms={:.3} p99_ms={:.3} refused={}",
        load.rate(),
        load.quantile(0.5),
        load.quantile(0.99),
        load.refused
    )
}

fn measure(served: &Served, clients: usize, time: Duration) -> Outcome<Measured> {
    let (before, own) = (served.usage()?, disk::processor_ticks()?);
    let load = load::on(served.port(), clients, time)?;
    let usage = served.usage()?.since(&before);
    Ok(Measured { load, usage, own_processor: (disk::processor_ticks()? - own) * 10 })
}

fn show(rows: &[Vec<Measured>], memory: &Series, sync: &Series) {
    println!(
        "Solves over HTTP: plan, generate, critique by the offline agent inside the server, which answers at once;"
    );
    println!(
        "durable. {} bytes a request, keep-alive; clients in another process on the same processors.",
        question::body().len()
    );
    println!(
        "median (least … most) of {REPETITIONS} servers with new journals, {} s each",
        TIME.as_secs()
    );
    println!("a bare append of 4 KB on this disk, synced: {} ms\n", sync.show(2));
    for (row, clients) in rows.iter().zip(CLIENTS) {
        let of = |value: &dyn Fn(&Measured) -> f64| Series::new(row.iter().map(value).collect());
        let per_solve = |value: fn(&Measured) -> u64| {
            of(&|one| value(one) as f64 / one.load.all().max(1) as f64).show(2)
        };
        println!("{clients} at once");
        println!("  solves/s      {}", of(&|one| one.load.rate()).show(0));
        println!("  p50 ms        {}", of(&|one| one.load.quantile(0.5)).show(2));
        println!("  p99 ms        {}", of(&|one| one.load.quantile(0.99)).show(2));
        println!("  per solve     commits {}", per_solve(|one| one.usage.commits));
        println!("                processor ms: server {}", per_solve(|one| one.usage.processor));
        println!("                processor ms: clients {}", per_solve(|one| one.own_processor));
        println!("  refused       {}", of(&|one| one.load.refused as f64).show(0));
    }
    println!("peak memory of the server, MB: {}", memory.show(1));
}
