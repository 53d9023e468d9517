//! Solve: an answer to a hard question, criticised from six sides and revised at most once.
//!
//! Normalize, plan, generate, critique, at most one revision with a second critique, assemble. Whatever fails, there is
//! a response with what there is, and a critique of it: where no critic can be had, the rules of the house criticise.
//!
//! Invariant: every function here is pure; a constraint of the user's stands word for word from request to record.
//! Absent here: who answers, HTTP, and the disk.

pub mod by_hand;
mod constraints;
mod evasion;
mod format;
mod forms;
mod kept;
mod prompts;
mod record;
mod replies;
mod request;
mod response;
mod result;
mod rules;
mod shape;
mod views;
mod workflow;

pub use constraints::{Checked, Found, checked};
pub use kept::{Incident, Settings, candidates, critiques, incidents, plan, prompt, settings};
pub use prompts::{PROMPTS, template_of};
pub use record::{Record, record};
pub use replies::{Candidate, Critique, CritiqueIssue, Plan, View, Weight};
pub use request::{Problem, Request, RequestError, check, normalize};
pub use response::Response;
pub use result::{End, end, response};
pub use rules::{criticise, merge};
pub use shape::{
    ACCEPTED, ACCEPTED_BY_RULES, ACCEPTED_REVISED, ACCEPTED_REVISED_BY_RULES, Bounds,
    DEFAULT_CALLS, GENERATOR, ISSUES_REMAIN, NAME, NOTHING_GENERATED, PLANNER, critic_roles,
    fewest_calls, first_step, shape,
};
pub use workflow::Solve;
