//! What stands for a turn now, as the engine asks before it uses an approval.

use super::folder::Folder;
use redraft_engine::{BoxFuture, Files};
use redraft_loop::{Hash, Reading, Run, Turn};
use redraft_workflows::gated::{Session, seal};
use std::{future, io};

/// The folder of a session, for the engine.
pub(super) struct Seals<'a> {
    pub(super) folder: &'a Folder,
    pub(super) session: &'a Session,
}

impl Files for Seals<'_> {
    fn admit(&self, _: &Run, _: &Reading) -> Result<(), String> {
        Ok(())
    }

    fn seal(&self, _: &Run, _: &Turn) -> io::Result<Hash> {
        // A step passes one gate at most: the session still stands at it.
        let standing = self.folder.standing(self.session);
        let standing = standing.map_err(|failure| io::Error::other(failure.message))?;
        Ok(seal(&self.session.bound(&standing)))
    }

    /// The folder is brought up from the journal, when the facts of a step are durable.
    fn project<'a>(&'a self, _: &'a Run, _: usize) -> BoxFuture<'a, io::Result<()>> {
        Box::pin(future::ready(Ok(())))
    }
}
