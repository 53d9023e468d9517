//! Solving, for the command and the server alike: who plays, and a run from its request to its response.
//!
//! Absent here: arguments, HTTP, and telling how it went.

mod casting;
mod place;
mod playing;

pub(crate) use casting::{Shared, Table, table, table_within};
pub(crate) use place::{home, users_home};
pub(crate) use playing::{code, go_on, open_runs, opened, play, registration, stored};
