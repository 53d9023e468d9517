//! Pairs: who plays, where they work, and a run from its task to what it hands over.
//!
//! Absent here: arguments, and telling how it went.

mod casting;
mod order;
mod playing;
mod status;
mod tree;

pub(crate) use casting::{Allowed, Table, mock, table, table_of};
pub(crate) use order::Order;
pub(crate) use playing::{Playing, opened, play};
pub(crate) use status::Status;
pub(crate) use tree::{clear, handed_over, lock, root_of, worktrees};
