//! Fifty runs under one cap of their home, in one process or in two, killed and resumed at random: whatever the cap
//! counts (calls, tokens, money), the provider never counts more.
//!
//! Invariant: a trial follows from its seed, but for the moment at which a process is killed.

use super::super::{command, configure, dice::Dice};
use crate::{
    provider::{Does, Provider, Seen, honest},
    sandbox::{Ended, Sandbox, ended},
};
use std::{
    process::{Child, Stdio},
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, channel},
    },
    time::{Duration, Instant},
};

const RUNS: u64 = 50;
/// What `configure` allows a model to write.
const LONGEST_REPLY: u64 = 1_000;
/// Dollars for a million tokens, read and written: of the writer, and of the critic.
const WRITER: (u64, u64) = (10, 100);
const CRITIC: (u64, u64) = (20, 50);

/// A cap of the home: its unit in the configuration, and how much of it there is.
struct Cap {
    unit: &'static str,
    configured: &'static str,
    most: u64,
    /// What one request costs of it.
    bill: fn(&Seen) -> u64,
}

/// Each leaves about seven calls.
const CAPS: [Cap; 3] = [
    Cap { unit: "calls", configured: "calls = 7", most: 7, bill: |_| 1 },
    Cap { unit: "tokens", configured: "tokens = 45000", most: 45_000, bill: tokens },
    Cap { unit: "microdollars", configured: "usd = 1.1", most: 1_100_000, bill: money },
];

/// The dearest provider there can be: each byte is a token, and each reply as long as it may be.
fn usage(seen: &Seen) -> (u64, u64) {
    (seen.text().len() as u64, LONGEST_REPLY)
}

fn tokens(seen: &Seen) -> u64 {
    let (input, output) = usage(seen);
    input + output
}

/// In millionths of a dollar.
fn money(seen: &Seen) -> u64 {
    let ((input, output), price) = (usage(seen), price(seen.model()));
    input * price.0 + output * price.1
}

fn price(model: &str) -> (u64, u64) {
    if model == "writer" { WRITER } else { CRITIC }
}

fn prices() -> String {
    let table = |model| {
        let (input, output) = price(model);
        format!("[prices.{model}]\ninput = {input}.0\noutput = {output}.0\n")
    };
    ["writer", "critic"].map(table).concat()
}

/// A provider that says when it is asked, and answers at once or some milliseconds later.
fn provider(seed: u64) -> (Provider, Receiver<()>) {
    let (tell, told) = channel();
    let provider = Provider::new(move |seen| {
        let _ = tell.send(());
        let wait = Dice(seed ^ seen.text().len() as u64 ^ seen.nth as u64).below(8);
        std::thread::sleep(Duration::from_millis(wait)); // real time: a provider takes its time
        let (input, output) = usage(seen);
        Does::SaysFor { input, output, text: honest(seen) }
    });
    (provider, told)
}

/// What a trial leads to.
struct Trial {
    seed: u64,
    dice: Dice,
    cap: &'static Cap,
    /// The workspaces, one process for each.
    workspaces: &'static [&'static str],
    provider: Provider,
    told: Receiver<()>,
    sandbox: Sandbox,
}

impl Trial {
    fn of(seed: u64) -> Self {
        let cap = &CAPS[seed as usize % CAPS.len()];
        let workspaces: &[&str] = if (seed / 3).is_multiple_of(2) { &["w"] } else { &["w", "w2"] };
        let (provider, told) = provider(seed);
        let sandbox = Sandbox::new();
        sandbox.expect(0, "init");
        for workspace in workspaces {
            sandbox.expect(0, &format!("podcast init --episode-id e1 --workspace {workspace}"));
        }
        configure(&sandbox, &provider, &format!("{}[budget.home]\n{}\n", prices(), cap.configured));
        Self { seed, dice: Dice(seed), cap, workspaces, provider, told, sandbox }
    }

