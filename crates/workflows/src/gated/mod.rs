//! The gated workflow: a profile says what each phase asks, and a person or the profile lets each response pass.
//!
//! Plan, generate, then review and revise until an approved review passes, a bound is reached or a person gives up.
//!
//! Invariant: pure functions; what a reader refuses, it refuses as a whole and names the line. Nothing but an approved
//! review that passes completes a session.
//! Absent here: folders, the clock, and who wrote a text.

mod alike;
mod approval;
mod artifact;
pub mod bundle;
pub mod change;
mod code;
pub mod ddl;
mod disputes;
pub mod profile;
mod record;
mod review;
pub mod review_meta;
mod session;
mod settings;
mod shape;
mod state;
mod told;
mod workflow;

pub use approval::{Approval, Hold, NotApproved, Standing, seal};
pub use artifact::{
    Artifact, Aside, Kind, PLAN, SESSION, STANDARDS, aside, code_folder, folder, prompt_path,
    response_path, sha256,
};
pub use code::{Code, of_iteration as code_of_iteration};
pub use record::{Iteration, Record, Reviewed, record};
pub use review::{iteration_of, meta as meta_of, warnings as warnings_of, what_is_wrong};
pub use session::{MANUAL, Passage, Rejection, Session, SessionError};
pub use settings::{Begun, Schema, Settings, SettingsError};
pub use shape::{APPROVED, Bounds, ByHand, CANCELLED, MAX_ITERATIONS, NAME, ROLES, shape, step_of};
pub use state::{EDGES, Edge, State, Status, graph};
pub use told::{SCHEMA_VERSION, Told, ToldApproval, ToldArtifact, ToldPassage};
