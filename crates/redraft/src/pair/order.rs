//! What a command wants of a pair, and how an open run of the same is known.
//!
//! Absent here: looking for runs; see `crate::standalone`.

use super::{playing::subject, tree};
use crate::{config::PairFlags, play::cast_of, standalone::Wanted};
use redraft_loop::{Opened, Run};
use redraft_store::{Home, LockError, LockGuard};
use redraft_workflows::pair::{self, ARCHITECT, BUILDER, Repository};
use std::path::PathBuf;

/// What a command wants, and whom it names.
pub(crate) struct Order {
    pub(crate) task: String,
    /// The repository; the mock pair has none.
    pub(crate) repository: Option<Repository>,
    pub(crate) checks: Vec<String>,
    /// Agents by the names that records have.
    pub(crate) said: PairFlags,
    /// Where the worktrees of runs stand.
    pub(crate) worktrees: PathBuf,
}

impl Wanted for Order {
    fn workflow(&self) -> &'static str {
        pair::NAME
    }

    fn thing(&self) -> &'static str {
        "task"
    }

    fn subject(&self) -> String {
        subject(&self.task)
    }

    fn is_asked_by(&self, run: &Run) -> bool {
        let folder = |repository: &Option<Repository>| {
            repository.as_ref().map(|repository| repository.folder.clone())
        };
        pair::settings(run).is_some_and(|then| {
            then.task == self.task && folder(&then.repository) == folder(&self.repository)
        })
    }

    fn is_unfinished(&self, run: &Run) -> bool {
        run.decision().is_none() || tree::is_to_be_handed_over(&self.worktrees, &run.opened().run)
    }

    fn lock(&self, home: &Home, opened: &Opened) -> Result<LockGuard, LockError> {
        tree::lock(home, &opened.run)
    }

    fn differs(&self, run: &Run) -> Option<String> {
        let then = pair::settings(run)?;
        let commit = |repository: &Option<Repository>| {
            repository.as_ref().map(|repository| repository.commit.clone())
        };
        let (began, now) = (commit(&then.repository), commit(&self.repository));
        if began != now {
            return began.map(|commit| format!("on the commit {commit}"));
        }
        if then.checks != self.checks {
            return Some(match then.checks.is_empty() {
                true => "without checks".to_owned(),
                false => format!("with other checks ({})", then.checks.join("; ")),
            });
        }
        let cast = &run.opened().cast;
        let plays = |role: &str, name: &Option<String>| {
            let member = cast.iter().find(|member| member.role.as_str() == role);
            name.is_none() || member.map(|member| &member.agent) == name.as_ref()
        };
        let PairFlags { architect, builder } = &self.said;
        let same = plays(ARCHITECT, architect) && plays(BUILDER, builder);
        (!same).then(|| format!("with other agents ({})", cast_of(cast)))
    }
}