    fn start(&self) -> Vec<Child> {
        let runs = RUNS / self.workspaces.len() as u64;
        let assets: Vec<String> = (1..=runs).map(|n| format!("--asset-id a{n}")).collect();
        let review = |workspace: &&str| {
            let words = format!("podcast review -w {workspace} {}", assets.join(" "));
            let mut command = command(&self.sandbox, &words);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        self.workspaces.iter().map(review).collect()
    }

    /// Starts all, kills one or all of them at some moment, and lets the others end. Says whether the kill came in
    /// time.
    fn kill(&mut self) -> bool {
        while self.told.try_recv().is_ok() {}
        let mut children = self.start();
        match self.dice.below(4) {
            0 => {
                let wait = Duration::from_millis(5 + self.dice.below(120));
                std::thread::sleep(wait); // real time: another process is at work
            }
            _ => {
                let k = 1 + self.dice.below(3);
                self.await_requests(k, &mut children);
                let wait = Duration::from_millis(self.dice.below(10));
                std::thread::sleep(wait); // real time: the reply is on its way, or taken in
            }
        }
        let victim = self.dice.below(children.len() as u64 + 1) as usize;
        let mut came = false;
        for (n, child) in children.iter_mut().enumerate() {
            if n == victim || victim == self.workspaces.len() {
                came |= child.try_wait().unwrap().is_none();
                let _ = child.kill();
            }
        }
        children.into_iter().for_each(|child| drop(child.wait_with_output().unwrap()));
        came
    }

    /// Waits until the provider has seen so many requests of these processes, or they have ended.
    fn await_requests(&self, k: u64, children: &mut [Child]) {
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut seen = 0;
        while seen < k && !children.iter_mut().all(|child| child.try_wait().unwrap().is_some()) {
            seen += u64::from(self.told.recv_timeout(Duration::from_millis(5)).is_ok());
            assert!(Instant::now() < deadline, "trial {}: {seen} of {k} requests", self.seed);
        }
    }

    /// Lets all come to their end, and compares what was counted.
    fn end(&self) {
        let seed = self.seed;
        for child in self.start() {
            let Ended { code, out, err } = ended(&child.wait_with_output().unwrap());
            assert_eq!(code, 5, "trial {seed}: {out}\n{err}");
        }
        let billed: u64 = self.provider.seen().iter().map(self.cap.bill).sum();
        let Cap { unit, most, .. } = self.cap;
        assert!(billed <= *most, "trial {seed}: the provider counted {billed} {unit} of {most}");
        let shown = self.sandbox.json("budget show -w w");
        let budgets = shown["home"].as_array().unwrap();
        let budget = budgets.iter().find(|budget| budget["unit"] == *unit).unwrap();
        let used = budget["used"].as_u64().unwrap();
        assert!((billed..=*most).contains(&used), "trial {seed}: {billed} counted, {shown}");
        // Nearly all of it is used: the cap is what ended the runs.
        assert!(used * 4 >= most * 3, "trial {seed}: {shown}");
        self.sandbox.expect(0, "verify -w w");
    }
}

/// Plays a trial. Says whether a process was killed in it before it had ended.
fn play(seed: u64) -> bool {
    let mut trial = Trial::of(seed);
    let kills = [1, 2, 3, 1, 0][trial.dice.below(5) as usize];
    let came = (0..kills).filter(|_| trial.kill()).count();
    trial.end();
    came > 0
}

#[test]
fn fifty_runs_never_use_more_than_their_shared_cap() {
    let trials = if std::env::var_os("REDRAFT_DEEP").is_some() { 200 } else { 12 };
    let (next, killed) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Relaxed)).filter(|n| *n < trials) {
                    killed.fetch_add(u64::from(play(seed)), Relaxed);
                }
            });
        }
    });
    let killed = killed.into_inner();
    eprintln!("{trials} trials, {killed} with a kill; no provider counted more than the cap");
    assert!(killed * 2 > trials, "{killed} of {trials} trials had a kill");
}
