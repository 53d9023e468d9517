//! The prompts of a pair: files with a version in their first line.
//!
//! Absent here: what a call works on beside them.

use super::message::Kind;
use crate::solve::Template;

macro_rules! templates {
    ($($name:ident: $path:literal),* $(,)?) => {
        $(const $name: Template = Template {
            name: concat!("pair/", $path),
            file: include_str!(concat!("../../prompts/pair/", $path, ".md")),
        };)*

        /// All of them.
        pub const PROMPTS: &[Template] = &[$($name),*];
    };
}

templates!(PROPOSE: "propose", IMPLEMENT: "implement", CRITIQUE: "critique", VERIFY: "verify");

/// The instructions for a message of this kind.
pub(super) fn of(kind: Kind) -> &'static str {
    let template = match kind {
        Kind::Propose => PROPOSE,
        Kind::Implement => IMPLEMENT,
        Kind::Critique => CRITIQUE,
        Kind::Verify => VERIFY,
    };
    template.body()
}
