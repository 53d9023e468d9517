//! The server: chat completions on loopback, each answered 200 ms after its request has come.
//!
//! Invariant: it keeps nothing of a conversation; what it is to say follows from the request alone.
//! Absent here: reading JSON. Looking for a few marks in it is cheaper, and both sides share the processor.

pub(crate) mod wire;

use crate::{Outcome, block_on, disk};
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use tokio::net::TcpListener;

/// How long an answer takes.
pub(super) const DELAY: Duration = Duration::from_millis(200);

/// What a server has counted.
pub(super) struct Counted {
    pub(super) requests: u64,
    pub(super) connections: u64,
    pub(super) ticks: u64,
}

/// A server in a process of its own.
pub(super) struct Served {
    process: Child,
    said: BufReader<ChildStdout>,
    port: u16,
}

impl Served {
    pub(super) fn start() -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let said = process.stdout.take().ok_or("the server has no output")?;
        let mut served = Self { process, said: BufReader::new(said), port: 0 };
        served.port = served.line()?.trim().parse()?;
        Ok(served)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Ends it, and gives what it has counted.
    pub(super) fn stop(mut self) -> Outcome<Counted> {
        drop(self.process.stdin.take());
        let line = self.line()?;
        self.process.wait()?;
        let numbers: Vec<u64> =
            line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [requests, connections, ticks] = numbers[..] else {
            return Err(format!("the server said {line:?}").into());
        };
        Ok(Counted { requests, connections, ticks })
    }

    fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        self.said.read_line(&mut line)?;
        Ok(line)
    }
}

impl Drop for Served {
    /// Without its input the server ends by itself; after an error nobody waits for that.
    fn drop(&mut self) {
        drop(self.process.stdin.take());
    }
}

static REQUESTS: AtomicU64 = AtomicU64::new(0);
static CONNECTIONS: AtomicU64 = AtomicU64::new(0);

/// The server's process: says its port, serves until its input ends, and says what it has counted.
pub(crate) fn serve() -> Outcome<bool> {
    block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        println!("{}", listener.local_addr()?.port());
        std::io::stdout().flush()?;
        let ended = tokio::task::spawn_blocking(|| std::io::stdin().read(&mut [0]));
        tokio::select! {
            failed = accept(listener) => failed,
            _ = ended => Ok(()),
        }
    })?;
    let (requests, connections) = (&REQUESTS, &CONNECTIONS);
    let counted = |count: &AtomicU64| count.load(Ordering::Relaxed);
    println!("{} {} {}", counted(requests), counted(connections), disk::processor_ticks()?);
    Ok(true)
}

async fn accept(listener: TcpListener) -> Outcome<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        CONNECTIONS.fetch_add(1, Ordering::Relaxed);
        stream.set_nodelay(true)?;
        tokio::spawn(async move {
            // A peer that goes away ends its connection and nothing else.
            let _ = converse(wire::Wire::new(stream)).await;
        });
    }
}

async fn converse(mut wire: wire::Wire) -> Outcome<()> {
    while let Some(body) = wire.request().await? {
        let answer_at = tokio::time::Instant::now() + DELAY;
        let n = REQUESTS.fetch_add(1, Ordering::Relaxed);
        let reply = reply(&body, n);
        let stream = body.contains(r#""stream":true"#);
        drop(body);
        tokio::time::sleep_until(answer_at).await;
        if stream { wire.stream(&reply).await? } else { wire.whole(&reply).await? }
    }
    Ok(())
}

/// The lines of a loop that agrees in its third round.
fn reply(body: &str, n: u64) -> String {
    match body.rfind("[begin candidate ") {
        Some(at) => review(&body[at..], n),
        None => candidate(
            body.rfind("[begin previous candidate ").map_or(1, |at| round(&body[at..]) + 1),
        ),
    }
}

const ROUNDS: u32 = crate::play::Script::USUAL.rounds;

/// The round that a candidate names.
fn round(text: &str) -> u32 {
    let after = text.split("<round ").nth(1).unwrap_or_default();
    after.split('>').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn candidate(round: u32) -> String {
    let mut text = format!("<round {round}>");
    while text.len() < crate::play::Script::USUAL.bytes {
        text.push_str(" A sentence of the candidate, as long as such sentences are.");
    }
    format!(r#"{{"done":{},"candidate":{{"content":"{text}"}}}}"#, round >= ROUNDS)
}

/// Whatever was found before is fixed; before the last round there is something new.
fn review(from_candidate: &str, n: u64) -> String {
    let findings = from_candidate.split(r#"\"id\""#).skip(1);
    let fixed = findings.filter_map(|rest| rest.split(r#"\""#).nth(1));
    let fixed: Vec<String> =
        fixed.map(|id| format!(r#"{{"id":"{id}","status":"fixed"}}"#)).collect();
    let findings = fixed.join(",");
    if round(from_candidate) >= ROUNDS {
        return format!(r#"{{"verdict":"ok","findings":[{findings}],"issues":[]}}"#);
    }
    format!(
        r#"{{"verdict":"changes_requested","findings":[{findings}],"issues":[{{"severity":"error","message":"review {n}: say more about the guest"}}]}}"#
    )
}
