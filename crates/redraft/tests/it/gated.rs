//! Gated sessions: the built binary, its journal and its folders.

mod killed;
mod models;
mod own_profile;
mod unattended;
