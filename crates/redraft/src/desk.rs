//! The server's desk: runs opened durably, driven by tasks of this process, and read from the journal.
//!
//! Invariant: a run and its key stand in the journal before anybody hears of the run; whoever finds it there before it is
//! decided finds its driver too; a run's task belongs to the desk, and no client's going away ends it.
//! Absent here: HTTP.

mod aside;
mod counters;
mod following;
mod inbox;
mod keys;
mod known;
mod reading;
mod resting;
mod turns;
mod views;

pub(crate) use resting::PickedUp;

use self::{
    aside::{aside_if, read_aside},
    counters::Counts,
    inbox::Inbox,
    known::{Known, Resting},
    turns::Turns,
    views::Views,
};
use crate::{
    exit::Code,
    solve::{self, Table},
};
use futures::FutureExt;
use redraft_engine::{Cancel, Event, Events, News, Rest};
use redraft_loop::{Run, RunId, Stop};
use redraft_server::{
    Answer, BoxFuture, Counter, DeskError, FactStream, Key, Opened, RunPage, RunView, TokenCount,
};
use redraft_store::Store;
use redraft_workflows::solve::Request;
use serde_json::Value;
use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, broadcast::error::RecvError, watch},
    task::JoinSet,
    time::timeout,
};

/// How long drivers that are told to stop at once are waited for. One that works on something large hears of it later.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// How a run of this process stands.
#[derive(Debug, Clone, PartialEq)]
enum Seen {
    /// Its driver has made facts durable up to this number.
    Driven(u64),
    /// Its driver has left it like this.
    Rests(Resting),
    /// It is decided; with its answer where this process has driven it from its beginning.
    Decided(Option<Arc<Answer>>),
}

/// The desk of one home. Whoever makes one holds the lock of all runs that servers opened.
#[derive(Clone)]
pub(crate) struct House(Arc<Inner>);

struct Inner {
    store: Store,
    table: Table,
    inbox: Inbox,
    /// The most runs that are driven at once.
    most: usize,
    places: Arc<Semaphore>,
    cancel: Cancel,
    known: Known,
    turns: Turns,
    tasks: Mutex<JoinSet<()>>,
    opened: AtomicU64,
    /// Runs whose drivers were stopped.
    left: AtomicUsize,
    views: Views,
}

