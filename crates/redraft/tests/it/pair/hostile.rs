//! Hostile builders, architects, checks and repositories: what they may not do is refused by name, the run goes on or
//! ends as it should, and nothing outside the home is touched.

mod checks;
mod edits;
mod floods;
mod messages;
mod settings;
mod stage;
mod texts;

use super::{desk, last_line, pair};
