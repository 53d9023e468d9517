//! Plays.
