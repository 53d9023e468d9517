//! Responses that say PASS without the reviewer's saying so, or that say it and something else.

use super::{Attack, Twin, block, field};
use crate::gated;
use redraft_workflows::gated::review_meta::Verdict;

pub(super) const CODE: &str = "package shop;\n\nclass Order {}\n";

pub(super) fn pass() -> String {
    gated::block("PASS", 2, 0, 0)
}

pub(super) fn fail() -> String {
    gated::block("FAIL", 3, 1, 0)
}

/// A response and its honest twin, which is refused and mended, or read as it is.
pub(super) struct Pair {
    attack: String,
    twin: Twin,
}

pub(super) fn pair(attack: String, twin: &str, given: Verdict) -> Pair {
    Pair { attack, twin: Twin::read(twin, given) }
}

pub(super) fn mended(attack: String, twin: &str, fixed: &str, given: Verdict) -> Pair {
    Pair { attack, twin: Twin::refused(twin, fixed, given) }
}

pub(super) type Family = (&'static str, fn() -> Vec<Pair>);

pub(super) fn all() -> Vec<Attack> {
    let attack = |family, Pair { attack, twin }| Attack {
        family,
        shown: vec![CODE.to_owned()],
        response: attack,
        twin,
    };
    block::FAMILIES
        .into_iter()
        .chain(field::FAMILIES)
        .flat_map(|(family, pairs)| pairs().into_iter().map(move |pair| attack(family, pair)))
        .collect()
}
