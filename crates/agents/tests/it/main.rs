//! Models against servers that misbehave: every byte of a connection is in the test's hand.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    missing_docs
)]

mod bounds;
mod canaries;
mod cancel;
mod connections;
mod cuts;
mod dialect;
mod faults;
mod house;
mod refusals;
mod requests;
mod server;
