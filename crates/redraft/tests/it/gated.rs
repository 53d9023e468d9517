//! `redraft gated`, played by hand: files, a person's word, and what a step makes of them.

mod approving;
mod beginnings;
mod path;
mod programs;
mod responses;
pub(crate) mod stage;
mod traps;