impl House {
    /// A desk that drives at most so many runs at once; its people look into this folder.
    pub(crate) fn new(store: Store, table: Table, inbox: PathBuf, most: usize) -> Self {
        Self(Arc::new(Inner {
            store,
            table,
            inbox: Inbox::new(inbox),
            most,
            places: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))),
            cancel: Cancel::default(),
            known: Known::default(),
            turns: Turns::default(),
            tasks: Mutex::default(),
            opened: AtomicU64::new(0),
            left: AtomicUsize::new(0),
            views: Views::default(),
        }))
    }

    /// Stops the drivers: nothing new is asked, and what is in flight is waited for so long. Then all of them rest, and
    /// their runs go on at the next start. Gives how many runs that are. Nobody who works on something large is waited
    /// for long: its run goes on as well, from its last durable fact.
    pub(crate) async fn close(&self, patience: Duration) -> usize {
        self.0.cancel.soon.cancel();
        let mut tasks = std::mem::take(&mut *self.tasks());
        let all = async { while tasks.join_next().await.is_some() {} };
        if timeout(patience, all).await.is_err() {
            self.0.cancel.now.cancel();
            let all = async { while tasks.join_next().await.is_some() {} };
            // Whoever is still at work then is not waited for.
            let _ = timeout(LAST_WAIT, all).await;
        }
        self.0.left.load(Ordering::Relaxed) + tasks.len()
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drives a run that stands in the journal, in a task of the desk's own, as soon as there is a place for it.
    fn start(&self, run: Run, seen: watch::Sender<Seen>, place: Option<OwnedSemaphorePermit>) {
        let (id, house) = (run.opened().run.clone(), self.clone());
        let mut tasks = self.tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            let place = match place {
                Some(place) => Some(place),
                None => house.place().await,
            };
            let is_large = aside::are_large(&run.opened().settings);
            let end = aside_if(is_large, house.play(run, &seen)).await;
            let rest = match &end {
                Seen::Rests(resting) => Some(resting.clone()),
                Seen::Driven(_) | Seen::Decided(_) => None,
            };
            // Before anybody hears of it: who does may ask for the next.
            drop(place);
            house.0.known.left(&id, rest);
            seen.send_replace(end);
        });
    }

    /// Waits for a place; there is none once the desk closes, and none is needed to interrupt a run.
    async fn place(&self) -> Option<OwnedSemaphorePermit> {
        tokio::select! {
            biased;
            () = self.0.cancel.soon.cancelled() => None,
            place = self.0.places.clone().acquire_owned() => place.ok(),
        }
    }

    async fn play(&self, run: Run, seen: &watch::Sender<Seen>) -> Seen {
        let inner = &self.0;
        // What a person lays there from now on may have been missed.
        let look = inner.inbox.look(&run.opened().run);
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
                let why = inner.inbox.within(&crate::commands::review::stop_text(&stop));
                let person = matches!(stop, Stop::Person { .. }).then_some(look);
                Seen::Rests(Resting { why, code, person })
            }
            // A solve has no gate.
            Ok((Rest::Waiting(turn), _)) => {
                let why = format!("{} waits", turn.step);
                Seen::Rests(Resting { why, code: Code::Waiting, person: None })
            }
            Err(failure) => {
                let why = inner.inbox.within(&failure.message);
                Seen::Rests(Resting { why, code: failure.code, person: None })
            }
        }
    }

    /// Opens a run durably, with its key in the same commit.
    async fn open_run(&self, request: Request, key: Option<Key>) -> Result<Opened, DeskError> {
        // Whoever sends a key while its run is being opened waits for that run.
        let _turn = match &key {
            Some(key) => Some(self.0.turns.take(&key.name).await),
            None => None,
        };
        if let Some(key) = &key
            && let Some(known) = keys::known(&self.0.store, key)?
        {
            self.go_on_if_resting(&known.run)?;
            return Ok(known);
        }
        if self.0.cancel.soon.is_cancelled() {
            return Err(DeskError::Unavailable("the server is stopping".to_owned()));
        }
        let place = self.0.places.clone().try_acquire_owned().map_err(|_| DeskError::Busy {
            most: self.0.most,
            retry_after: Duration::from_secs(1),
        })?;
        let opened = solve::opened(request, true, &self.0.table)
            .map_err(|failure| DeskError::Refused(failure.message))?;
        let id = opened.run.clone();
        let run =
            Run::open(opened.clone()).map_err(|error| DeskError::Refused(error.to_string()))?;
        // Before it is durable: whoever finds it in the journal finds its driver too.
        let lost = || DeskError::Unavailable("the journal refused the run".to_owned());
        let seen = self.0.known.expect(&id, run.facts()).ok_or_else(lost)?;
        let written = keys::write(&self.0.store, &opened, key.as_ref()).await;
        if !matches!(written, Ok(true)) {
            self.0.known.left(&id, None);
        }
        if !written? {
            return Err(lost());
        }
        self.0.opened.fetch_add(1, Ordering::Relaxed);
        self.start(run, seen, Some(place));
        Ok(Opened { run: id, new: true })
    }

    async fn answer_of(&self, run: &RunId) -> Result<Answer, DeskError> {
        if let Some(mut watcher) = self.0.known.watcher(run) {
            // The desk's task drops its side only after it has said how the run rests.
            let rests = watcher.wait_for(|seen| !matches!(seen, Seen::Driven(_))).await;
            let seen = rests.map(|seen| seen.clone());
            match seen {
                Ok(Seen::Rests(rest)) => return Err(rest.told_of(run)),
                Ok(Seen::Decided(Some(answer))) => return Ok(Answer::clone(&answer)),
                Ok(Seen::Decided(None) | Seen::Driven(_)) | Err(_) => {}
            }
        }
        let read = read_aside(|| reading::answer(&self.0.store, run))?;
        read.ok_or_else(|| self.rest_of(run).told_of(run))
    }
}

impl redraft_server::Desk for House {
    fn open(&self, request: Request, key: Option<Key>) -> BoxFuture<'_, Result<Opened, DeskError>> {
        let is_large = aside::is_large(&request);
        aside_if(is_large, self.open_run(request, key)).boxed()
    }

    fn answer<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Answer, DeskError>> {
        self.answer_of(run).boxed()
    }

    fn resume<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<RunView, DeskError>> {
        let taken_up = self.go_on(run).and_then(|()| self.view_of(run));
        std::future::ready(taken_up).boxed()
    }

    fn runs(
        &self,
        limit: usize,
        before: Option<RunId>,
    ) -> BoxFuture<'_, Result<RunPage, DeskError>> {
        let house = &self.0;
        let page =
            || house.views.page(&house.store, limit, before.as_ref(), |run| self.standing(run));
        std::future::ready(read_aside(page)).boxed()
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<RunView, DeskError>> {
        std::future::ready(read_aside(|| self.view_of(run))).boxed()
    }

    fn facts<'a>(
        &'a self,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<FactStream, DeskError>> {
        std::future::ready(self.facts_of(run, after)).boxed()
    }

    fn record<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Value, DeskError>> {
        std::future::ready(read_aside(|| reading::record(&self.0.store, run))).boxed()
    }

    fn ready(&self) -> BoxFuture<'_, Result<(), DeskError>> {
        let stopping = self.0.cancel.soon.is_cancelled();
        let error = || DeskError::Unavailable("the server is stopping".to_owned());
        std::future::ready(if stopping { Err(error()) } else { Ok(()) }).boxed()
    }

    fn counters(&self) -> BoxFuture<'_, Vec<Counter>> {
        let (opened, driven) = (self.0.opened.load(Ordering::Relaxed), self.0.known.driven());
        let counters = counters::all(&self.0.store, Counts { opened, driven });
        std::future::ready(counters).boxed()
    }
}

impl House {
    fn view_of(&self, run: &RunId) -> Result<RunView, DeskError> {
        let read = reading::run(&self.0.store, run)?;
        Ok(reading::view(&read, self.standing(&read)))
    }
}
