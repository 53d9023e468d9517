//! The first workflow: a podcast asset is written and reviewed until both sides agree.
//!
//! What it reads, writes and decides is the podcast contract's, word for word.
//! Absent here: the disk and the clock. Files are given as texts with paths; times come with facts.

pub mod best;
pub mod brief;
pub mod by_hand;
pub mod comparison;
pub mod documents;
pub mod draft;
pub mod episode_yaml;
pub mod export;
pub mod files;
pub mod findings;
pub mod forms;
pub mod json;
pub mod kept;
pub mod model;
pub mod names;
pub mod ours;
pub mod protocol;
pub mod reopening;
pub mod shape;
pub mod workspace;

mod answers;
mod checks;
mod html;
mod plain_text;
mod reply;
mod reversal;
mod workflow;

pub use checks::{LOCKED_SELECTION, LockedSelection};
pub use html::from_markdown;
pub use plain_text::plain_text;
pub use workflow::Review;

pub(crate) use workflow::{Repair, repair};
