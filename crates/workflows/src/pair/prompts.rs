//! The prompts of a pair.
//!
//! Absent here: what a call works on beside them.

use super::shape;
use crate::{Prompt, Template, template::templates};

/// The template of a step that an agent plays.
pub fn template_of(step: &str) -> Option<&'static Template> {
    match step {
        shape::PROPOSE => Some(&PROPOSE),
        shape::IMPLEMENT => Some(&IMPLEMENT),
        shape::CRITIQUE => Some(&CRITIQUE),
        shape::VERIFY => Some(&VERIFY),
        _ => None,
    }
}

/// Whether a call of this step is made from the template of this name, in a run that names it among its sources: a
/// builder that edits has one of its own.
pub fn reads(step: &str, template: &str) -> bool {
    let is_own = template_of(step).is_some_and(|own| own.name == template);
    is_own || step == shape::IMPLEMENT && template == EDIT.name
}

/// The same prompt for a builder that edits the files itself: it is told to, and its reply has no form.
pub fn to_edit(prompt: &Prompt) -> Prompt {
    Prompt { instructions: EDIT.body().to_owned(), reply: None, ..prompt.clone() }
}

templates!(
    "pair": PROPOSE: "propose", IMPLEMENT: "implement", EDIT: "edit", CRITIQUE: "critique", VERIFY: "verify",
);
