//! The server's desk: runs opened durably, driven by tasks of this process, and read from the journal.
//!
//! Invariant: a run and its key stand in the journal before anybody hears of the run; whoever finds it there before it is
//! decided finds its driver too; a run's task belongs to the desk, and no client's going away ends it.
//! Absent here: HTTP.

mod counters;
mod following;
mod keys;
mod reading;
mod views;

use self::{counters::Counts, views::Views};
use crate::{
    exit::{Code, Failure},
    solve::{self, Table},
};
use futures::FutureExt;
use redraft_engine::{Cancel, Event, Events, News, Rest};
use redraft_loop::{Run, RunId, Stop};
use redraft_server::{
    Answer, BoxFuture, Counter, DeskError, FactStream, Key, Opened, RunPage, RunView, Standing,
    TokenCount,
};
use redraft_store::Store;
use redraft_workflows::solve::Request;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{broadcast::error::RecvError, watch},
    task::JoinSet,
    time::timeout,
};

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

/// The desk of one home. Whoever makes one holds the lock of all runs that servers opened.
#[derive(Clone)]
pub(crate) struct House(Arc<Inner>);

struct Inner {
    store: Store,
    table: Table,
    /// The most runs that are driven at once.
    most: usize,
    cancel: Cancel,
    driven: Mutex<BTreeMap<RunId, watch::Receiver<Seen>>>,
    tasks: Mutex<JoinSet<()>>,
    opened: AtomicU64,
    /// Runs whose drivers were stopped.
    left: AtomicUsize,
    views: Views,
}

impl House {
    pub(crate) fn new(store: Store, table: Table, most: usize) -> Self {
        Self(Arc::new(Inner {
            store,
            table,
            most,
            cancel: Cancel::default(),
            driven: Mutex::default(),
            tasks: Mutex::default(),
            opened: AtomicU64::new(0),
            left: AtomicUsize::new(0),
            views: Views::default(),
        }))
    }

    /// Goes on with the runs that an earlier server has left; gives how many.
    pub(crate) fn pick_up(&self) -> Result<usize, Failure> {
        let open = solve::open_runs(&self.0.store, &self.0.table)?;
        let count = open.len();
        open.into_iter().for_each(|run| self.drive(run));
        Ok(count)
    }

    /// Stops the drivers: nothing new is asked, and what is in flight is waited for so long. Then all of them rest, and
    /// their runs go on at the next start. Gives how many runs that are.
    pub(crate) async fn close(&self, patience: Duration) -> usize {
        self.0.cancel.soon.cancel();
        let mut tasks = {
            let mut tasks = self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *tasks)
        };
        let all = async { while tasks.join_next().await.is_some() {} };
        if timeout(patience, all).await.is_err() {
            self.0.cancel.now.cancel();
            while tasks.join_next().await.is_some() {}
        }
        self.0.left.load(Ordering::Relaxed)
    }

    /// Drives a run that stands in the journal, in a task of the desk's own.
    fn drive(&self, run: Run) {
        let seen = self.expect(&run);
        self.start(run, seen);
    }

    /// From now on whoever looks for the run waits for its driver.
    fn expect(&self, run: &Run) -> watch::Sender<Seen> {
        let (seen, watcher) = watch::channel(Seen::Driven(run.facts()));
        self.driven().insert(run.opened().run.clone(), watcher);
        seen
    }

    fn start(&self, run: Run, seen: watch::Sender<Seen>) {
        let (id, house) = (run.opened().run.clone(), self.clone());
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
        let events = Events::new(64);
        let mut watch = events.watch();
        let tell = async {
            let (mut heard, mut tokens) = (0, TokenCount::default());
            loop {
                match watch.recv().await {
                    Ok(Event { news: News::Fact { seq, fact }, .. }) => {
                        (heard, tokens) = (heard + 1, reading::and(tokens, reading::tokens(&fact)));
                        seen.send_replace(Seen::Driven(seq));
                    }
                    // What was passed over stands in the journal; the next fact has its number.
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return (heard, tokens),
                }
            }
        };
        let played = async {
            let (store, table, cancel) = (&inner.store, &inner.table, &inner.cancel);
            let played = solve::go_on(store, run, table, &events, cancel).await;
            drop(events);
            played
        };
        let (played, (heard, tokens)) = tokio::join!(played, tell);
        match played {
            Ok((Rest::Decided(_), run)) => {
                // All facts but the first, which opened it, were heard of: the journal has nothing to add.
                let all = run.facts() == heard + 1;
                let answer = if all { reading::answer_of(&run, tokens) } else { None };
                Seen::Decided(answer.map(Arc::new))
            }
            Ok((Rest::Stopped(stop), run)) => {
                let code = solve::code(&Rest::Stopped(stop.clone()), &run);
                inner.left.fetch_add(usize::from(stop == Stop::Interrupted), Ordering::Relaxed);
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
        // Before it is durable: a request that loses the race for the key looks for this run at once.
        let seen = self.expect(&run);
        let written = keys::write(&self.0.store, &opened, key.as_ref()).await;
        if !matches!(written, Ok(true)) {
            self.driven().remove(&id);
        }
        if !written? {
            // Another request with this key was faster.
            let known = key.as_ref().map(|key| keys::known(&self.0.store, key)).transpose()?;
            let lost = || DeskError::Unavailable("the journal refused the run".to_owned());
            return known.flatten().ok_or_else(lost);
        }
        self.0.opened.fetch_add(1, Ordering::Relaxed);
        self.start(run, seen);
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
        let page =
            self.0.views.page(&self.0.store, limit, before.as_ref(), |run| self.standing(run));
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
        let (opened, driven) = (self.0.opened.load(Ordering::Relaxed), self.driven().len() as u64);
        let counters = counters::all(&self.0.store, Counts { opened, driven });
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
            // It may have been decided between being read and being looked for; it changes no more.
            (None, None) => match reading::run(&self.0.store, &run.opened().run) {
                Ok(read) if read.decision().is_some() => self.standing(&read),
                Ok(_) | Err(_) => {
                    let why = "nobody drives it here".to_owned();
                    Standing::Resting { why, exit_code: Code::Interrupted as u8 }
                }
            },
        }
    }
}
