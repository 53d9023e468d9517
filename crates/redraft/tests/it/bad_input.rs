//! Bad input gets a message with path and place, and no byte on disk changes.

mod documents;
mod extremes;
mod links;
mod names;
mod transcripts;
mod twice;
