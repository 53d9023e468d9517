//! Who plays by a configuration: each role that somebody is named for, with its agents.
//!
//! Absent here: whether there are such agents.

use super::{
    Config,
    gated::{self, GatedRoles},
    layer::Layer,
    origin::{Origin, Sourced},
};

/// Where a file names who builds.
pub(super) const BUILDER: &str = "roles.builder";

/// The agents of one role, or of one panel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cast<'a> {
    /// Where a file names them.
    pub(crate) key: &'static str,
    pub(crate) names: &'a [String],
    pub(crate) origin: &'a Origin,
}

impl Config {
    /// Each role once: one that falls back to another has nobody of its own.
    pub(crate) fn cast(&self) -> Vec<Cast<'_>> {
        let own = |is_own: bool, cast| is_own.then_some(cast);
        let all = [
            Some(one("roles.creator", &self.creator)),
            Some(several("roles.reviewers", &self.reviewers)),
            own(self.planner != self.creator, one("roles.planner", &self.planner)),
            own(self.generator != self.creator, one("roles.generator", &self.generator)),
            own(self.critics != self.reviewers, several("roles.critics", &self.critics)),
            self.architect.as_ref().map(|name| one("roles.architect", name)),
            self.builder.as_ref().map(|name| one(BUILDER, name)),
        ];
        all.into_iter().flatten().chain(of_sessions(&self.gated)).collect()
    }
}

impl Layer {
    /// What this source alone says.
    pub(super) fn cast(&self) -> impl Iterator<Item = Cast<'_>> {
        let creator = self.creator.iter().map(|name| one("roles.creator", name));
        let planner = self.planner.iter().map(|name| one("roles.planner", name));
        let generator = self.generator.iter().map(|name| one("roles.generator", name));
        let reviewers = self.reviewers.iter().map(|names| several("roles.reviewers", names));
        let critics = self.critics.iter().map(|names| several("roles.critics", names));
        let architect = self.architect.iter().map(|name| one("roles.architect", name));
        let builder = self.builder.iter().map(|name| one(BUILDER, name));
        let solvers = planner.chain(generator).chain(critics);
        let pair = architect.chain(builder);
        creator.chain(reviewers).chain(solvers).chain(pair).chain(of_sessions(&self.gated))
    }
}

fn of_sessions(roles: &GatedRoles) -> impl Iterator<Item = Cast<'_>> {
    roles.iter().map(|(role, name)| one(gated::key(*role), name))
}

fn one<'a>(key: &'static str, name: &'a Sourced<String>) -> Cast<'a> {
    Cast { key, names: std::slice::from_ref(&name.value), origin: &name.origin }
}

fn several<'a>(key: &'static str, names: &'a Sourced<Vec<String>>) -> Cast<'a> {
    Cast { key, names: &names.value, origin: &names.origin }
}
