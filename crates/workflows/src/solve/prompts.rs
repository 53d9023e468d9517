//! The prompts of a solve.
//!
//! Absent here: what a call works on beside them, and reading a project's own files.

use super::shape::{CRITIQUE, GENERATE, PLAN, RECRITIQUE, REVISE};
use crate::{Template, template::templates};

/// The template of a step that an agent plays.
pub fn template_of(step: &str) -> Option<&'static Template> {
    match step {
        PLAN => Some(&PLANNER),
        GENERATE => Some(&GENERATOR),
        CRITIQUE | RECRITIQUE => Some(&CRITIC),
        REVISE => Some(&REVISER),
        _ => None,
    }
}

templates!("solve": PLANNER: "planner", GENERATOR: "generator", CRITIC: "critic", REVISER: "reviser");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::View;

    #[test]
    fn the_critic_is_asked_for_every_view_by_its_name() {
        for view in View::ALL {
            assert!(CRITIC.body().contains(&format!("`{}`", view.name())), "{view:?}");
        }
    }
}
