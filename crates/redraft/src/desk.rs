//! The server's desk: runs opened durably, driven by tasks of this process, and read from the journal.
//!
//! Invariant: a run and its key stand in the journal before anybody hears of the run; a run's task belongs to the desk,
//! and no client's going away ends it.
//! Absent here: HTTP.

mod keys;
mod reading;

use crate::{
    exit::{Code, Failure},
    solve::{self, Table},
};
use futures::{FutureExt, StreamExt, stream};
use redraft_engine::{Cancel, Events, Rest};
use redraft_loop::{Run, RunId};
use redraft_server::{
    Answer, BoxFuture, Counter, CounterKind, DeskError, FactLine, FactStream, Key, Opened, RunPage,
    RunView, Standing, TokenCount,
};
use redraft_store::{Home, Store, Wait};
use redraft_workflows::solve::Request;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{sync::watch, task::JoinSet};

/// How a run of this process stands.
#[derive(Debug, Clone, PartialEq)]
enum Seen {
    /// Its driver has made facts durable up to this number.
    Driven(u64),
    /// Its driver has left it like this.
    Rests(String, Code),
    /// It is decided; with its answer where this process has driven it from its beginning.
    Decided(Option<Arc<Answer>>),
}

/// The desk of one home.
#[derive(Clone)]
pub(crate) struct House(Arc<Inner>);

struct Inner {
    store: Store,
    home: Home,
    table: Table,
    /// The most runs that are driven at once.
    most: usize,
    cancel: Cancel,
    driven: Mutex<BTreeMap<RunId, watch::Receiver<Seen>>>,
    tasks: Mutex<JoinSet<()>>,
    opened: AtomicU64,
}

impl House {
    pub(crate) fn new(store: Store, home: Home, table: Table, most: usize) -> Self {
        Self(Arc::new(Inner {
            store,
            home,
            table,
            most,
            cancel: Cancel::default(),
            driven: Mutex::default(),
            tasks: Mutex::default(),
            opened: AtomicU64::new(0),
        }))
    }

    /// Goes on with the runs that an earlier server has left; gives how many.
    pub(crate) fn pick_up(&self) -> Result<usize, Failure> {
        let open = solve::open_runs(&self.0.store)?;
        let count = open.len();
        open.into_iter().for_each(|run| self.drive(run));
        Ok(count)
    }

    /// Stops the drivers and waits until all of them rest; their runs go on at the next start.
    pub(crate) async fn close(&self) {
        self.0.cancel.soon.cancel();
        self.0.cancel.now.cancel();
        let mut tasks = {
            let mut tasks = self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *tasks)
        };
        while tasks.join_next().await.is_some() {}
    }

    /// Drives a run that stands in the journal, in a task of the desk's own.
    fn drive(&self, run: Run) {
        let (id, house) = (run.opened().run.clone(), self.clone());
        let (seen, watcher) = watch::channel(Seen::Driven(run.facts()));
        self.driven().insert(id.clone(), watcher);
        let mut tasks = self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            let rest = house.play(run, &seen).await;
            seen.send_replace(rest);
            house.driven().remove(&id);
        });
    }

    async fn play(&self, run: Run, seen: &watch::Sender<Seen>) -> Seen {
        let inner = &self.0;
        let id = run.opened().run.clone();
        let guard = match inner.home.lock(&format!("run:{id}"), Wait::No) {
            Ok(guard) => guard,
            Err(error) => return Seen::Rests(error.to_string(), Code::Busy),
        };
        let events = Events::new(64);
        let mut watch = events.watch();
        let tell = async {
            let (mut heard, mut tokens) = (0, TokenCount::default());
            while let Ok(event) = watch.recv().await {
                if let redraft_engine::News::Fact { seq, fact } = event.news {
                    (heard, tokens) = (heard + 1, reading::and(tokens, reading::tokens(&fact)));
                    seen.send_replace(Seen::Driven(seq));
                }
            }
            (heard, tokens)
        };
        let played = async {
            let played =
                solve::play(&inner.store, Err(run), &inner.table, &events, &inner.cancel).await;
            drop(events);
            played
        };
        let (played, (heard, tokens)) = tokio::join!(played, tell);
        drop(guard);
        match played {
            Ok((Rest::Decided(_), run)) => {
                // All facts but the first, which opened it, were heard of: the journal has nothing to add.
                let all = run.facts() == heard + 1;
                let answer = if all { reading::answer_of(&run, tokens) } else { None };
                Seen::Decided(answer.map(Arc::new))
            }
            Ok((Rest::Stopped(stop), run)) => {
                let code = solve::code(&Rest::Stopped(stop.clone()), &run);
                Seen::Rests(crate::commands::review::stop_text(&stop), code)
            }
            Ok((Rest::Waiting(turn), _)) => {
                Seen::Rests(format!("{} waits", turn.step), Code::Waiting)
            }
            Err(failure) => Seen::Rests(failure.message, failure.code),
        }
    }

    fn driven(&self) -> std::sync::MutexGuard<'_, BTreeMap<RunId, watch::Receiver<Seen>>> {
        self.0.driven.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watcher(&self, run: &RunId) -> Option<watch::Receiver<Seen>> {
        self.driven().get(run).cloned()
    }

    /// Opens a run durably, with its key in the same commit.
    async fn open_run(&self, request: Request, key: Option<Key>) -> Result<Opened, DeskError> {
        if let Some(key) = &key
            && let Some(known) = keys::known(&self.0.store, key)?
        {
            return Ok(known);
        }
        if self.0.cancel.soon.is_cancelled() {
            return Err(DeskError::Unavailable("the server is stopping".to_owned()));
        }
        if self.driven().len() >= self.0.most {
            return Err(DeskError::Busy { retry_after: Duration::from_secs(1) });
        }
        let opened = solve::opened(request, true, &self.0.table)
            .map_err(|failure| DeskError::Refused(failure.message))?;
        let id = opened.run.clone();
        let run =
            Run::open(opened.clone()).map_err(|error| DeskError::Refused(error.to_string()))?;
        if !keys::write(&self.0.store, &opened, key.as_ref()).await? {
            // Another request with this key was faster.
            let known = key.as_ref().map(|key| keys::known(&self.0.store, key)).transpose()?;
            let lost = || DeskError::Unavailable("the journal refused the run".to_owned());
            return known.flatten().ok_or_else(lost);
        }
        self.0.opened.fetch_add(1, Ordering::Relaxed);
        self.drive(run);
        Ok(Opened { run: id, new: true })
    }

    async fn answer_of(&self, run: &RunId) -> Result<Answer, DeskError> {
        if let Some(mut watcher) = self.watcher(run) {
            // The desk's task drops its side only after it has said how the run rests.
            let rests = watcher.wait_for(|seen| !matches!(seen, Seen::Driven(_))).await;
            let seen = rests.map(|seen| seen.clone());
            match seen {
                Ok(Seen::Rests(why, code)) => {
                    let exit_code = code as u8;
                    return Err(DeskError::Rests { run: run.clone(), why, exit_code });
                }
                Ok(Seen::Decided(Some(answer))) => return Ok(Answer::clone(&answer)),
                Ok(Seen::Decided(None) | Seen::Driven(_)) | Err(_) => {}
            }
        }
        reading::answer(&self.0.store, run)
    }

    fn facts_of(&self, run: &RunId, after: u64) -> Result<FactStream, DeskError> {
        reading::run(&self.0.store, run)?;
        let reader =
            Reader { house: self.clone(), run: run.clone(), after, ready: Vec::new(), over: false };
        Ok(stream::unfold(reader, |mut reader| async move {
            reader.next().await.map(|line| (line, reader))
        })
        .boxed())
    }
}

