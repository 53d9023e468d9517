//! A desk in memory. The first word of a prompt says how its run goes:
//!
//! `slow` is not opened before it is let in, `hold` runs until it is let go, `rest` stops undecided, `cap` ends by a budget, `fail` generates nothing; every
//! other prompt is answered at once.

use futures::{FutureExt, StreamExt, stream};
use redraft_loop::{Hash, RunId, Time};
use redraft_server::{
    Answer, BoxFuture, Counter, CounterKind, Desk, DeskError, FactLine, FactStream, Key, Opened,
    RunPage, RunView, Standing, TokenCount,
};
use redraft_workflows::solve::Request;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};
use tokio::sync::{Semaphore, watch};

/// 2026-01-01T00:00:00Z, in microseconds; each run is opened a second after the one before.
const EPOCH: i64 = 1_767_225_600_000_000;

/// What outlives a server.
#[derive(Default)]
pub(crate) struct Shelf {
    runs: Vec<Kept>,
    keys: BTreeMap<String, (Hash, RunId)>,
}

struct Kept {
    view: RunView,
    request: Request,
    facts: Vec<FactLine>,
    changed: watch::Sender<()>,
}

/// A desk over a shelf.
#[derive(Clone)]
pub(crate) struct MemoryDesk {
    shelf: Arc<Mutex<Shelf>>,
    most: usize,
    ready: bool,
    door: Arc<Semaphore>,
    knocked: Arc<Semaphore>,
}

impl MemoryDesk {
    pub(crate) fn new() -> Self {
        let shut = || Arc::new(Semaphore::new(0));
        let (door, knocked) = (shut(), shut());
        Self { shelf: Arc::default(), most: usize::MAX, ready: true, door, knocked }
    }

    /// One that takes no more than so many undecided runs.
    pub(crate) fn with_most(most: usize) -> Self {
        Self { most, ..Self::new() }
    }

    pub(crate) fn unready() -> Self {
        Self { ready: false, ..Self::new() }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap()
    }

    /// How many runs were opened.
    pub(crate) fn opened(&self) -> usize {
        self.shelf().runs.len()
    }

    /// The request that a run answers.
    pub(crate) fn request(&self, run: usize) -> Request {
        self.shelf().runs[run].request.clone()
    }

    /// Writes a fact to a run.
    pub(crate) fn write(&self, run: usize, kind: &str) {
        self.shelf().runs[run].write(kind);
    }

    /// Lets a held run end.
    pub(crate) fn let_go(&self, run: usize) {
        self.shelf().runs[run].decide("converged", 0);
    }

    /// Waits until a slow request has come.
    pub(crate) async fn until_knocked(&self) {
        self.knocked.acquire().await.unwrap().forget();
    }

    /// Lets a slow request in.
    pub(crate) fn let_in(&self) {
        self.door.add_permits(1);
    }

    /// Waits until so many runs were opened.
    pub(crate) async fn until_opened(&self, count: usize) {
        while self.opened() < count {
            tokio::task::yield_now().await;
        }
    }

    fn find<T>(&self, run: &RunId, read: impl FnOnce(&Kept) -> T) -> Result<T, DeskError> {
        let shelf = self.shelf();
        let kept = shelf.runs.iter().find(|kept| kept.view.run == *run);
        kept.map(read).ok_or_else(|| DeskError::NoSuchRun(run.clone()))
    }

    fn open_now(&self, request: Request, key: Option<Key>) -> Result<Opened, DeskError> {
        let mut shelf = self.shelf();
        if let Some((body, run)) = key.as_ref().and_then(|key| shelf.keys.get(&key.name)) {
            let run = run.clone();
            let same = key.is_some_and(|key| key.body == *body);
            return if same {
                Ok(Opened { run, new: false })
            } else {
                Err(DeskError::KeyReused { run })
            };
        }
        let running = |kept: &&Kept| kept.view.standing == Standing::Running;
        if shelf.runs.iter().filter(running).count() >= self.most {
            return Err(DeskError::Busy { retry_after: Duration::from_secs(3) });
        }
        let number = shelf.runs.len();
        let run = RunId::new(format!("run-{number:04}"));
        if let Some(key) = key {
            shelf.keys.insert(key.name, (key.body, run.clone()));
        }
        shelf.runs.push(Kept::new(run.clone(), number, request));
        Ok(Opened { run, new: true })
    }
}

impl Kept {
    fn new(run: RunId, number: usize, request: Request) -> Self {
        let opened = Time(EPOCH + i64::try_from(number).unwrap() * 1_000_000);
        let word = request.prompt.split(' ').next().unwrap().to_owned();
        let view = RunView {
            run,
            workflow: "solve".into(),
            opened,
            updated: opened,
            facts: 0,
            standing: Standing::Running,
        };
        let mut kept = Self { view, request, facts: vec![], changed: watch::Sender::new(()) };
        kept.write("opened");
        kept.write("asked");
        match word.as_str() {
            "hold" => {}
            "rest" => {
                kept.view.standing = Standing::Resting { why: "interrupted".into(), exit_code: 130 }
            }
            "cap" => kept.decide("budget", 5),
            "fail" => kept.decide("failed", 1),
            _ => kept.decide("converged", 0),
        }
        kept
    }

