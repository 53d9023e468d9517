//! The loop that is measured: create, review, three rounds or as many as asked, by an agent that knows its lines.
//!
//! Invariant: the engine, the workflow and the journal are the product's own; only agent and clock are ours.
//! Absent here: measuring.

use crate::Outcome;
use redraft_engine::{
    Agent, Answer, BoxFuture, Call, Cancel, Clock, Driver, Events, Files, Journal, NoAnswer,
    Policy, Rest, Stage,
};
use redraft_loop::{
    CastMember, Epoch, Hash, Limits, Opened, Reading, Role, Run, RunId, Time, Turn,
};
use redraft_store::{Registration, RunJournal, Store, StreamWrite};
use redraft_workflows::review::{
    Review,
    brief::Brief,
    model::AssetId,
    shape::{self, Bounds, CREATOR},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// What every loop of these benchmarks is about.
pub(crate) const ASSET: &str = "shownotes";

/// How a loop goes.
#[derive(Clone, Copy)]
pub(crate) struct Script {
    /// The round in which both sides agree.
    pub(crate) rounds: u32,
    /// Bytes of a candidate.
    pub(crate) bytes: usize,
    /// How long an answer takes.
    pub(crate) delay: Duration,
}

impl Script {
    /// Three iterations, six instant calls, 2 KB candidates.
    pub(crate) const USUAL: Self = Self { rounds: 3, bytes: 2_000, delay: Duration::ZERO };

    pub(crate) fn calls(self) -> u64 {
        u64::from(self.rounds) * 2
    }
}

/// A text that stands nowhere else: it begins with its run and round.
pub(crate) fn marker(run: &RunId, round: u32) -> String {
    format!("<{run} round {round}>")
}

/// What is found wrong with a round's candidate; stands nowhere else.
pub(crate) fn complaint(run: &RunId, round: u32) -> String {
    format!("round {round} of {run}: say more about the guest")
}

impl Script {
    fn reply(self, call: &Call) -> String {
        let (run, round) = (&call.run, call.round);
        let last = round >= self.rounds;
        if call.role.as_str() == CREATOR {
            let mut text = marker(run, round);
            while text.len() < self.bytes {
                text.push_str(" A sentence of the candidate, as long as such sentences are.");
            }
            text.truncate(self.bytes);
            return format!(r#"{{"done":{last},"candidate":{{"content":"{text}"}}}}"#);
        }
        if last {
            return r#"{"verdict":"ok","reviewer":"reviewer_a"}"#.to_owned();
        }
        let issue = complaint(run, round);
        format!(
            r#"{{"verdict":"changes_requested","reviewer":"reviewer_a","issues":[{{"severity":"error","message":"{issue}"}}]}}"#
        )
    }
}

impl Agent for Script {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        Box::pin(async move {
            if !self.delay.is_zero() {
                tokio::time::sleep(self.delay).await;
            }
            Ok(Answer::text(self.reply(call)))
        })
    }
}

struct SystemClock;

pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

impl Clock for SystemClock {
    fn now(&self) -> Time {
        now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// A workspace without files.
pub(crate) struct NoFiles;

impl Files for NoFiles {
    fn admit(&self, _: &Run, _: &Reading) -> Result<(), String> {
        Ok(())
    }

    fn seal(&self, _: &Run, turn: &Turn) -> io::Result<Hash> {
        Ok(redraft_engine::sha256(turn.text()))
    }

    fn project<'a>(&'a self, _: &'a Run, _: usize) -> BoxFuture<'a, io::Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// A run id of its own, as long as a UUID.
pub(crate) fn new_run_id() -> RunId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    RunId::new(format!("01990000-0000-7000-8000-{n:012x}"))
}

fn opened(run: RunId, script: Script) -> Opened {
    let limits = Limits {
        rounds: script.rounds,
        calls: None,
        tokens: None,
        cost: None,
        time: None,
        attempts: 3,
        ask_again: 1,
    };
    let bounds = Bounds { limits, repairs: 0, stop_on_stagnation: false };
    let member = |role: Role| CastMember {
        role,
        agent: "scripted".into(),
        model: None,
        provider: None,
        family: None,
        lens: None,
    };
    Opened {
        run,
        at: now(),
        epoch: Epoch(1),
        subject: ASSET.into(),
        shape: shape::shape(1, &bounds),
        cast: roles().map(member).collect(),
        sources: Vec::new(),
        seed: None,
        past: Vec::new(),
        first_round: 1,
        settings: Default::default(),
    }
}

/// The journal of a run in a workspace, as the binary opens it.
pub(crate) fn journal(
    store: &Store,
    run: &RunId,
    key: &str,
    ended: Option<StreamWrite>,
) -> RunJournal {
    let registration = Registration {
        kind: "run".into(),
        workspace: Some(key.to_owned()),
        subject: Some(ASSET.into()),
        workflow: Some("review".into()),
        at: now().0,
    };
    let journal = RunJournal::new(store.clone(), run.clone(), registration);
    match ended {
        Some(write) => journal.also_when_decided(write),
        None => journal,
    }
}

/// Who plays a loop, and what they are told.
#[derive(Clone)]
pub(crate) struct Players {
    /// Plays every role.
    pub(crate) agent: Arc<dyn Agent>,
    /// The roles that answer no findings.
    pub(crate) ours: BTreeSet<Role>,
    /// What a model is told.
    pub(crate) brief: Option<Arc<Brief>>,
}

fn roles() -> impl Iterator<Item = Role> {
    std::iter::once(CREATOR.into()).chain(shape::reviewer_roles(1))
}

impl Players {
    /// A script in every role, as the binary plays one.
    pub(crate) fn scripted(script: Script) -> Self {
        Self { agent: Arc::new(script), ours: roles().collect(), brief: None }
    }
}

/// Plays one loop to its decision, which must be agreement in the script's last round.
pub(crate) async fn play(
    run: RunId,
    script: Script,
    players: &Players,
    journal: &dyn Journal,
    files: &dyn Files,
) -> Outcome<()> {
    let workflow = Review {
        asset: AssetId::parse(ASSET)?,
        locked: None,
        taken: Vec::new(),
        ours: players.ours.clone(),
        names: Arc::default(),
        brief: players.brief.clone(),
    };
    let cast: BTreeMap<Role, Arc<dyn Agent>> =
        roles().map(|role| (role, Arc::clone(&players.agent))).collect();
    let stage = Stage {
        workflow: &workflow,
        cast: &cast,
        journal,
        files,
        clock: &SystemClock,
        policy: Policy::STANDARD,
        events: &Events::new(1),
        cancel: &Cancel::default(),
    };
    let mut driver = Driver::open(stage, opened(run, script))?;
    let rest = driver.drive().await?;
    if matches!(&rest, Rest::Decided(exit) if exit.reason == shape::AGREED) {
        return Ok(());
    }
    Err(format!("the loop did not converge: {rest:?}").into())
}

/// Plays one loop with its journal only.
pub(crate) async fn play_in_journal(store: Store, script: Script) -> Outcome<RunId> {
    play_with(store, script, &Players::scripted(script)).await
}

/// Plays one loop with its journal only, by these players.
pub(crate) async fn play_with(store: Store, script: Script, players: &Players) -> Outcome<RunId> {
    let run = new_run_id();
    let key = format!("w/{run}");
    play(run.clone(), script, players, &journal(&store, &run, &key, None), &NoFiles).await?;
    Ok(run)
}
