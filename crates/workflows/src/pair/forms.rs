//! The forms of messages: one schema that every message passes, and for each kind what a model is asked for.
//!
//! Absent here: rules that look beyond one message.

use super::message::Kind;
use crate::reply::Form;
use std::sync::LazyLock;

macro_rules! form {
    ($name:ident, $kind:literal) => {
        static $name: LazyLock<Form> = LazyLock::new(|| {
            Form::new(
                $kind,
                include_str!("../../schemas/pair/message.json"),
                include_str!(concat!("../../schemas/pair/", $kind, ".asked.json")),
            )
            .telling_all()
        });
    };
}

form!(PROPOSE, "propose");
form!(IMPLEMENT, "implement");
form!(CRITIQUE, "critique");
form!(VERIFY, "verify");

/// The form of a message of this kind.
pub(super) fn of(kind: Kind) -> &'static Form {
    match kind {
        Kind::Propose => &PROPOSE,
        Kind::Implement => &IMPLEMENT,
        Kind::Critique => &CRITIQUE,
        Kind::Verify => &VERIFY,
    }
}
