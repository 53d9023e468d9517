//! Solving, for the command and the server alike: who plays, and a run from its request to its response.
//!
//! Absent here: arguments, HTTP, and telling how it went.

mod casting;
pub(crate) mod claiming;
mod place;
mod playing;

pub(crate) use casting::{Shared, Table, table, table_of, table_within};
pub(crate) use claiming::Question;
pub(crate) use place::{Place, place, users_home};
pub(crate) use playing::{code, go_on, open_runs, opened, play, registration, stored};