/// A stream of facts: a page of them at most is held.
struct Reader {
    house: House,
    run: RunId,
    after: u64,
    /// In reverse.
    ready: Vec<FactLine>,
    over: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<FactLine, DeskError>> {
        loop {
            if let Some(line) = self.ready.pop() {
                self.after = line.number;
                return Some(Ok(line));
            }
            if self.over {
                return None;
            }
            // Looked at before reading: what comes between is read, or waited for.
            let watcher = self.house.watcher(&self.run);
            match reading::facts(&self.house.0.store, &self.run, self.after) {
                Ok(lines) => self.ready = lines,
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
            self.ready.reverse();
            if self.ready.is_empty() {
                let after = self.after;
                let more = |seen: &Seen| !matches!(seen, Seen::Driven(newest) if *newest <= after);
                match watcher {
                    Some(mut watcher) => drop(watcher.wait_for(more).await),
                    None => self.over = true,
                }
            }
        }
    }
}

impl redraft_server::Desk for House {
    fn open(&self, request: Request, key: Option<Key>) -> BoxFuture<'_, Result<Opened, DeskError>> {
        self.open_run(request, key).boxed()
    }

    fn answer<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Answer, DeskError>> {
        self.answer_of(run).boxed()
    }

    fn runs(
        &self,
        limit: usize,
        before: Option<RunId>,
    ) -> BoxFuture<'_, Result<RunPage, DeskError>> {
        let page = reading::page(&self.0.store, limit, before.as_ref(), |run| self.standing(run));
        std::future::ready(page).boxed()
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<RunView, DeskError>> {
        let read = reading::run(&self.0.store, run);
        let view = read.map(|read| reading::view(&read, self.standing(&read)));
        std::future::ready(view).boxed()
    }

    fn facts<'a>(
        &'a self,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<FactStream, DeskError>> {
        std::future::ready(self.facts_of(run, after)).boxed()
    }

    fn record<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Value, DeskError>> {
        std::future::ready(reading::record(&self.0.store, run)).boxed()
    }

    fn ready(&self) -> BoxFuture<'_, Result<(), DeskError>> {
        let stopping = self.0.cancel.soon.is_cancelled();
        let error = || DeskError::Unavailable("the server is stopping".to_owned());
        std::future::ready(if stopping { Err(error()) } else { Ok(()) }).boxed()
    }

    fn counters(&self) -> BoxFuture<'_, Vec<Counter>> {
        let counter = |name, help, kind, value| Counter { name, help, kind, value };
        let driven = self.driven().len() as u64;
        let opened = self.0.opened.load(Ordering::Relaxed);
        let counters = vec![
            counter(
                "redraft_runs_opened_total",
                "Runs opened since the start.",
                CounterKind::Counter,
                opened,
            ),
            counter("redraft_runs_driven", "Runs driven now.", CounterKind::Gauge, driven),
            counter(
                "redraft_commits_total",
                "Durable commits since the start.",
                CounterKind::Counter,
                self.0.store.commits(),
            ),
        ];
        std::future::ready(counters).boxed()
    }
}

impl House {
    /// Where a run stands, as far as this process knows.
    fn standing(&self, run: &Run) -> Standing {
        match (run.decision(), self.watcher(&run.opened().run)) {
            (Some(exit), _) => {
                let code = solve::code(&Rest::Decided(exit.clone()), run);
                Standing::Decided { outcome: reading::outcome(exit), exit_code: code as u8 }
            }
            (None, Some(_)) => Standing::Running,
            (None, None) => {
                let why = "nobody drives it here".to_owned();
                Standing::Resting { why, exit_code: Code::Interrupted as u8 }
            }
        }
    }
}
