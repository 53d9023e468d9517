//! The gated workflow: profiles that say what each phase asks, and what a session reads.
//!
//! Absent here: folders, approvals and who answers.

pub mod ddl;
pub mod profile;
