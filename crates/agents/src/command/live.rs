//! The calls whose programs are alive, in this whole process.
//!
//! Invariant: a program is started and entered here under one lock, so that whoever holds the lock knows all of
//! them.
//! Absent here: what is done to them.

use rustix::process::Pid;
use std::{
    process::{Child, Command},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The marks and leaders of the live calls.
static CALLS: Mutex<Vec<(String, Pid)>> = Mutex::new(Vec::new());

/// The live calls. No program can be started while they are looked at.
pub(super) fn calls() -> MutexGuard<'static, Vec<(String, Pid)>> {
    // The list is whole after every step, whoever may have panicked.
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a call off the list.
pub(super) fn leave(mark: &str) {
    calls().retain(|(known, _)| known != mark);
}

/// A program that belongs to no call, on the list for as long as this lives: calls that end beside it leave it alone.
pub(crate) struct Apart(String);

impl Drop for Apart {
    fn drop(&mut self) {
        leave(&self.0);
    }
}

/// Starts a program that belongs to no call.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn apart(command: &mut Command) -> std::io::Result<(Child, Apart)> {
    let mut calls = calls();
    let child = command.spawn()?;
    let mark = format!("apart-{}", child.id());
    let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    calls.extend(leader.map(|leader| (mark.clone(), leader)));
    Ok((child, Apart(mark)))
}
