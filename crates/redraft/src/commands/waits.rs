//! What an open run needs from outside before it can go on.
//!
//! Invariant: told from the journal alone.
//! Absent here: whether somebody drives it now.

use super::review::{Unblocks, stop_help, stop_text, unblocks};
use redraft_loop::{Action, Run, Stop};
use redraft_workflows::gated::{self, State};
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
    if run.shape().workflow == gated::NAME
        && let Some(waits) = of_session(run)
    {
        return Some(waits);
    }
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

/// What a session waits for that only a person can give.
fn of_session(run: &Run) -> Option<Waits> {
    let (state, id) = (State::of(run), &run.opened().run);
    let (why, verb) = match run.next() {
        Action::Wait(_) => (format!("{state} waits for approval"), "approve"),
        Action::Ask(asks) if state.is_asking() => {
            let ask = asks.iter().find(|ask| is_by_hand(run, ask.role.as_str()))?;
            (format!("{state} waits for the response of the {}", ask.role), "step")
        }
        Action::Ask(_)
        | Action::Await(_)
        | Action::Play(_)
        | Action::Pass(_)
        | Action::Stop(_)
        | Action::Decide(_)
        | Action::Done(_) => return None,
    };
    let help = match verb {
        "step" => format!("redraft gated step {id} names the files"),
        verb => format!("redraft gated {verb} {id}"),
    };
    Some(Waits { kind: "person", why, help, unblocks: Unblocks::Unsaid })
}

/// Whether a person writes the responses of a role.
fn is_by_hand(run: &Run, role: &str) -> bool {
    let settings = gated::Settings::of(run.opened());
    settings.is_ok_and(|settings| settings.by_hand.iter().any(|name| name == role))
}
