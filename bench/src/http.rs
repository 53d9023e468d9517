//! A thousand loops at once whose agent is a model behind HTTP: does the house keep up, and how much does it hold?
//!
//! Invariant: the server is a process of its own, so that memory is the driver's alone; requests and connections are
//! counted there. Absent here: TLS, and servers that fail.

pub(crate) mod server;

use crate::{
    Outcome, block_on,
    disk::{self, Scratch},
    figures::verdict,
    play::{self, Players, Script},
};
use redraft_agents::llm::{Connections, LlmAgent, Model, Provider};
use redraft_workflows::{
    Part,
    review::brief::{Brief, Templates},
};
pub(crate) use server::serve;
use server::{Counted, DELAY, Served};
use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

const LOOPS: u64 = 1000;

/// `whole|stream BRIEF_BYTES`: how replies come, and how long the transcript in every prompt is.
pub(crate) fn run(words: &[&str]) -> Outcome<bool> {
    let [how @ ("whole" | "stream"), bytes] = words else { return Err(crate::USAGE.into()) };
    let bytes: usize = bytes.parse().map_err(|error| format!("{bytes}: {error}"))?;
    let server = Served::start()?;
    let players = players(&server, *how == "stream", bytes)?;
    let played = play_all(&players, bytes)?;
    let counted = server.stop()?;
    println!(
        "{LOOPS} loops at once over HTTP, {how} replies, {bytes} bytes of transcript in each prompt"
    );
    played.show(&counted)
}

struct Played {
    /// Of transcript in each prompt.
    bytes: usize,
    took: Duration,
    commits: u64,
}

fn play_all(players: &Players, bytes: usize) -> Outcome<Played> {
    let scratch = Scratch::new("http")?;
    block_on(async {
        let (_, store) = scratch.store()?;
        play::play_in_journal(store.clone(), Script { rounds: 1, ..Script::USUAL }).await?;
        let before = store.commits();
        let begun = Instant::now();
        let mut tasks = Vec::new();
        for _ in 0..LOOPS {
            let (store, players) = (store.clone(), players.clone());
            tasks.push(tokio::spawn(async move {
                play::play_with(store, Script::USUAL, &players).await
            }));
        }
        for task in tasks {
            task.await??;
        }
        Ok(Played { bytes, took: begun.elapsed(), commits: store.commits() - before })
    })
}

impl Played {
    fn show(&self, counted: &Counted) -> Outcome<bool> {
        let calls = LOOPS * Script::USUAL.calls();
        let wall = self.took.as_secs_f64();
        let ideal = (DELAY * u32::try_from(Script::USUAL.calls())?).as_secs_f64();
        let memory = disk::peak_memory()?;
        let (fast, small) = (wall <= 1.5 * ideal, memory < 300_000);
        // A connection that comes back a moment after the next request has looked for one is not waited for.
        let exact = counted.requests == calls && counted.connections <= 2 * LOOPS;
        let ratio = wall / ideal;
        // Long prompts are told, not bounded: there the processors carry hundreds of megabytes, twice.
        let bound = match self.bytes {
            0 => format!("at most 1.5: {}", verdict(fast)),
            _ => "no bound".to_owned(),
        };
        println!("  wall {wall:.3} s, ideal {ideal:.1} s, {ratio:.3} × ideal, {bound}");
        println!("  peak memory {:.1} MB, below 300: {}", memory as f64 / 1000.0, verdict(small));
        println!(
            "  requests {} of {calls}, connections {}, at most two a loop: {}",
            counted.requests,
            counted.connections,
            verdict(exact)
        );
        let ticks = disk::processor_ticks()?;
        println!(
            "  commits {}, processor ms {}, of the server {}",
            self.commits,
            ticks * 10,
            counted.ticks * 10
        );
        Ok((fast || self.bytes > 0) && small && exact)
    }
}

/// A model behind this server, in every role.
fn players(server: &Served, stream: bool, bytes: usize) -> Outcome<Players> {
    let model = Model {
        provider: Provider::Compatible,
        model: "bench".into(),
        family: None,
        base_url: Some(format!("http://127.0.0.1:{}/v1", server.port())),
        key: None,
        temperature: None,
        max_output_tokens: 4_000,
        stream,
        json_schema: true,
        price: None,
        connect_timeout: Duration::from_secs(10),
        silence: Duration::from_secs(30),
    };
    let agent = Arc::new(LlmAgent::new(model, &Connections::new())?);
    Ok(Players { agent, ours: BTreeSet::new(), brief: Some(Arc::new(brief(bytes)?)) })
}

/// What the episode is about, with a transcript of so many bytes.
fn brief(bytes: usize) -> Outcome<Brief> {
    let line = "Guest: And then we went on with it, \"slowly\", as such things go.\n";
    let said: String = line.chars().cycle().take(bytes).collect();
    Ok(Brief {
        templates: Templates::built_in()?,
        episode: Part::new("episode", r#"{"episode_id":"e1","hosts":["Ada"]}"#),
        transcript: (bytes > 0).then(|| Part::new("transcript", said)),
    })
}
