//! What sessions come to: two iterations side by side, runs, and their pages.

pub(super) mod scene;
