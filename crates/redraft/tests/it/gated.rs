//! Gated sessions by the built binary: what people are asked, and what comes of their responses.

mod approving;
mod beginnings;
mod by_hand;
mod configured;
mod edits;
mod java;
mod killed;
mod models;
mod own_profile;
mod path;
mod programs;
mod prompts;
mod repairing;
mod responses;
mod showing;
pub(crate) mod stage;
mod traps;
mod unattended;
