//! The command line: arguments in, wiring, printing, exit codes.
//!
//! Invariant: stdout is data, stderr is talk; the exit code says how it went.
//! Absent here: any rule of the loop.

mod briefing;
mod cli;
mod clock;
mod commands;
mod config;
mod desk;
mod display;
mod episode;
mod events;
mod exit;
mod gated;
mod page;
#[cfg(unix)]
mod pair;
mod play;
mod players;
mod say;
mod signals;
mod solve;
mod standalone;
mod subprocess;

pub use cli::{podcast, redraft};

/// Prompts and replies come and go in thousands; see `docs/adr/0011-allocator.md`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
