//! `redraft gated`, played by hand: files, a person's word, and what a step makes of them.

mod path;
pub(crate) mod stage;
