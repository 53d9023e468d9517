//! The one thread of a process that writes to the journal; it commits all that waits in one go.
//!
//! Invariant: an answer leaves only after its commit is durable. A refused request does not spoil
//! the others of its group; a failed commit fails them all, and nothing is written after it. What
//! such a commit held may still be found when the journal is opened anew: it was never promised,
//! and it was not ruled out.
//! Absent here: which rows an append writes.

use super::append::{Append, AppendOutcome};
use super::commit::{Rows, Touched};
use super::connection;
use super::error::{Fault, StoreError, chain_of};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// So many requests at most share a commit, so that the first does not wait for ever.
const GROUP: usize = 1024;

/// A group of so many tells that many runs are at work at once.
const BUSY: usize = 4;

/// After a group of [`BUSY`] the next commit begins no sooner than this after its own began, so that as many can
/// share it. A run that works alone never waits. Measured with a thousand runs: without it, a fast disk gets a
/// commit for almost every request, and the processor time of those commits is what the runs wait for.
const PACE: Duration = Duration::from_millis(3);

/// What the writer can be asked.
pub(super) enum Request {
    Append(Append),
    Cap {
        scope: String,
        unit: String,
        cap: Option<u64>,
    },
    /// Set a cap where there is none, or a lower one.
    Tighten {
        scope: String,
        unit: String,
        cap: u64,
    },
    /// Move the log into the journal; asked alone, outside any transaction.
    Checkpoint,
}

/// How a request was answered.
pub(super) type Answer = Result<AppendOutcome, StoreError>;

struct Job {
    request: Request,
    answer: oneshot::Sender<Answer>,
}

/// The running thread.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(path: &Path, commits: Arc<AtomicU64>) -> std::io::Result<Self> {
        let (jobs, waiting) = channel();
        let work = Work { path: path.to_path_buf(), waiting, commits };
        let thread = std::thread::Builder::new().name("redraft-journal".into());
        let thread = thread.spawn(move || work.run())?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands a request over; the receiver yields the answer, or fails if the thread is gone.
    pub(super) fn ask(&self, request: Request) -> oneshot::Receiver<Answer> {
        let (answer, receiver) = oneshot::channel();
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(Job { request, answer });
        }
        receiver
    }
}

/// Waits until all that was asked is done and the log is checkpointed.
impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Work {
    path: PathBuf,
    waiting: Receiver<Job>,
    commits: Arc<AtomicU64>,
}

impl Work {
    fn run(&self) {
        while let Some(group) = self.gather(None) {
            match connection::open_to_write(&self.path) {
                Ok(db) => self.serve(&db, group),
                Err(error) => refuse(group, &error),
            }
        }
    }

    /// Serves this group and all later ones, until the store is closed.
    fn serve(&self, db: &Connection, group: Vec<Job>) {
        let mut group = group;
        let mut rows = match Rows::prepare(db) {
            Ok(rows) => rows,
            Err(error) => {
                return refuse(group, &Fault::from(error).at(&self.path, "prepare the writer"));
            }
        };
        loop {
            let begun = (group.len() >= BUSY).then(Instant::now);
            let (checkpoints, group_of_writes): (Vec<Job>, Vec<Job>) =
                group.into_iter().partition(|job| matches!(job.request, Request::Checkpoint));
            let committed = match group_of_writes.is_empty() {
                true => Ok(()),
                false => self.commit(db, &mut rows, group_of_writes),
            };
            let moved = committed.and_then(|()| self.checkpoint(db, checkpoints));
            if let Err(error) = moved {
                return self.refuse_all(&error);
            }
            match self.gather(begun) {
                Some(next) => group = next,
                None => return,
            }
        }
    }

    fn refuse_all(&self, error: &StoreError) {
        while let Some(group) = self.gather(None) {
            refuse(group, error);
        }
    }

    /// All requests that wait; blocks for the first, `None` when there will be no more. Where the group before was
    /// a busy one, begun at this instant, it lets the requests come together first.
    fn gather(&self, busy_since: Option<Instant>) -> Option<Vec<Job>> {
        let first = self.waiting.recv().ok()?;
        if let Some(begun) = busy_since {
            std::thread::sleep(PACE.saturating_sub(begun.elapsed()));
        }
        let mut group = vec![first];
        group.extend(self.waiting.try_iter().take(GROUP - 1));
        Some(group)
    }

