//! Solves whose calls fail in every position, in every way: what the contract promises holds in each.

mod any;
mod caps;
mod cast;
mod footers;
mod house_critic;
mod invariants;
mod left;
mod matrix;
mod odd_constraints;
mod panels;
mod scene;
mod traps;
