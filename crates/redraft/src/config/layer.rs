//! What one source says: a file, the environment or the command line.
//!
//! Invariant: an agent and a price are taken whole from the highest layer that has them.
//! Absent here: reading, defaults.

use super::{agent::Defined, gated::GatedRoles, money::MicroUsd, origin::Sourced};
use std::{collections::BTreeMap, path::PathBuf};

/// The settings of one source; what it does not say is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Layer {
    pub(super) agents: BTreeMap<String, Defined>,
    pub(super) creator: Option<Sourced<String>>,
    pub(super) reviewers: Option<Sourced<Vec<String>>>,
    pub(super) planner: Option<Sourced<String>>,
    pub(super) generator: Option<Sourced<String>>,
    pub(super) critics: Option<Sourced<Vec<String>>>,
    pub(super) architect: Option<Sourced<String>>,
    pub(super) builder: Option<Sourced<String>>,
    pub(super) gated: GatedRoles,
    pub(super) lenses: BTreeMap<String, Sourced<String>>,
    pub(super) run: Caps,
    pub(super) home: Caps,
    pub(super) call_seconds: Option<Sourced<u64>>,
    pub(super) total_seconds: Option<Sourced<u64>>,
    pub(super) prices: BTreeMap<String, Price>,
    pub(super) max_iterations: Option<Sourced<u64>>,
    pub(super) stop_on_stagnation: Option<Sourced<bool>>,
    /// Patterns of paths, of all layers together: what one protects no other lays open.
    pub(super) protected: Vec<Sourced<String>>,
    pub(super) check_seconds: Option<Sourced<u64>>,
    pub(super) trusted: Option<Sourced<Vec<String>>>,
}

/// Hard bounds; `None` is unbounded.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Caps {
    /// Calls, retries and repairs included.
    pub(crate) calls: Option<Sourced<u64>>,
    /// Tokens, in and out together.
    pub(crate) tokens: Option<Sourced<u64>>,
    /// US dollars.
    pub(crate) usd: Option<Sourced<MicroUsd>>,
}

/// What a million tokens cost, in US dollars.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Price {
    pub(crate) input: Sourced<MicroUsd>,
    pub(crate) output: Sourced<MicroUsd>,
}

impl Layer {
    /// This layer over a lower one.
    pub(super) fn over(self, lower: Self) -> Self {
        Self {
            agents: merged(self.agents, lower.agents),
            creator: self.creator.or(lower.creator),
            reviewers: self.reviewers.or(lower.reviewers),
            planner: self.planner.or(lower.planner),
            generator: self.generator.or(lower.generator),
            critics: self.critics.or(lower.critics),
            architect: self.architect.or(lower.architect),
            builder: self.builder.or(lower.builder),
            gated: merged(self.gated, lower.gated),
            lenses: merged(self.lenses, lower.lenses),
            run: self.run.over(lower.run),
            home: self.home.over(lower.home),
            call_seconds: self.call_seconds.or(lower.call_seconds),
            total_seconds: self.total_seconds.or(lower.total_seconds),
            prices: merged(self.prices, lower.prices),
            max_iterations: self.max_iterations.or(lower.max_iterations),
            stop_on_stagnation: self.stop_on_stagnation.or(lower.stop_on_stagnation),
            protected: self.protected.into_iter().chain(lower.protected).collect(),
            check_seconds: self.check_seconds.or(lower.check_seconds),
            trusted: self.trusted.or(lower.trusted),
        }
    }
}

impl Caps {
    fn over(self, lower: Self) -> Self {
        Self {
            calls: self.calls.or(lower.calls),
            tokens: self.tokens.or(lower.tokens),
            usd: self.usd.or(lower.usd),
        }
    }
}

fn merged<K: Ord, T>(higher: BTreeMap<K, T>, lower: BTreeMap<K, T>) -> BTreeMap<K, T> {
    let mut merged = lower;
    merged.extend(higher);
    merged
}

/// A path as a trusted project's folder, `~/` taken as the user's own; `None` when it is relative.
pub(super) fn trusted_folder(text: &str) -> Option<PathBuf> {
    let path = super::paths::file(text, std::path::Path::new(""));
    path.is_absolute().then_some(path)
}
