//! The store against real files, real processes and real damage.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "in a test a panic is the message, and stdout is how processes talk"
)]

mod appends;
mod budgets;
mod chain;
mod damage;
mod files;
mod homes;
mod locks;
mod opening;
mod processes;
mod runs;
mod stage;
mod sweep;
