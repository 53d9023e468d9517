//! Kill it anywhere, run it again: nothing is lost, and no answered call is asked twice.

mod commands;
mod drivers;
mod kill_sweep;
#[cfg(target_os = "linux")]
pub(crate) mod sweep;
mod syncs;
pub(crate) mod trace;
