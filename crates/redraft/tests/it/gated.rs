//! Gated sessions by the built binary: what people are asked, and what comes of their responses.

mod by_hand;
mod configured;
mod java;
mod killed;
mod models;
mod own_profile;
mod prompts;
mod repairing;
mod showing;
mod unattended;
