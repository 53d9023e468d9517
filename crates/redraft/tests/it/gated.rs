//! Gated sessions: whole-program plays.

mod configured;
