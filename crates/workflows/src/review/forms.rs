//! The forms of a creator's and a reviewer's reply.
//!
//! The schemas are written by hand in `schemas/review/`: what is accepted is the contract's (§4), what is asked for is
//! for models.
//! Absent here: how replies are read.

use crate::reply::Form;
use std::sync::LazyLock;

/// The form of a creator's reply.
pub fn creator() -> &'static Form {
    static FORM: LazyLock<Form> = LazyLock::new(|| {
        let accepted = include_str!("../../schemas/review/creator.accepted.json");
        Form::new("creator", accepted, include_str!("../../schemas/review/creator.asked.json"))
    });
    &FORM
}

/// The form of a reviewer's reply.
pub fn reviewer() -> &'static Form {
    static FORM: LazyLock<Form> = LazyLock::new(|| {
        let accepted = include_str!("../../schemas/review/reviewer.accepted.json");
        Form::new("reviewer", accepted, include_str!("../../schemas/review/reviewer.asked.json"))
    });
    &FORM
}
