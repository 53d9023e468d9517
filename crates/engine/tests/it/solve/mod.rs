//! Solves whose calls fail in every position, in every way: what the contract promises holds in each.

mod any;
mod cast;
mod footers;
mod house_critic;
mod invariants;
mod matrix;
mod odd_constraints;
mod scene;
mod traps;
