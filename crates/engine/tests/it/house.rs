//! Ports in memory. Everything that happens is written to one diary, in the order it happened.

use futures::FutureExt;
use redraft_engine::*;
use redraft_loop::*;
use redraft_workflows::{Part, Prompt, Unreadable, Workflow};
use std::{
    collections::{BTreeMap, VecDeque},
    io,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    time::Duration,
};

/// What an agent does with a call.
#[derive(Clone)]
pub(crate) enum Does {
    /// Says this after so many milliseconds.
    Says(&'static str, u64),
    /// Fails so, and may ask to wait so many seconds.
    Fails(Failure, Option<u64>),
}

pub(crate) fn says(text: &'static str) -> Does {
    Does::Says(text, 0)
}

/// The world of a run.
#[derive(Default)]
pub(crate) struct House {
    pub(crate) diary: Mutex<Vec<String>>,
    pub(crate) journal: Mutex<Vec<Fact>>,
    pub(crate) newest_epoch: Mutex<Epoch>,
    /// Calls that all runs of this house may make.
    pub(crate) cap: Mutex<Option<usize>>,
    /// The appends that fail, counted down.
    pub(crate) fails_after: Mutex<Option<usize>>,
    /// Whether files cannot be written.
    pub(crate) disk_full: Mutex<bool>,
    pub(crate) seal: Mutex<String>,
    pub(crate) events: Option<Events>,
    pub(crate) cancel: Cancel,
    /// When its first run was driven.
    pub(crate) began: OnceLock<tokio::time::Instant>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}

impl House {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { events: Some(Events::new(64)), ..Self::default() })
    }

    fn note(&self, line: impl Into<String>) {
        lock(&self.diary).push(line.into());
    }

    pub(crate) fn diary(&self) -> Vec<String> {
        lock(&self.diary).clone()
    }

    pub(crate) fn facts(&self) -> Vec<Fact> {
        lock(&self.journal).clone()
    }

    /// How many durable commits there were.
    pub(crate) fn commits(&self) -> usize {
        self.diary().iter().filter(|line| line.starts_with("commit")).count()
    }
}

impl Journal for House {
    fn append(&self, batch: Batch) -> BoxFuture<'_, Result<Appended, JournalError>> {
        std::future::ready(self.keep(batch)).boxed()
    }

    fn load(&self) -> BoxFuture<'_, Result<Vec<Fact>, JournalError>> {
        std::future::ready(Ok(self.facts())).boxed()
    }
}

impl House {
    fn keep(&self, batch: Batch) -> Result<Appended, JournalError> {
        let run = RunId::new("run");
        let mut journal = lock(&self.journal);
        let newest = *lock(&self.newest_epoch);
        if batch.epoch < newest {
            return Err(JournalError::Stale { run, ours: batch.epoch, newest });
        }
        if batch.after != journal.len() as u64 {
            let found = journal.len() as u64;
            return Err(JournalError::Moved { run, expected: batch.after, found });
        }
        if let Some(left) = lock(&self.fails_after).as_mut() {
            if *left == 0 {
                return Err(JournalError::Storage("the disk is gone".into()));
            }
            *left -= 1;
        }
        *lock(&self.newest_epoch) = batch.epoch;
        let claims: Vec<Fact> = batch.claims.into_iter().map(Fact::Asked).collect();
        let over = lock(&self.cap).is_some_and(|cap| {
            journal.iter().filter(|fact| matches!(fact, Fact::Asked(_))).count() + claims.len()
                > cap
        });
        let kinds = |facts: &[Fact]| facts.iter().map(Fact::kind).collect::<Vec<_>>().join(" ");
        journal.extend(batch.facts.iter().cloned());
        if over && !claims.is_empty() {
            let reached = CapReached { cap: "the home's calls are used".into(), at: batch.at };
            journal.push(Fact::CapReached(reached.clone()));
            self.note(format!("commit {} cap_reached", kinds(&batch.facts)));
            return Ok(Appended::OverCap(reached));
        }
        let all: Vec<Fact> = batch.facts.into_iter().chain(claims.iter().cloned()).collect();
        self.note(format!("commit {}", kinds(&all)));
        journal.extend(claims);
        Ok(Appended::All)
    }
}

impl Files for House {
    fn admit(&self, _: &Run, reading: &Reading) -> Result<(), String> {
        if reading.text.contains("../") { Err("escapes root: ../".into()) } else { Ok(()) }
    }

    fn seal(&self, _: &Run, _: &Turn) -> io::Result<Hash> {
        Ok(Hash::new(lock(&self.seal).clone()))
    }

    fn project<'a>(&'a self, run: &'a Run, from: usize) -> BoxFuture<'a, io::Result<()>> {
        if *lock(&self.disk_full) {
            return std::future::ready(Err(io::Error::other("the disk is full"))).boxed();
        }
        let new = run.turns().len().saturating_sub(from);
        self.note(format!("files of {new} new turns"));
        std::future::ready(Ok(())).boxed()
    }
}

/// Tells tokio's time, which the tests stop.
pub(crate) struct TestClock(tokio::time::Instant);

impl TestClock {
    pub(crate) fn new() -> Self {
        Self(tokio::time::Instant::now())
    }
}

impl Clock for TestClock {
    fn now(&self) -> Time {
        Time(i64::try_from(self.0.elapsed().as_micros()).unwrap())
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        tokio::time::sleep(duration).boxed() // real time: none, the clock is paused
    }
}

/// Says or does what it is told, call by call.
pub(crate) struct Player {
    pub(crate) house: Arc<House>,
    pub(crate) lines: Mutex<VecDeque<Does>>,
}

