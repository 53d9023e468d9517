//! Replies as they are: read as given, refused with the reason, and never forged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    missing_docs
)]

mod attacks;
mod findings;
mod forgery;
mod forms;
mod gated;
mod house_critic;
mod pair_messages;
mod pair_prompts;
mod pair_record;
mod properties;
mod reading;
mod stage;
