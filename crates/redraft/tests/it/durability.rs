//! Kill it anywhere, run it again: nothing is lost, and no answered call is asked twice.

mod commands;
mod drivers;
mod kill_sweep;
mod syncs;
pub(crate) mod trace;
