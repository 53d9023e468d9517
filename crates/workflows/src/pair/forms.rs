//! The forms of messages: one schema that every message passes, and for each kind what a model is asked for.
//!
//! Absent here: rules that look beyond one message.

use super::message::{Kind, Message, VALIDATION_FAILED};
use crate::{
    Unreadable,
    reply::{Form, read_as},
};
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

/// Reads a reply as a message, whoever wrote it. `shown` are the texts that its author was shown.
///
/// # Errors
/// Every violation with its JSON pointer, after [`VALIDATION_FAILED`].
pub fn read(text: &str, shown: &[&str]) -> Result<Message, Unreadable> {
    // All kinds are accepted by one schema.
    read_as(&PROPOSE, text, shown).map_err(refused)
}

/// A violation, told as the contract wants it.
pub(super) fn refused(Unreadable { why }: Unreadable) -> Unreadable {
    Unreadable { why: format!("{VALIDATION_FAILED}: {why}") }
}
