//! What sessions come to: two iterations side by side, runs, and their pages.

mod diff;
mod runs;
pub(super) mod scene;