    /// Moves the log into the journal. Readers may keep part of it in the log; that is no error.
    fn checkpoint(&self, db: &Connection, jobs: Vec<Job>) -> Result<(), StoreError> {
        if jobs.is_empty() {
            return Ok(());
        }
        let moved = db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        let moved = moved.map_err(|error| Fault::from(error).at(&self.path, "checkpoint"));
        for job in jobs {
            let _ = job.answer.send(moved.clone().map(|()| AppendOutcome::All));
        }
        moved.map_err(|error| self.stopped(&error))
    }

    /// One transaction; an error means that the store must stop.
    fn commit(
        &self,
        db: &Connection,
        rows: &mut Rows<'_>,
        group: Vec<Job>,
    ) -> Result<(), StoreError> {
        if let Err(error) = rows.begin.execute([]) {
            let error = Fault::from(error).at(&self.path, "begin a commit");
            let is_busy = matches!(error, StoreError::Busy { .. });
            refuse(group, &error);
            return if is_busy { Ok(()) } else { Err(self.stopped(&error)) };
        }
        let before = db.total_changes();
        let mut touched = Touched::new();
        let mut done = Vec::with_capacity(group.len());
        let mut group = group.into_iter();
        for job in group.by_ref() {
            match one(db, rows, job.request, &mut touched) {
                Ok(outcome) => done.push((job.answer, Ok(outcome))),
                Err(Fault::Refused(error)) => done.push((job.answer, Err(error))),
                Err(Fault::Sqlite(error)) => {
                    done.push((job.answer, Ok(AppendOutcome::All)));
                    done.extend(group.map(|job| (job.answer, Ok(AppendOutcome::All))));
                    return self.fail(db, done, error.into());
                }
            }
        }
        let keeps = done.iter().any(|(_, answer)| answer.is_ok());
        let ended = match keeps {
            true => rows.chain(&touched).and_then(|()| Ok(rows.commit.execute([]).map(drop)?)),
            false => db.execute_batch("ROLLBACK").map_err(Fault::from),
        };
        if let Err(fault) = ended {
            return self.fail(db, done, fault);
        }
        let written = keeps && db.total_changes() != before;
        self.commits.fetch_add(written.into(), Ordering::Relaxed);
        for (answer, outcome) in done {
            let _ = answer.send(outcome);
        }
        Ok(())
    }

    /// Undoes the transaction and answers everyone in it; refusals stay what they were.
    fn fail(
        &self,
        db: &Connection,
        done: Vec<(oneshot::Sender<Answer>, Answer)>,
        fault: Fault,
    ) -> Result<(), StoreError> {
        let _ = db.execute_batch("ROLLBACK");
        let error = fault.at(&self.path, "commit");
        for (answer, outcome) in done {
            let _ = answer.send(outcome.and_then(|_| Err(error.clone())));
        }
        Err(self.stopped(&error))
    }

    fn stopped(&self, cause: &StoreError) -> StoreError {
        StoreError::Stopped { path: self.path.clone(), cause: chain_of(cause) }
    }
}

/// One request in a savepoint of its own.
fn one(
    db: &Connection,
    rows: &mut Rows<'_>,
    request: Request,
    touched: &mut Touched,
) -> Result<AppendOutcome, Fault> {
    rows.save.execute([])?;
    let outcome = match request {
        Request::Append(append) => rows.append(append),
        Request::Cap { scope, unit, cap } => {
            rows.budgets.set_cap(&scope, &unit, cap).map(|()| (AppendOutcome::All, Touched::new()))
        }
        Request::Tighten { scope, unit, cap } => {
            rows.budgets.tighten(&scope, &unit, cap).map(|()| (AppendOutcome::All, Touched::new()))
        }
        Request::Checkpoint => Ok((AppendOutcome::All, Touched::new())),
    };
    match outcome {
        Ok((outcome, ends)) => {
            rows.release.execute([])?;
            touched.extend(ends);
            Ok(outcome)
        }
        Err(Fault::Refused(error)) => {
            db.execute_batch("ROLLBACK TO one; RELEASE one")?;
            Err(Fault::Refused(error))
        }
        Err(Fault::Sqlite(error)) => Err(Fault::Sqlite(error)),
    }
}

fn refuse(group: Vec<Job>, error: &StoreError) {
    for job in group {
        let _ = job.answer.send(Err(error.clone()));
    }
}
