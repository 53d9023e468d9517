//! Solve: an answer to a hard question, criticised from six sides and revised at most once.
//!
//! Normalize, plan, generate, critique, at most one revision with a second critique, assemble. Whatever fails, there is
//! a response with what there is, and a critique of it: where no critic can be had, the rules of the house criticise.
//!
//! Invariant: every function here is pure; a constraint of the user's stands word for word from request to record.
//! Absent here: who answers, HTTP, and the disk.

mod constraints;
mod replies;
mod request;

pub use replies::{Candidate, Critique, CritiqueIssue, Plan, View, Weight};
pub use request::{Problem, Request, RequestError, normalize};
