//! The journal: a SQLite database that many processes append to and that tells every edit.
//!
//! Invariant: what an append has answered is durable, and what was appended never changes.
//! Absent here: what a fact means; bodies are text.

pub(crate) mod append;
mod budget;
pub(crate) mod chain;
mod commit;
pub(crate) mod connection;
pub(crate) mod error;
pub(crate) mod read;
pub(crate) mod store;
mod writer;
