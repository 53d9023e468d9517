//! Gated sessions, played by the whole program.

mod repairing;
mod showing;
