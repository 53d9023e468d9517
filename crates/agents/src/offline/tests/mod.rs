//! Plays over the offline agent: which text breaks which rule, and what drafts may never do.

mod acceptance;
mod digest;
mod fixture;
mod properties;
mod revising;
mod rules;
mod sentences;