    fn write(&mut self, kind: &str) {
        let number = self.facts.len() as u64 + 1;
        self.facts.push(FactLine { number, kind: kind.into(), json: json!({ kind: number }) });
        self.view.facts = number;
        self.changed.send_replace(());
    }

    fn decide(&mut self, outcome: &str, exit_code: u8) {
        self.write("replied");
        self.view.standing = Standing::Decided { outcome: outcome.into(), exit_code };
        self.write("decided");
    }

    /// `None` while it runs.
    fn answer(&self) -> Option<Result<Answer, DeskError>> {
        let run = self.view.run.clone();
        let (outcome, exit_code) = match self.view.standing.clone() {
            Standing::Running => return None,
            Standing::Resting { why, exit_code } => {
                return Some(Err(DeskError::Rests { run, why, exit_code }));
            }
            Standing::Decided { outcome, exit_code } => (outcome, exit_code),
        };
        let prompt = &self.request.prompt;
        Some(Ok(Answer {
            run,
            outcome,
            exit_code,
            opened: self.view.opened,
            final_answer: format!("An answer to: {prompt}\n\nKnown issues: one \u{1f642}"),
            assumptions: vec!["it is Monday".into()],
            known_issues: vec!["nobody checked".into()],
            tokens: TokenCount { input: 11, output: 7 },
        }))
    }
}

impl Desk for MemoryDesk {
    fn open(&self, request: Request, key: Option<Key>) -> BoxFuture<'_, Result<Opened, DeskError>> {
        async move {
            if request.prompt.starts_with("slow") {
                self.knocked.add_permits(1);
                self.door.acquire().await.unwrap().forget();
            }
            self.open_now(request, key)
        }
        .boxed()
    }

    fn answer<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Answer, DeskError>> {
        async move {
            let mut changed = self.find(run, |kept| kept.changed.subscribe())?;
            loop {
                if let Some(answer) = self.find(run, Kept::answer)? {
                    return answer;
                }
                changed.changed().await.unwrap();
            }
        }
        .boxed()
    }

    fn runs(
        &self,
        limit: usize,
        before: Option<RunId>,
    ) -> BoxFuture<'_, Result<RunPage, DeskError>> {
        async move {
            let shelf = self.shelf();
            let at = |run: &RunId| shelf.runs.iter().position(|kept| kept.view.run == *run);
            let end = match before {
                Some(run) => at(&run).ok_or(DeskError::NoSuchRun(run))?,
                None => shelf.runs.len(),
            };
            let runs = shelf.runs[..end].iter().rev().take(limit).map(|kept| kept.view.clone());
            Ok(RunPage { runs: runs.collect(), more: end > limit })
        }
        .boxed()
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<RunView, DeskError>> {
        assert_ne!(run.as_str(), "panic", "asked for");
        async move { self.find(run, |kept| kept.view.clone()) }.boxed()
    }

    fn facts<'a>(
        &'a self,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<FactStream, DeskError>> {
        async move {
            let changed = self.find(run, |kept| kept.changed.subscribe())?;
            let start = (self.clone(), run.clone(), after, changed);
            let facts = stream::unfold(start, |(desk, run, after, mut changed)| async move {
                loop {
                    let (next, over) = desk
                        .find(&run, |kept| {
                            let next = kept.facts.iter().find(|fact| fact.number > after).cloned();
                            (next, kept.view.standing != Standing::Running)
                        })
                        .unwrap();
                    match next {
                        Some(fact) => {
                            let number = fact.number;
                            return Some((Ok(fact), (desk, run, number, changed)));
                        }
                        None if over => return None,
                        None => changed.changed().await.unwrap(),
                    }
                }
            });
            Ok(facts.boxed())
        }
        .boxed()
    }

    fn record<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Value, DeskError>> {
        let record = self.find(run, |kept| {
            json!({"run_id": kept.view.run.as_str(), "request": kept.request, "facts": kept.facts.len()})
        });
        async move { record }.boxed()
    }

    fn ready(&self) -> BoxFuture<'_, Result<(), DeskError>> {
        let answer = if self.ready {
            Ok(())
        } else {
            Err(DeskError::Unavailable("the store is gone".into()))
        };
        async move { answer }.boxed()
    }

    fn counters(&self) -> BoxFuture<'_, Vec<Counter>> {
        async move {
            vec![Counter {
                name: "redraft_runs_opened_total",
                help: "Runs that were opened.",
                kind: CounterKind::Counter,
                value: self.opened() as u64,
            }]
        }
        .boxed()
    }
}
