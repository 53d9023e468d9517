//! The store is one process's handle on the journal of a home.
//!
//! Invariant: reading never waits for the writer, and the writer thread starts with the first
//! append. Clones share one connection to read and one writer.
//! Absent here: locks on runs, which [`crate::Home::lock`] gives.

use super::append::{Append, AppendOutcome, StreamId};
use super::chain;
use super::connection;
use super::error::{Fault, StoreError};
use super::read::{self, BudgetUse, Entry, Filter, StreamRow};
use super::writer::{Request, Writer};
use crate::home::Home;
use rusqlite::Connection;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The journal of a home, open. Cheap to clone; dropping the last clone waits for its writer.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    reader: Mutex<Option<Connection>>,
    writer: Mutex<Option<Writer>>,
    commits: Arc<AtomicU64>,
}

/// The reader goes first: the last connection to close is the one that checkpoints the log.
impl Drop for Inner {
    fn drop(&mut self) {
        drop(held(&self.reader).take());
        drop(held(&self.writer).take());
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

/// A poisoned lock only says that a thread panicked; what it guards is whole at any time.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// Opens the journal of a home and makes it when there is none.
    ///
    /// # Errors
    /// When the file is no journal, is newer than this program, or cannot be reached.
    pub fn open(home: &Home) -> Result<Self, StoreError> {
        if let Some(store) = Self::open_existing(home)? {
            return Ok(store);
        }
        connection::create(home)?;
        let path = connection::path_in(home);
        Self::open_existing(home)?.ok_or(StoreError::Missing { path })
    }

    /// Opens the journal of a home, `None` when there is none; makes nothing.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn open_existing(home: &Home) -> Result<Option<Self>, StoreError> {
        let Some(reader) = connection::open_existing(home)? else {
            return Ok(None);
        };
        let inner = Inner {
            path: connection::path_in(home),
            reader: Mutex::new(Some(reader)),
            writer: Mutex::new(None),
            commits: Arc::default(),
        };
        Ok(Some(Self { inner: Arc::new(inner) }))
    }

    /// Appends in one durable commit, which it may share with other appends that wait.
    ///
    /// # Errors
    /// [`StoreError::Stale`], [`StoreError::Moved`] and [`StoreError::Unregistered`] leave no trace.
    /// [`StoreError::Stopped`] means that a commit failed: nothing more is written by this store.
    pub async fn append(&self, append: Append) -> Result<AppendOutcome, StoreError> {
        self.ask(Request::Append(append)).await
    }

    /// Moves the log into the journal, when this process has written any. Call it before success is claimed:
    /// closing alone would swallow a failure.
    ///
    /// # Errors
    /// [`StoreError::Sqlite`] when the disk fails; what was appended stays durable in the log.
    pub async fn checkpoint(&self) -> Result<(), StoreError> {
        if held(&self.inner.writer).is_none() {
            return Ok(());
        }
        self.ask(Request::Checkpoint).await.map(drop)
    }

    /// Sets the cap of a scope (`home`, `run:<id>`, …) for a unit, or lifts it.
    ///
    /// # Errors
    /// When the commit fails.
    pub async fn set_cap(
        &self,
        scope: &str,
        unit: &str,
        cap: Option<u64>,
    ) -> Result<(), StoreError> {
        let (scope, unit) = (scope.to_owned(), unit.to_owned());
        self.ask(Request::Cap { scope, unit, cap }).await.map(drop)
    }

    /// Sets the cap of a scope for a unit where there is none or a looser one; a tighter one stands.
    ///
    /// # Errors
    /// When the commit fails.
    pub async fn tighten_cap(&self, scope: &str, unit: &str, cap: u64) -> Result<(), StoreError> {
        let (scope, unit) = (scope.to_owned(), unit.to_owned());
        self.ask(Request::Tighten { scope, unit, cap }).await.map(drop)
    }

