//! A session's folder restored from the journal, with what stood there put aside.
//!
//! Invariant: nothing that stood there is lost, and what a person may still change stays as it is. Who is killed half-way
//! repairs again: `session.json` is written last.
//! Absent here: what is damaged; see `due`.

use super::Folder;
use crate::exit::Failure;
use redraft_loop::Fact;
use redraft_workflows::gated::{SESSION, Session};
use std::path::PathBuf;

/// What a repair came to, each file by its path in the session's folder.
#[derive(Debug)]
pub(crate) struct Repaired {
    pub(crate) folder: PathBuf,
    /// What is as the journal has it again.
    pub(crate) restored: Vec<String>,
    /// Where that stands now which stood in its place.
    pub(crate) kept: Vec<String>,
    /// What a person has changed and may.
    pub(crate) inputs: Vec<String>,
}

impl Folder {
    /// Puts what is damaged aside, and restores it.
    ///
    /// # Errors
    /// When a file cannot be moved or written.
    pub(in crate::gated) fn repair(
        &self,
        facts: &[Fact],
        now: &Session,
    ) -> Result<Repaired, Failure> {
        let due = self.due(facts, now)?;
        let (mut restored, mut kept) = (Vec::new(), Vec::new());
        for (path, _) in &due.damage {
            if self.place(path).symlink_metadata().is_ok() {
                kept.push(self.files.rename_damaged(path)?);
            }
            // What a session is told by is written behind all that it tells of.
            if let Some(file) = now.artifacts.get(path) {
                self.files.write(path, file.text.as_bytes())?;
            }
            restored.push(path.clone());
        }
        // What a person took away comes back too: there is no other way to have it again.
        for (path, text) in &due.gone {
            self.files.write(path, text.as_bytes())?;
            restored.push(path.clone());
        }
        self.carry_out(&due)?;
        let written = due.writes.into_iter().map(|(path, _)| path);
        restored.extend(written.filter(|path| path != SESSION));
        Ok(Repaired { folder: self.place.clone(), restored, kept, inputs: due.inputs })
    }
}
