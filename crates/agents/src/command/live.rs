//! The calls whose programs are alive, in this whole process.
//!
//! Invariant: a program is started and entered here under one lock, so that whoever holds the lock knows all of
//! them.
//! Absent here: what is done to them.

use rustix::process::Pid;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
