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
mod comparing;
mod config;
mod contract;
mod damage;
mod demo_workspaces;
mod docs;
mod doctor;
mod dom;
mod durability;
mod exporting;
mod faces;
mod foreign;
mod foreign_past;
mod gated;
mod held;
mod models;
mod open_rules;
mod pair;
mod places;
mod prompts;
mod provider;
mod pty;
mod reopening;
mod repairing;
mod run_pages;
mod sandbox;
mod scene;
mod stale;
mod standing_pick;
mod strangers;
mod together;
mod traps;
mod verify;
mod waiting;
mod ways_on;
mod written;
