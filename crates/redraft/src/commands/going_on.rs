//! Where a command begins with a run that belongs to no workspace: at the end, or under its lock before it is driven.
//!
//! Invariant: a run that is passed over is told, with the command that goes on with it.
//! Absent here: which run asks the same; see `crate::standalone`.

use crate::{
    exit::Failure,
    say,
    standalone::{self, Claimed, PassedOver, Place, Wanted},
};
use redraft_engine::Rest;
use redraft_loop::{Opened, Run};
use redraft_store::{Home, LockGuard, Store};

/// Where a command begins; `T` is its cast.
pub(crate) enum Begin<T> {
    /// At the end: the run is decided. Nobody else hands it over meanwhile.
    Decided(Box<Run>, Rest, LockGuard),
    Play(Box<Ready<T>>),
}

/// A run that is about to be driven, under its lock.
pub(crate) struct Ready<T> {
    pub(crate) run: Result<Opened, Run>,
    pub(crate) table: T,
    pub(crate) home: Home,
    pub(crate) guard: LockGuard,
}

impl<T> Begin<T> {
    /// With a run that was opened before, and the cast that drives it where it is not decided.
    ///
    /// # Errors
    /// Those of casting.
    pub(crate) fn again(
        claimed: Claimed,
        cast: impl FnOnce(&Run) -> Result<T, Failure>,
    ) -> Result<Self, Failure> {
        let Claimed { run, home, guard } = claimed;
        if let Some(exit) = run.decision() {
            let rest = Rest::Decided(exit.clone());
            return Ok(Self::Decided(Box::new(run), rest, guard));
        }
        let table = cast(&run)?;
        Ok(Self::Play(Box::new(Ready { run: Err(run), table, home, guard })))
    }
}

/// The run that the same command has left open, unless it is to begin anew. It is told, and so are those that are
/// passed over.
///
/// # Errors
/// When the journal or a lock cannot be read.
pub(crate) fn left_open(
    place: &Place,
    wanted: &impl Wanted,
    anew: bool,
) -> Result<Option<Claimed>, Failure> {
    let Some(home) = place.home.as_ref().filter(|_| !anew) else { return Ok(None) };
    let Some(store) = Store::open_existing(home)? else { return Ok(None) };
    match standalone::left_open(home, &store, wanted)? {
        Ok(claimed) => {
            say::err(&found(&claimed.run, wanted));
            Ok(Some(claimed))
        }
        Err(passed_over) => {
            passed_over.iter().for_each(|run| say::err(&told(run, wanted)));
            Ok(None)
        }
    }
}

fn found(run: &Run, wanted: &impl Wanted) -> String {
    let (id, thing, calls) = (&run.opened().run, wanted.thing(), say::count(run.calls(), "call"));
    match run.decision() {
        None => format!(
            "run {id} of this {thing} was left open after {calls}, and goes on; --again begins anew"
        ),
        Some(_) => format!(
            "run {id} of this {thing} was cut off when it was decided, and is handed over; --again begins anew"
        ),
    }
}

fn told(run: &PassedOver, wanted: &impl Wanted) -> String {
    let (thing, command) = (wanted.thing(), wanted.workflow());
    match run {
        PassedOver::Driven(id) => format!(
            "run {id} of this {thing} is driven by another process, and left to it; a new run is opened"
        ),
        PassedOver::Otherwise { run, how } => format!(
            "run {run} of this {thing} is open {how}, and stays open: redraft {command} --resume {run} goes on with it; a new run is opened"
        ),
    }
}

/// The home and the journal in which a run that somebody names is looked for.
///
/// # Errors
/// When there is neither, so that there is no such run, or the journal cannot be opened.
pub(crate) fn journal_of<'a>(place: &'a Place, id: &str) -> Result<(&'a Home, Store), Failure> {
    let none = || {
        Failure::usage(format!("there is no run {id}: there is no home (.redraft) here or above"))
            .help("go to a folder of the project, or name it")
    };
    let home = place.home.as_ref().ok_or_else(none)?;
    Ok((home, Store::open_existing(home)?.ok_or_else(none)?))
}
