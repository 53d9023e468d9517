//! The server over real connections on loopback, with a desk in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    missing_docs
)]

mod chats;
mod client;
mod desk;
mod doors;
mod events;
mod house;
mod interface;
mod keys;
mod limits;
mod listing;
mod solving;
mod stopping;
