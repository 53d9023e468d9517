//! The prompts of a pair.
//!
//! Absent here: what a call works on beside them.

use super::shape;
use crate::{Template, template::templates};

/// The templates that a run's agents are told.
pub fn templates(edits: bool) -> impl Iterator<Item = &'static Template> {
    let steps = [shape::PROPOSE, shape::IMPLEMENT, shape::CRITIQUE, shape::VERIFY];
    steps.into_iter().filter_map(move |step| template_of(step, edits))
}

/// The template of a step that an agent plays; a builder that edits files has one of its own.
pub(super) fn template_of(step: &str, edits: bool) -> Option<&'static Template> {
    match step {
        shape::PROPOSE => Some(&PROPOSE),
        shape::IMPLEMENT if edits => Some(&EDIT),
        shape::IMPLEMENT => Some(&IMPLEMENT),
        shape::CRITIQUE => Some(&CRITIQUE),
        shape::VERIFY => Some(&VERIFY),
        _ => None,
    }
}

/// Whether a call of this step may be made from the template of this name; a run names those that its own are.
pub(crate) fn reads(step: &str, template: &str) -> bool {
    let all = [false, true].map(|edits| template_of(step, edits));
    all.into_iter().flatten().any(|own| own.name == template)
}

templates!(
    "pair": PROPOSE: "propose", IMPLEMENT: "implement", EDIT: "edit", CRITIQUE: "critique", VERIFY: "verify",
);
