//! Drives runs over effects: it claims, asks, waits, retries and saves; the loop decides what comes next.
//!
//! ```text
//! loop { match run.next() {
//!     a fact can follow at once  → fold it, keep it in the batch
//!     an effect is due           → append the batch, write files, tell watchers, then act
//! } }
//! ```
//!
//! The one invariant: nothing leaves (request, file, event, exit code) before the facts that led to it
//! are durable.
//!
//! Absent here: HTTP, arguments, provider names, directory layouts, and the name of any workflow.

mod commit;
mod delay;
mod driver;
mod event;
mod flight;
mod hash;
mod policy;
mod ports;
mod record;
mod settlement;
mod stage;

pub use driver::{DriveError, Driver, MOST_KEPT, Rest};
pub use event::{Event, Events, News};
pub use hash::sha256;
pub use policy::{Cancel, Policy, held_until};
pub use ports::{
    Agent, Answer, Appended, AttemptError, Batch, BoxFuture, Call, Clock, Files, Journal,
    JournalError, NoAnswer,
};
pub use record::{CallRecord, CallState, RunRecord, Setup, StopRecord, TurnRecord, cast_warnings};
pub use settlement::{Settlement, Spend};
pub use stage::Stage;
