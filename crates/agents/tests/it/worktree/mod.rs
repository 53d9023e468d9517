//! Builders and checks in worktrees of repositories made for them: what is taken, what is refused, and what is left.

mod branches;
mod builders;
mod checks;
mod diffs;
mod ground;
mod handed_over;
mod hard_places;
mod hostile_diffs;
mod hostile_programs;
mod killed;
mod places;
mod presets;
mod told;
mod whole;
