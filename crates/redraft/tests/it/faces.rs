//! What people and programs see: JSON documents, messages, and a terminal that nobody can trick.

mod documents;
mod episodes;
mod picking;
mod terminal;
mod watching;
