//! The contract's known traps, each a play (contract §6).

mod attacked;
mod clashes;
mod forged;
mod limits;
mod locked;
mod mutate;
mod panel;
mod rerun;
mod scripts;
