//! Solving, for the command and the server alike: who plays, and a run from its request to its response.
//!
//! Absent here: arguments, HTTP, and telling how it went.

mod casting;
pub(crate) mod claiming;
mod playing;

pub(crate) use casting::{Shared, Table, table, table_of, table_within};
pub(crate) use claiming::Question;
pub(crate) use playing::{Open, code, go_on, is_of, open_runs, opened, play};
