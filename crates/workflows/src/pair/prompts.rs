//! The prompts of a pair.
//!
//! Absent here: what a call works on beside them.

use super::shape;
use crate::{Template, template::templates};

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

templates!("pair": PROPOSE: "propose", IMPLEMENT: "implement", CRITIQUE: "critique", VERIFY: "verify");
