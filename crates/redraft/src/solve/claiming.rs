//! What a command asks, how an open run of the same is known, and the locks of solves.
//!
//! Absent here: looking for runs; see `crate::standalone`.

use super::playing::{scopes, subject};
use crate::{
    config::SolverFlags,
    exit::{Code, Failure},
    play::cast_of,
    standalone::{self, Claimed, Wanted},
};
use redraft_loop::{Opened, Run};
use redraft_store::{Home, LockError, LockGuard, SERVER_SCOPE, Store, Wait};
use redraft_workflows::solve::{self, GENERATOR, PLANNER, Problem, Request};

/// The lock of a run: its own, or where a server opened it the one that a server holds as long as it lives. A file for
/// each run of a server would cost more than all its commits.
///
/// # Errors
/// When somebody else drives it.
pub(crate) fn lock(home: &Home, opened: &Opened) -> Result<LockGuard, LockError> {
    match is_of_server(opened) {
        true => serving(home),
        false => standalone::lock(home, &opened.run),
    }
}

fn is_of_server(opened: &Opened) -> bool {
    scopes(opened).iter().any(|scope| scope == SERVER_SCOPE)
}

/// The lock of all runs that servers of this home opened.
///
/// # Errors
/// When another server holds it, or somebody who goes on with one of its runs.
pub(crate) fn serving(home: &Home) -> Result<LockGuard, LockError> {
    home.lock(SERVER_SCOPE, Wait::No)
}

/// The solve of this id, or of one that begins so.
///
/// # Errors
/// When there is none, it is no solve, or somebody else drives it.
pub(crate) fn named(home: &Home, store: &Store, id: &str) -> Result<Claimed, Failure> {
    let run = standalone::named(store, id, solve::NAME)?;
    let guard = lock(home, run.opened()).map_err(|error| busy(error, run.opened()))?;
    let run = standalone::stored(store, &run.opened().run)?;
    Ok(Claimed { run, home: home.clone(), guard })
}

/// What a command asks, and whom it names.
pub(crate) struct Question {
    pub(crate) request: Request,
    pub(crate) problem: Problem,
    pub(crate) footer: bool,
    /// Agents by the names that records have.
    pub(crate) said: SolverFlags,
}

impl Wanted for Question {
    fn workflow(&self) -> &'static str {
        solve::NAME
    }

    fn thing(&self) -> &'static str {
        "question"
    }

    fn subject(&self) -> String {
        subject(&self.problem)
    }

    /// Those of a server are the server's.
    fn is_asked_by(&self, run: &Run) -> bool {
        solve::settings(run).is_some_and(|then| {
            then.request == self.request && then.footer == self.footer && then.scopes.is_empty()
        })
    }

    /// Agents that the command names; others may be any.
    fn differs(&self, run: &Run) -> Option<String> {
        let cast = &run.opened().cast;
        let plays = |role: &str, name: &Option<String>| {
            let member = cast.iter().find(|member| member.role.as_str() == role);
            name.is_none() || member.map(|member| &member.agent) == name.as_ref()
        };
        let critics = cast.iter().filter(|m| ![PLANNER, GENERATOR].contains(&m.role.as_str()));
        let SolverFlags { planner, generator, critic } = &self.said;
        let same = plays(PLANNER, planner)
            && plays(GENERATOR, generator)
            && (critic.is_empty() || critic.iter().eq(critics.map(|member| &member.agent)));
        (!same).then(|| format!("with other agents ({})", cast_of(cast)))
    }

    fn lock(&self, home: &Home, opened: &Opened) -> Result<LockGuard, LockError> {
        lock(home, opened)
    }
}

fn busy(error: LockError, opened: &Opened) -> Failure {
    match error {
        LockError::Busy { .. } if is_of_server(opened) => Failure::of(Code::Busy, &error).help(format!(
            "the server of this home holds all its runs while it serves; POST /v1/runs/{}/resume tells it to go on with this one",
            opened.run
        )),
        LockError::Busy { .. } | LockError::Io { .. } => standalone::busy(error),
    }
}
