//! Agents against the world: servers and programs that misbehave, and people who take their time.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    missing_docs
)]

#[cfg(unix)]
mod command;
mod engine;
// The engine's own ports in memory: one world for all tests of runs.
#[allow(dead_code)]
#[path = "../../../engine/tests/it/house.rs"]
mod house;
mod human;
mod llm;
#[cfg(unix)]
mod worktree;