    /// Captures bytes durably and gives their SHA-256 as 64 hexadecimal digits. Capturing the
    /// same bytes again changes nothing.
    ///
    /// # Errors
    /// When the commit fails.
    pub async fn capture(&self, bytes: Vec<u8>) -> Result<String, StoreError> {
        let sha256 = chain::hex(&chain::content(&bytes));
        let append = Append { contents: vec![bytes], ..Append::new(Vec::new()) };
        self.append(append).await?;
        Ok(sha256)
    }

    /// All facts of a stream, in order; none when it does not exist.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] names the first fact that is missing, edited or unreadable.
    pub fn read(&self, stream: &StreamId) -> Result<Vec<Entry>, StoreError> {
        self.read_after(stream, 0)
    }

    /// The facts of a stream after the one with this number.
    ///
    /// # Errors
    /// As for [`Store::read`]; facts up to `seq` are taken as they stand.
    pub fn read_after(&self, stream: &StreamId, seq: u64) -> Result<Vec<Entry>, StoreError> {
        self.read_page(stream, seq, u64::MAX)
    }

    /// At most `most` facts of a stream, those that follow the one with this number.
    ///
    /// # Errors
    /// As for [`Store::read_after`], as far as the page goes.
    pub fn read_page(
        &self,
        stream: &StreamId,
        seq: u64,
        most: u64,
    ) -> Result<Vec<Entry>, StoreError> {
        self.query("read a stream", |db| read::entries(db, stream, seq, most))
    }

    /// The streams that the filter asks for, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn streams(&self, filter: &Filter) -> Result<Vec<StreamRow>, StoreError> {
        self.query("list the streams", |db| read::streams(db, filter))
    }

    /// At most `limit` of the streams that the filter asks for, the last made first: those made before this one, or of
    /// all. What it costs does not grow with the journal. `None` when there is no such stream to begin before.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn page(
        &self,
        filter: &Filter,
        before: Option<&StreamId>,
        limit: usize,
    ) -> Result<Option<Vec<StreamRow>>, StoreError> {
        self.query("list the streams", |db| read::page(db, filter, before, limit))
    }

    /// The streams of a workspace, newest first; their hashes tell whether any has grown.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn heads(&self, workspace: &str) -> Result<Vec<StreamRow>, StoreError> {
        self.streams(&Filter { workspace: Some(workspace.to_owned()), ..Filter::default() })
    }

    /// The budgets of a scope, by unit.
    ///
    /// # Errors
    /// [`StoreError::DamagedBudget`], or when the database cannot be read.
    pub fn usage(&self, scope: &str) -> Result<Vec<BudgetUse>, StoreError> {
        self.query("read the budgets", |db| read::usage(db, scope))
    }

    /// Captured bytes by their SHA-256, `None` when nothing was captured under it.
    ///
    /// # Errors
    /// [`StoreError::DamagedContent`], or when the database cannot be read.
    pub fn content(&self, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.query("read a captured input", |db| read::content(db, sha256))
    }

    /// How many durable commits this process has made through this store and its clones.
    pub fn commits(&self) -> u64 {
        self.inner.commits.load(Ordering::Relaxed)
    }

    fn query<T>(
        &self,
        doing: &'static str,
        ask: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let path = &self.inner.path;
        match held(&self.inner.reader).as_ref() {
            Some(db) => ask(db).map_err(|fault| fault.at(path, doing)),
            None => Err(StoreError::Missing { path: path.clone() }),
        }
    }

    async fn ask(&self, request: Request) -> Result<AppendOutcome, StoreError> {
        let answer = {
            let mut writer = held(&self.inner.writer);
            if writer.is_none() {
                let started = Writer::start(&self.inner.path, Arc::clone(&self.inner.commits));
                let path = &self.inner.path;
                *writer = Some(started.map_err(StoreError::io(path, "start the writer"))?);
            }
            writer.as_ref().map(|writer| writer.ask(request))
        };
        let stopped = || StoreError::Stopped {
            path: self.inner.path.clone(),
            cause: "the writer has ended".to_owned(),
        };
        match answer {
            Some(answer) => answer.await.unwrap_or_else(|_| Err(stopped())),
            None => Err(stopped()),
        }
    }
}
