//! The inbox of a home, as far as the desk looks into it: whether a person has laid something there.
//!
//! Invariant: nothing in it is opened or changed.
//! Absent here: what an answer says. The agent that asked reads it.

use redraft_loop::RunId;
use redraft_store::HOME;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// How the names of questions end; all other files are a person's.
const QUESTION: &str = ".prompt.md";

/// The inbox of a home.
pub(super) struct Inbox {
    folder: PathBuf,
    /// The home as paths in messages begin with it.
    home: String,
}

/// A person's files of one run, by name, length and time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Look(Vec<(OsString, u64, Option<SystemTime>)>);

impl Inbox {
    pub(super) fn new(folder: PathBuf) -> Self {
        let home = folder.parent().unwrap_or(Path::new("")).display().to_string();
        Self { folder, home }
    }

    /// What a person has laid there for this run by now.
    pub(super) fn look(&self, run: &RunId) -> Look {
        let entries = std::fs::read_dir(self.folder.join(run.as_str()));
        let mut seen: Vec<_> = entries
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| !entry.file_name().to_string_lossy().ends_with(QUESTION))
            // One that is renamed away meanwhile is seen to be gone the next time.
            .filter_map(|entry| Some((entry.file_name(), entry.metadata().ok()?)))
            .map(|(name, about)| (name, about.len(), about.modified().ok()))
            .collect();
        seen.sort();
        Look(seen)
    }

    /// The text without where the home lies on this machine, which is no client's business.
    pub(super) fn within(&self, text: &str) -> String {
        text.replace(&self.home, HOME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_home_is_told_from_the_home_on() {
        let inbox = Inbox::new(PathBuf::from("/srv/me/.redraft/inbox"));
        let told = inbox.within("an answer in /srv/me/.redraft/inbox/r/critic.response.md: empty");
        assert_eq!(told, "an answer in .redraft/inbox/r/critic.response.md: empty");
    }

    #[test]
    fn only_what_a_person_lays_there_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (inbox, run) = (Inbox::new(folder.path().to_owned()), RunId::new("r"));
        let before = inbox.look(&run);
        std::fs::create_dir(folder.path().join("r")).unwrap();
        std::fs::write(folder.path().join("r/critic.prompt.md"), "?").unwrap();
        assert_eq!(inbox.look(&run), before);
        std::fs::write(folder.path().join("r/critic.response.md"), "ok").unwrap();
        let answered = inbox.look(&run);
        assert_ne!(answered, before);
        std::fs::write(folder.path().join("r/critic.response.md"), "ok, but").unwrap();
        assert_ne!(inbox.look(&run), answered);
    }
}
