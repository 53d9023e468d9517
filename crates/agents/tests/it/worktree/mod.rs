//! Builders and checks in worktrees of repositories made for them: what is taken, what is refused, and what is left.

mod builders;
mod checks;
mod diffs;
mod ground;
mod hostile_diffs;
mod hostile_programs;
mod killed;
mod places;
mod presets;
mod told;
mod whole;
