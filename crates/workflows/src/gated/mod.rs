//! The gated workflow: profiles that say what each phase asks, and the readers of what comes back.
//!
//! Invariant: pure functions; what a reader refuses, it refuses as a whole and names the line.
//! Absent here: folders, approvals, the clock, and who wrote a text.

mod alike;
pub mod bundle;
pub mod ddl;
pub mod profile;
pub mod review_meta;
