//! The gated workflow: phases that a person opens one by one, and the texts that pass between them.
//!
//! Invariant: pure functions; what a reader refuses, it refuses as a whole and names the line.
//! Absent here: the disk, the clock, and who wrote a text.

mod alike;
pub mod bundle;
pub mod review_meta;
