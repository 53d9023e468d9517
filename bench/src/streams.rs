//! A thousand readers of events at once: does everybody get the last event, and how much does the server hold?
//!
//! First a thousand runs whose model has not answered yet, with a reader each; then the model answers all of them.
//! Then a thousand readers come at one moment for what has ended.
//!
//! Invariant: the model is here and the server in a process of its own, so that memory is the server's alone, its
//! thousand connections to the model included.
//! Absent here: readers that are slow.

mod model;

use crate::{
    Outcome,
    disk::Scratch,
    figures::verdict,
    server::{
        connection::{Connection, Events, field},
        question,
        served::Served,
    },
};
use model::Model;
use std::{
    path::Path,
    time::{Duration, Instant},
};
use tokio::task::JoinSet;

const READERS: usize = 1000;
/// In KiB.
const MOST_MEMORY: u64 = 300_000;
/// How long the server holds a thousand silent streams, so that its memory settles.
const SILENCE: Duration = Duration::from_secs(2);

/// What readers got.
struct Heard {
    ended: usize,
    events: usize,
    took: Duration,
}

/// `streams REDRAFT`
pub(crate) fn run(redraft: &str) -> Outcome<bool> {
    let scratch = Scratch::new("streams")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let model = runtime.block_on(Model::start())?;
    model::configure(scratch.path(), model.port())?;
    let most = (READERS + 24).to_string();
    let served = Served::start(Path::new(redraft), scratch.path(), &["--max-runs", &most])?;
    let idle = served.peak_memory()?;
    let port = served.port();
    let paths = runtime.block_on(open_runs(port))?;
    let (mut readers, waiting) = runtime.block_on(async {
        let readers = listen_all(port, paths.clone()).await?;
        tokio::time::sleep(SILENCE).await;
        Outcome::Ok((readers, served.peak_memory()?))
    })?;
    model.answer();
    let live = runtime.block_on(hear_all(&mut readers))?;
    let after = served.peak_memory()?;
    drop(readers);
    let late = runtime.block_on(async {
        let begun = Instant::now();
        let mut readers = listen_all(port, paths.clone()).await?;
        let heard = hear_all(&mut readers).await?;
        Outcome::Ok(Heard { took: begun.elapsed(), ..heard })
    })?;
    let peak = served.peak_memory()?;
    served.stop()?;
    println!(
        "{READERS} runs in progress, each with a reader of its events, the model silent; then its answers"
    );
    println!(
        "peak memory of the server, MB: idle {}, silent {}, answered {}, read again {}",
        mb(idle),
        mb(waiting),
        mb(after),
        mb(peak)
    );
    let small = peak < MOST_MEMORY;
    println!("  below {}: {}", mb(MOST_MEMORY), verdict(small));
    Ok(live.show("runs in progress") & late.show("ended runs, all readers at one moment") & small)
}

fn mb(kib: u64) -> String {
    format!("{:.1}", kib as f64 / 1000.0)
}

/// Opens the runs without waiting for them; gives the paths of their events.
async fn open_runs(port: u16) -> Outcome<Vec<String>> {
    let mut connection = Connection::open(port).await?;
    let request = question::request(port, "prefer: respond-async\r\n");
    let mut paths = Vec::new();
    for _ in 0..READERS {
        let answer = connection.ask(&request).await?;
        let place = field(&answer.head, "location").filter(|_| answer.status == 202);
        let place = place.ok_or_else(|| String::from_utf8_lossy(&answer.body).into_owned())?;
        paths.push(format!("{place}/events"));
    }
    Ok(paths)
}

/// All streams are open, with their first events, when this returns.
async fn listen_all(port: u16, paths: Vec<String>) -> Outcome<Vec<Connection>> {
    let mut tasks = JoinSet::new();
    for path in paths {
        tasks.spawn(async move {
            let mut connection = Connection::open(port).await?;
            match connection.listen(port, &path).await? {
                200 => Outcome::Ok(connection),
                status => Err(format!("a stream was answered with {status}").into()),
            }
        });
    }
    tasks.join_all().await.into_iter().collect()
}

async fn hear_all(readers: &mut Vec<Connection>) -> Outcome<Heard> {
    let begun = Instant::now();
    let mut tasks = JoinSet::new();
    for mut reader in readers.drain(..) {
        tasks.spawn(async move { reader.hear().await });
    }
    let all: Vec<Events> = tasks.join_all().await.into_iter().collect::<Outcome<_>>()?;
    Ok(Heard {
        ended: all.iter().filter(|events| events.ended).count(),
        events: all.iter().map(|events| events.numbered).sum(),
        took: begun.elapsed(),
    })
}

impl Heard {
    /// Whether everybody got the last event.
    fn show(&self, whose: &str) -> bool {
        let all = self.ended == READERS;
        let (ended, events, took) = (self.ended, self.events, self.took.as_secs_f64());
        println!("{whose}: {ended} of {READERS} got the last event: {}", verdict(all));
        println!("  {events} facts sent, {took:.2} s");
        all
    }
}
