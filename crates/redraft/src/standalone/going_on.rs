//! Which run a command goes on with: the one it names, or the one that the same command has left open.
//!
//! Invariant: a run is read under its lock, so that nobody else adds to it meanwhile.
//! Absent here: playing it.

use super::stored;
use crate::{
    commands::runs,
    exit::{Code, Failure},
};
use redraft_loop::{Opened, Run, RunId};
use redraft_store::{Filter, Home, LockError, LockGuard, Store, Wait};

/// How many runs of one subject are looked at: somebody may ask the same a thousand times.
const LOOKED_BACK: usize = 100;

/// A run that nobody else drives as long as this lives.
pub(crate) struct Claimed {
    pub(crate) run: Run,
    pub(crate) home: Home,
    pub(crate) guard: LockGuard,
}

/// What a command asks for, so that an open run of the same is found.
pub(crate) trait Wanted {
    /// The workflow that does it.
    fn workflow(&self) -> &'static str;

    /// What a person calls it.
    fn thing(&self) -> &'static str;

    /// How lists name it.
    fn subject(&self) -> String;

    /// Whether this run asks the same, of anybody.
    fn is_asked_by(&self, run: &Run) -> bool;

    /// Why the command cannot go on with this run of the same, in words that follow "is open"; `None` where it can.
    fn differs(&self, run: &Run) -> Option<String>;

    /// Whether a run of the same has something left to do.
    fn is_unfinished(&self, run: &Run) -> bool {
        run.decision().is_none()
    }

    /// The lock of one of its runs.
    ///
    /// # Errors
    /// When somebody else drives it.
    fn lock(&self, home: &Home, opened: &Opened) -> Result<LockGuard, LockError> {
        lock(home, &opened.run)
    }
}

/// The lock of a run.
///
/// # Errors
/// When somebody else drives it.
pub(crate) fn lock(home: &Home, run: &RunId) -> Result<LockGuard, LockError> {
    home.lock(&format!("run:{run}"), Wait::No)
}

/// An open run of the same that a command does not go on with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PassedOver {
    /// Somebody is at it who will finish it.
    Driven(RunId),
    /// It differs from what the command says, and how.
    Otherwise { run: RunId, how: String },
}

/// The run of this id, or of one that begins so, as its opening fact has it.
///
/// # Errors
/// When there is none, or it is of another workflow.
pub(crate) fn named(store: &Store, id: &str, workflow: &str) -> Result<Run, Failure> {
    let rows = runs::rows(store)?;
    let row = runs::find(&rows, id)?;
    let run = RunId::new(row.stream.as_str());
    if row.registration.workflow.as_deref() != Some(workflow) {
        return Err(Failure::usage(format!("run {run} is no {workflow}"))
            .help("redraft runs list shows what runs there are"));
    }
    stored(store, &run)
}

/// The newest run of the same that is unfinished and that nobody drives; where there is none, the open ones that are passed
/// over.
///
/// # Errors
/// When the journal or a lock cannot be read.
pub(crate) fn left_open(
    home: &Home,
    store: &Store,
    wanted: &impl Wanted,
) -> Result<Result<Claimed, Vec<PassedOver>>, Failure> {
    let mut passed_over = Vec::new();
    for run in asked_by(store, wanted)? {
        let guard = match wanted.lock(home, run.opened()) {
            Ok(guard) => guard,
            Err(LockError::Busy { .. }) => {
                passed_over.push(PassedOver::Driven(run.opened().run.clone()));
                continue;
            }
            Err(error @ LockError::Io { .. }) => return Err(error.into()),
        };
        let run = stored(store, &run.opened().run)?;
        if !wanted.is_unfinished(&run) {
            continue;
        }
        match wanted.differs(&run) {
            None => return Ok(Ok(Claimed { run, home: home.clone(), guard })),
            // Nothing would come of going on with it.
            Some(_) if run.decision().is_some() => {}
            Some(how) => {
                passed_over.push(PassedOver::Otherwise { run: run.opened().run.clone(), how });
            }
        }
    }
    Ok(Err(passed_over))
}

/// The open ones among the newest runs of the same, newest first, whoever drives them.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn open_runs(store: &Store, wanted: &impl Wanted) -> Result<Vec<Run>, Failure> {
    let mut runs = asked_by(store, wanted)?;
    runs.retain(|run| run.decision().is_none() && wanted.differs(run).is_none());
    Ok(runs)
}

/// The same with whatever agents.
fn asked_by(store: &Store, wanted: &impl Wanted) -> Result<Vec<Run>, Failure> {
    let filter = Filter {
        kind: Some("run".into()),
        workflow: Some(wanted.workflow().to_owned()),
        subject: Some(wanted.subject()),
        ..Filter::default()
    };
    let rows = store.streams(&filter)?;
    // What cannot be read is for `verify` to tell: a question can be asked in spite of it.
    let runs = rows
        .iter()
        .take(LOOKED_BACK)
        .filter_map(|row| stored(store, &RunId::new(row.stream.as_str())).ok());
    Ok(runs.filter(|run| wanted.is_unfinished(run) && wanted.is_asked_by(run)).collect())
}

/// Somebody else drives the run.
pub(crate) fn busy(error: LockError) -> Failure {
    match error {
        LockError::Busy { .. } => Failure::of(Code::Busy, &error)
            .help("another process drives this run; redraft runs show tells how far it is"),
        LockError::Io { .. } => error.into(),
    }
}
