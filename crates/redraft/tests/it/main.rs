//! Whole-program tests: the built binary, real files, real processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    clippy::print_stderr,
    missing_docs
)]

mod adopting;
mod bad_input;
mod contract;
mod damage;
mod docs;
mod durability;
mod faces;
mod foreign;
mod held;
mod sandbox;
mod scene;
mod strangers;
mod together;
mod traps;
mod verify;
