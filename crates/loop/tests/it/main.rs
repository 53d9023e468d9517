//! The loop's plays, properties and golden journals.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    missing_docs
)]

mod budgets;
mod cancelled;
mod capped;
mod golden;
mod of_the_house;
mod play;
mod plays;
mod properties;
mod shapes;
mod workflows;
