//! A session that is worked on: its lock, its facts, and its folder beside them.
//!
//! Invariant: the folder is written after the facts are durable, and before anything is told of them.
//! Absent here: what is done next.

use super::{folder::Folder, house::House};
use crate::{
    episode::facts,
    exit::{Code, Failure},
};
use redraft_loop::{Fact, RunId};
use redraft_store::{LockGuard, StreamId};
use redraft_workflows::gated::Session;

/// A session under its lock.
pub(crate) struct Desk {
    pub(crate) house: House,
    pub(crate) folder: Folder,
    pub(crate) session: Session,
    facts: Vec<Fact>,
    /// `None` where it is only looked at.
    guard: Option<LockGuard>,
    /// Whether another process was seen to work on it.
    pub(crate) is_busy: bool,
}

impl Desk {
    /// Takes a session up, and under its lock brings its folder up to what the journal says.
    ///
    /// # Errors
    /// When the facts are no session, or the folder is not as they have it.
    pub(super) fn open(
        house: House,
        guard: Option<LockGuard>,
        folder: Folder,
        facts: Vec<Fact>,
    ) -> Result<Self, Failure> {
        let session = Session::replay(facts.iter().cloned())
            .map_err(|error| Failure::new(Code::Damaged, error.to_string()))?;
        let desk = Self { house, folder, session, facts, guard, is_busy: false };
        if desk.guard.is_some() {
            desk.folder.bring_up(&desk.facts, &desk.session)?;
        }
        Ok(desk)
    }

    /// Whether the folder is as the journal has it, with nothing left to write.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(super) fn is_brought_up(&self) -> Result<bool, Failure> {
        let due = self.folder.due(&self.facts, &self.session)?;
        Ok(due.damage.is_empty() && due.writes.is_empty() && due.asides.is_empty())
    }

    /// The session's id.
    pub(crate) fn id(&self) -> &RunId {
        &self.session.run.opened().run
    }

    /// Takes in what has become durable since, and writes it to the folder.
    ///
    /// # Errors
    /// When the journal cannot be read, or the folder cannot be written.
    pub(crate) fn refresh(&mut self) -> Result<(), Failure> {
        let known = self.facts.len() as u64;
        let new = facts(&self.house.store, &StreamId::from(self.id()), known)?;
        new.iter().for_each(|fact| self.session.apply(fact));
        self.facts.extend(new);
        self.folder.bring_up(&self.facts, &self.session)
    }
}
