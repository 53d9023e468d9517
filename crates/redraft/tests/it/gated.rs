//! Gated sessions: the built binary, its journal and its folders.

mod models;
mod own_profile;
mod unattended;
