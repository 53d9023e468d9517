//! Whole-program tests: the built binary, real files, real processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    missing_docs
)]

mod contract;
mod durability;
mod sandbox;
