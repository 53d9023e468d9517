//! How a solve ended, as a shell and a client want to know it.
//!
//! Absent here: exit codes; the binary maps ends to them.

use super::{
    kept::{self, Kept},
    response::{self, Response},
    shape::{ASSEMBLE, NOTHING_GENERATED},
};
use redraft_loop::Run;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With an answer and a critique of it, by a critic or by the rules.
    Answered,
    /// With an answer, and a cap kept something from being done.
    CutShort,
    /// Nothing was generated.
    Nothing,
}

/// How a run ended, or how it would end if it did now.
pub fn end(run: &Run) -> End {
    let nothing = run.decision().is_some_and(|exit| exit.reason == NOTHING_GENERATED);
    if nothing || kept::candidates(run).is_empty() {
        return End::Nothing;
    }
    match kept::incidents(run).iter().any(|incident| incident.capped) {
        true => End::CutShort,
        false => End::Answered,
    }
}

/// The response of a run: the one that was assembled, or what there is so far.
pub fn response(run: &Run) -> Response {
    let turn = run.newest(&ASSEMBLE.into()).and_then(|turn| turn.readings.first());
    match turn.and_then(Kept::of) {
        Some(Kept::Response(response)) => response,
        Some(Kept::Plan { .. } | Kept::Draft { .. } | Kept::Critique { .. }) | None => {
            match run.decision() {
                Some(_) => response::assemble(run),
                None => response::unfinished(run),
            }
        }
    }
}
