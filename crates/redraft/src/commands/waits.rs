//! What an open run needs from outside before it can go on.
//!
//! Invariant: told from the journal alone.
//! Absent here: whether somebody drives it now.

use super::review::{Unblocks, stop_help, stop_text, unblocks};
use redraft_loop::{Action, Run, Stop};
use serde::Serialize;

/// What an open run needs from outside before it can go on.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Waits {
    /// `cap`, `failure`, `person` or `ambiguous_call`.
    #[serde(rename = "for")]
    pub(crate) kind: &'static str,
    /// Which cap, which failure, whose answer in which file.
    pub(crate) why: String,
    /// What to do about it.
    pub(crate) help: String,
    #[serde(skip)]
    pub(crate) unblocks: Unblocks,
}

/// Why an open run cannot go on by itself; `None` where it can, or is decided.
pub(crate) fn waits_of(run: &Run) -> Option<Waits> {
    let Action::Stop(stop) = run.next() else { return None };
    let what = match &stop {
        Stop::Cap(_) => "cap",
        Stop::Failed { .. } => "failure",
        Stop::Person { .. } => "person",
        Stop::Ambiguous { .. } => "ambiguous_call",
        Stop::Interrupted => return None,
    };
    let (why, help) = (stop_text(&stop), stop_help(&stop, Some(run), None));
    Some(Waits { kind: what, why, help, unblocks: unblocks(&stop) })
}
