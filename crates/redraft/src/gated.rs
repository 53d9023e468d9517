//! Gated sessions: where they are kept, their folders, who plays, and one step after another.
//!
//! Absent here: arguments, and telling how it went.

mod casting;
mod desk;
mod driving;
mod folder;
mod house;
mod profiles;
mod seals;
mod stepping;
mod waiting;

pub(crate) use casting::{Table, cast};
pub(crate) use desk::Desk;
pub(crate) use driving::give;
pub(crate) use folder::Repaired;
pub(crate) use house::House;
pub(crate) use profiles::{Found, Origin, find, known, read};
pub(crate) use stepping::{Allowed, BY_PROFILE, Company, Stepped, allow, step};
pub(crate) use waiting::{Waits, trouble, waits};