impl Agent for Player {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        async move {
            self.house.note(format!("{} is asked: {}", call.role, call.prompt.request));
            let line = lock(&self.lines).pop_front().expect("a line for every call");
            match line {
                Does::Says(text, ms) => {
                    tokio::time::sleep(Duration::from_millis(ms)).await; // real time: none, the clock is paused
                    let usage = Some(Usage { input_tokens: 3, output_tokens: 2 });
                    Ok(Answer { usage, ..Answer::text(text) })
                }
                Does::Fails(failure, wait) => {
                    let retry_after = wait.map(Duration::from_secs);
                    Err(AttemptError { retry_after, ..AttemptError::new(failure, "it fell over") }
                        .into())
                }
            }
        }
        .boxed()
    }
}

/// Prompts that name round and attempt; replies that are verdicts, texts, or `???`.
pub(crate) struct Words(pub(crate) &'static str);

impl Workflow for Words {
    fn write(&self, _: &Run, ask: &Ask) -> Prompt {
        let request = format!("{}{} of round {}", self.0, ask.step, ask.round);
        let repair = ask.repair.iter();
        let parts = repair.map(|(_, text)| Part::new("your reply", &**text)).collect();
        Prompt { instructions: String::new(), parts, reply: None, request }
    }

    fn read(&self, _: &Run, _: &Ask, reply: &str) -> Result<Reading, Unreadable> {
        match reply {
            "???" => Err(Unreadable { why: "no words".into() }),
            "ok" => Ok(Reading { verdict: Some(Verdict::Ok), ..Reading::text("") }),
            "change" => {
                Ok(Reading { verdict: Some(Verdict::ChangesRequested), ..Reading::text("") })
            }
            text => Ok(Reading { done: true, ..Reading::text(text) }),
        }
    }

    fn play(&self, _: &Run, play: &Play) -> Reading {
        Reading {
            verdict: Some(Verdict::NeedsHuman),
            ..Reading::text(format!("played {}", play.step))
        }
    }
}

/// A writer and judges, until they agree or the last round.
pub(crate) fn shape(judges: &[&str], rounds: u32) -> Shape {
    let step = |id: &str, player| Step {
        id: id.into(),
        player,
        gate: Gate::Open,
        reserve: 0,
        repairs: 1,
        failing: Failing::Stop,
        unreadable: Failing::Workflow,
        capped: Failing::Stop,
    };
    let judges = judges.iter().map(|name| Role::new(*name)).collect();
    Shape {
        workflow: "words".into(),
        version: 1,
        opening: vec![],
        repeating: vec![
            step("writes", redraft_loop::Player::Agent("writer".into())),
            step("judges", redraft_loop::Player::Panel(judges)),
        ],
        closing: vec![],
        rules: vec![
            Rule::new(Condition::Accepted("judges".into()), Outcome::Converged, "agreed"),
            Rule::new(
                Condition::LastRound { ends_with: "judges".into() },
                Outcome::NeedsHuman,
                "limit",
            ),
        ],
        limits: Limits {
            rounds,
            calls: None,
            tokens: None,
            cost: None,
            time: None,
            attempts: 3,
            ask_again: 1,
        },
        timing: Timing::Driven,
    }
}

pub(crate) fn opened(shape: Shape) -> Opened {
    Opened {
        run: RunId::new("run"),
        at: Time(0),
        epoch: Epoch(1),
        subject: "words".into(),
        shape,
        cast: vec![],
        sources: vec![],
        seed: None,
        past: vec![],
        first_round: 1,
        settings: serde_json::Value::Null,
    }
}

/// The company of a play: roles and their lines.
pub(crate) type Cast = BTreeMap<Role, Arc<dyn Agent>>;

pub(crate) fn cast(house: &Arc<House>, lines: &[(&str, &[Does])]) -> Cast {
    let player = |lines: &[Does]| Player {
        house: Arc::clone(house),
        lines: Mutex::new(lines.iter().cloned().collect()),
    };
    lines
        .iter()
        .map(|(role, lines)| (Role::new(*role), Arc::new(player(lines)) as Arc<dyn Agent>))
        .collect()
}

pub(crate) fn policy() -> Policy {
    Policy { call_timeout: Duration::from_secs(60), ..Policy::STANDARD }
}

/// Drives a new run, or the one in the house's journal, until it rests.
pub(crate) async fn drive(house: &House, cast: &Cast, shape: &Shape) -> Result<Rest, DriveError> {
    drive_with(house, cast, shape, &Words("")).await
}

pub(crate) async fn drive_with(
    house: &House,
    cast: &Cast,
    shape: &Shape,
    workflow: &Words,
) -> Result<Rest, DriveError> {
    drive_opened(house, cast, opened(shape.clone()), workflow).await
}

pub(crate) async fn drive_opened(
    house: &House,
    cast: &Cast,
    opened: Opened,
    workflow: &dyn Workflow,
) -> Result<Rest, DriveError> {
    let clock = TestClock(*house.began.get_or_init(tokio::time::Instant::now));
    let stage = Stage {
        workflow,
        cast,
        journal: house,
        files: house,
        clock: &clock,
        policy: policy(),
        events: house.events.as_ref().unwrap(),
        cancel: &house.cancel,
    };
    let facts = house.facts();
    let mut driver = match facts.is_empty() {
        true => Driver::open(stage, opened)?,
        false => Driver::resume(stage, Run::replay(facts)?)?,
    };
    driver.drive().await
}

pub(crate) fn reason(rest: Result<Rest, DriveError>) -> String {
    match rest {
        Ok(Rest::Decided(exit)) => exit.reason,
        Ok(Rest::Waiting(turn)) => format!("waits at {}", turn.step),
        Ok(Rest::Stopped(stop)) => format!("{stop:?}"),
        Err(error) => error.to_string(),
    }
}
