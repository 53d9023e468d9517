//! Which run a command goes on with: the one it names, or the one that the same command has left open.
//!
//! Invariant: a run is read under its lock, so that nobody else adds to it meanwhile.
//! Absent here: playing it.

use super::playing::{scopes, stored, subject};
use crate::{
    config::SolverFlags,
    exit::{Code, Failure},
};
use redraft_loop::{Opened, Run, RunId};
use redraft_store::{Filter, Home, LockError, LockGuard, SERVER_SCOPE, Store, Wait};
use redraft_workflows::solve::{self, GENERATOR, PLANNER, Problem, Request};

/// How many runs of one question are looked at: somebody may ask the same a thousand times.
const LOOKED_BACK: usize = 100;

/// A run that nobody else drives as long as this lives.
pub(crate) struct Claimed {
    pub(crate) run: Run,
    pub(crate) home: Home,
    pub(crate) guard: LockGuard,
}

/// The lock of a run: its own, or where a server opened it the one that a server holds as long as it lives. A file for
/// each run of a server would cost more than all its commits.
///
/// # Errors
/// When somebody else drives it.
pub(crate) fn lock(home: &Home, opened: &Opened) -> Result<LockGuard, LockError> {
    match scopes(opened).iter().any(|scope| scope == SERVER_SCOPE) {
        true => serving(home),
        false => home.lock(&format!("run:{}", opened.run), Wait::No),
    }
}

/// The lock of all runs that servers of this home opened.
///
/// # Errors
/// When another server holds it, or somebody who goes on with one of its runs.
pub(crate) fn serving(home: &Home) -> Result<LockGuard, LockError> {
    home.lock(SERVER_SCOPE, Wait::No)
}

/// The run of this id, or of one that begins so.
///
/// # Errors
/// When there is none, it is no solve, or somebody else drives it.
pub(crate) fn named(home: &Home, store: &Store, id: &str) -> Result<Claimed, Failure> {
    let rows = crate::commands::runs::rows(store)?;
    let row = crate::commands::runs::find(&rows, id)?;
    let run = RunId::new(row.stream.as_str());
    if row.registration.workflow.as_deref() != Some(solve::NAME) {
        return Err(Failure::usage(format!("run {run} is no solve"))
            .help("redraft runs list shows what runs there are"));
    }
    let guard = lock(home, stored(store, &run)?.opened()).map_err(busy)?;
    Ok(Claimed { run: stored(store, &run)?, home: home.clone(), guard })
}

/// What a command asks, and whom it names.
pub(crate) struct Question {
    pub(crate) request: Request,
    pub(crate) problem: Problem,
    pub(crate) footer: bool,
    /// Agents by the names that records have.
    pub(crate) said: SolverFlags,
}

impl Question {
    /// Whether this open run asks the same, with the agents that the command names; others may be any. Those of a server
    /// are the server's.
    fn is_left_open_by(&self, run: &Run) -> bool {
        let same = solve::settings(run).is_some_and(|then| {
            then.request == self.request && then.footer == self.footer && then.scopes.is_empty()
        });
        same && run.decision().is_none() && self.is_cast_so(run)
    }

    fn is_cast_so(&self, run: &Run) -> bool {
        let cast = &run.opened().cast;
        let plays = |role: &str, name: &Option<String>| {
            let member = cast.iter().find(|member| member.role.as_str() == role);
            name.is_none() || member.map(|member| &member.agent) == name.as_ref()
        };
        let critics = cast.iter().filter(|m| ![PLANNER, GENERATOR].contains(&m.role.as_str()));
        let SolverFlags { planner, generator, critic } = &self.said;
        plays(PLANNER, planner)
            && plays(GENERATOR, generator)
            && (critic.is_empty() || critic.iter().eq(critics.map(|member| &member.agent)))
    }
}

/// The newest run of the same question that is open and that nobody drives.
///
/// # Errors
/// When the journal or a lock cannot be read.
pub(crate) fn left_open(
    home: &Home,
    store: &Store,
    question: &Question,
) -> Result<Option<Claimed>, Failure> {
    for run in open_runs(store, question)? {
        let guard = match lock(home, run.opened()) {
            Ok(guard) => guard,
            // Somebody is at it who will finish it.
            Err(LockError::Busy { .. }) => continue,
            Err(error @ LockError::Io { .. }) => return Err(error.into()),
        };
        let run = stored(store, &run.opened().run)?;
        if question.is_left_open_by(&run) {
            return Ok(Some(Claimed { run, home: home.clone(), guard }));
        }
    }
    Ok(None)
}

/// The open ones among the newest runs of the same question, newest first, whoever drives them.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn open_runs(store: &Store, question: &Question) -> Result<Vec<Run>, Failure> {
    let filter = Filter {
        kind: Some("run".into()),
        workflow: Some(solve::NAME.to_owned()),
        subject: Some(subject(&question.problem)),
        ..Filter::default()
    };
    let rows = store.streams(&filter)?;
    // What cannot be read is for `verify` to tell: a question can be asked in spite of it.
    let runs = rows
        .iter()
        .take(LOOKED_BACK)
        .filter_map(|row| stored(store, &RunId::new(row.stream.as_str())).ok());
    Ok(runs.filter(|run| question.is_left_open_by(run)).collect())
}

fn busy(error: LockError) -> Failure {
    match error {
        LockError::Busy { .. } => Failure::of(Code::Busy, &error)
            .help("another process drives this run; its answer stands in redraft runs record"),
        LockError::Io { .. } => error.into(),
    }
}
