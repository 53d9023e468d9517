//! Runs that belong to no workspace: where they are kept, which one a command goes on with, and how one is driven.
//!
//! Absent here: what any workflow asks, and who plays.

mod driving;
mod going_on;
mod place;

pub(crate) use driving::{
    Players, Staging, bound, check_cast, drive, raised, registration, stored,
};
pub(crate) use going_on::{Claimed, PassedOver, Wanted, busy, left_open, lock, named, open_runs};
pub(crate) use place::{Place, data_folder, known, nothing, place};
