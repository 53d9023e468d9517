//! The workflows as data and pure functions: what each asks, how it reads replies, what it writes.
//!
//! Invariant: same input, same output. Absent here: the disk, the clock, the network, `async`,
//! and any knowledge of who answers a call.

mod by_hand;
mod by_name;
pub mod episode;
pub mod findings;
pub mod gated;
mod hidden;
pub mod pair;
mod prompt;
pub mod reply;
pub mod review;
pub mod solve;
pub mod summary;
mod template;
pub mod time;
pub mod unique;
mod workflow;

pub use by_name::{findings_of, is_of_the_house, round_of, round_word, templates_of};
pub use hidden::{is_hidden, is_joiner};
pub use prompt::{Part, Prompt, Rendered, ReplyForm};
pub use template::Template;
pub use workflow::{Unreadable, Workflow};
