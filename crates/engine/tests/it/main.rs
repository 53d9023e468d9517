//! The engine over ports in memory: what is sent when, what is saved first, how it waits and stops.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    missing_docs
)]

mod cancel;
mod durable;
mod gates;
mod house;
mod pair;
mod records;
mod solve;
mod until;
mod waiting;
