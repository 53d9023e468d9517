//! Where sessions are kept: the nearest home from the present folder upward, its journal, and a folder for each.
//!
//! Absent here: what a session is.

use super::{
    desk::Desk,
    folder::{Folder, Repaired},
};
use crate::{
    episode::facts,
    exit::{Code, Failure},
    standalone::{self, Place, busy},
};
use redraft_loop::RunId;
use redraft_store::{Filter, Home, LockError, LockGuard, Store, StreamId, StreamRow};
use redraft_workflows::gated::{NAME, Session};
use std::path::{Path, PathBuf};

/// The folder of all sessions, in the home's own.
const SESSIONS: &str = "gated";

/// A home with its journal.
#[derive(Clone)]
pub(crate) struct House {
    pub(crate) home: Home,
    pub(crate) store: Store,
    /// The folder it was looked for from.
    from: PathBuf,
}

impl House {
    /// The home in or above a folder.
    ///
    /// # Errors
    /// When there is none, or its journal cannot be opened.
    pub(crate) fn find(from: &Path) -> Result<Option<Self>, Failure> {
        let Some(home) = Home::find(from)? else { return Ok(None) };
        let store = Store::open_existing(&home)?;
        Ok(store.map(|store| Self { home, store, from: from.to_owned() }))
    }

    /// The home in or above a folder; where there is none, one that is made in it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn made(from: &Path) -> Result<Self, Failure> {
        let home = match Home::find(from)? {
            Some(home) => home,
            None => Home::create(from)?,
        };
        let store = Store::open(&home)?;
        Ok(Self { home, store, from: from.to_owned() })
    }

    /// The home as what is kept without a workspace knows it.
    pub(crate) fn place(&self) -> Place {
        Place {
            from: self.from.clone(),
            root: self.home.root().to_owned(),
            home: Some(self.home.clone()),
        }
    }

    /// The folder of a session.
    pub(crate) fn folder(&self, session: &RunId) -> PathBuf {
        self.home.dir().join(SESSIONS).join(session.as_str())
    }

    /// All sessions, the newest first.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(crate) fn rows(&self) -> Result<Vec<StreamRow>, Failure> {
        let filter = Filter {
            kind: Some("run".into()),
            workflow: Some(NAME.to_owned()),
            ..Filter::default()
        };
        Ok(self.store.streams(&filter)?)
    }

    /// The session of this id, or of one that begins so.
    ///
    /// # Errors
    /// When there is none, or there are several.
    pub(crate) fn named(&self, id: &str) -> Result<RunId, Failure> {
        let rows = self.rows()?;
        let list = "redraft gated list shows them";
        if id.trim().is_empty() {
            return Err(Failure::usage("the id of the session is empty").help(list));
        }
        let mut found = rows.iter().filter(|row| row.stream.as_str().starts_with(id));
        match (found.next(), found.next()) {
            (Some(row), None) => Ok(RunId::new(row.stream.as_str())),
            (Some(_), _) => {
                Err(Failure::usage(format!("several sessions begin with {id:?}")).help(list))
            }
            (None, _) => Err(Failure::usage(format!("there is no session {id}")).help(list)),
        }
    }

    /// A session as its journal has it.
    ///
    /// # Errors
    /// When its facts cannot be read.
    pub(crate) fn session(&self, id: &RunId) -> Result<Session, Failure> {
        let facts = facts(&self.store, &StreamId::from(id), 0)?;
        Session::replay(facts)
            .map_err(|error| Failure::new(Code::Damaged, format!("session {id}: {error}")))
    }

    /// A session that nobody else works on meanwhile, its folder brought up to what the journal says.
    ///
    /// # Errors
    /// When somebody does, or its folder is not as the journal has it.
    pub(crate) fn open(self, id: &RunId) -> Result<Desk, Failure> {
        let guard = standalone::lock(&self.home, id).map_err(busy)?;
        self.desk(id, Some(guard))
    }

    /// The same to look at: under its lock only where a killed command is to be made up for, so that nobody is held up;
    /// while somebody works on it, what the journal says so far.
    ///
    /// # Errors
    /// When its folder is not as the journal has it, and nobody works on it.
    pub(crate) fn look(self, id: &RunId) -> Result<Desk, Failure> {
        let mut desk = self.clone().desk(id, None)?;
        if desk.is_brought_up()? {
            return Ok(desk);
        }
        match standalone::lock(&self.home, id) {
            Ok(guard) => self.desk(id, Some(guard)),
            Err(LockError::Busy { .. }) => {
                desk.is_busy = true;
                Ok(desk)
            }
            Err(error @ LockError::Io { .. }) => Err(error.into()),
        }
    }

    fn desk(self, id: &RunId, guard: Option<LockGuard>) -> Result<Desk, Failure> {
        let facts = facts(&self.store, &StreamId::from(id), 0)?;
        let folder = Folder::open(&self.folder(id))?;
        Desk::open(self, guard, folder, facts)
    }

    /// Restores a session's folder from its journal, while nobody else works on it.
    ///
    /// # Errors
    /// When somebody does, its facts are no session, or a file cannot be written.
    pub(crate) fn repair(&self, id: &RunId) -> Result<Repaired, Failure> {
        let _guard = standalone::lock(&self.home, id).map_err(busy)?;
        let facts = facts(&self.store, &StreamId::from(id), 0)?;
        let session = Session::replay(facts.iter().cloned())
            .map_err(|error| Failure::new(Code::Damaged, format!("session {id}: {error}")))?;
        Folder::open(&self.folder(id))?.repair(&facts, &session)
    }
}
