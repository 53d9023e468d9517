//! How the reviews of one command are played, as plain values.
//!
//! Absent here: where the values come from, and what is done with them.

use super::{Caps, Reopening, opening};
use crate::{briefing::Briefing, commands::agents};
use redraft_engine::Policy;
use redraft_loop::{CastMember, Limits, Role, Run, Source};
use redraft_workflows::review::model::AssetId;
use std::collections::{BTreeMap, BTreeSet};

/// How the reviews of one command are played.
pub(crate) struct Plan {
    pub(crate) creator: String,
    /// Whether this command says who that is.
    pub(crate) creator_is_named: bool,
    pub(crate) reviewers: Vec<String>,
    /// The last iteration; `None` leaves a run's own limit, or the default for a new one.
    pub(crate) max_iterations: Option<u32>,
    /// The most that each run may use; what is `None` leaves a run's own cap.
    pub(crate) caps: Caps,
    /// How often a call that a dead driver left unanswered may be asked again; `None` as for iterations.
    pub(crate) ask_again: Option<u32>,
    /// Whether this command asks for it.
    pub(crate) stop_on_stagnation: bool,
    /// What a new run gets where nothing else is said.
    pub(crate) defaults: Defaults,
    /// What is known of agents, by name.
    pub(crate) traits: BTreeMap<String, Traits>,
    /// What reviewers look for above all, by agent.
    pub(crate) lenses: BTreeMap<String, String>,
    /// How often an unreadable reply is asked for again.
    pub(crate) repairs: u32,
    /// Whether to wait for another driver of the same run.
    pub(crate) wait: bool,
    pub(crate) policy: Policy,
    /// What the runs work with: transcript, script.
    pub(crate) sources: Vec<Source>,
    /// What the reviews are told.
    pub(crate) briefing: Briefing,
    /// What a person lets go of first.
    pub(crate) reopening: Option<Reopening>,
}

/// What a new run gets where nothing else is said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Defaults {
    pub(crate) iterations: u32,
    pub(crate) caps: Caps,
    pub(crate) stop_on_stagnation: bool,
}

/// What is known of an agent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Traits {
    pub(crate) model: Option<String>,
    pub(crate) provider: Option<String>,
    pub(crate) family: Option<String>,
}

impl Plan {
    /// Whether the asset's decided record is closed first.
    pub(crate) fn reopens(&self, asset: &AssetId) -> bool {
        self.reopening.as_ref().is_some_and(|reopening| reopening.records.contains_key(asset))
    }

    /// The agents in the order of their roles, creator first.
    pub(crate) fn agents(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.creator).chain(&self.reviewers).map(String::as_str)
    }

    /// The caps of a new run.
    pub(crate) fn run_caps(&self) -> Caps {
        self.caps.or(self.defaults.caps)
    }

    /// The caps that hold for an open run, or for a new one.
    pub(crate) fn caps_in_force(&self, open: Option<&Run>) -> Caps {
        match open {
            Some(run) => self.caps.or(Caps::of(run.limits())),
            None => self.run_caps(),
        }
    }

    /// The limits of an open run with what this command says of them, and so many rounds.
    pub(crate) fn limits_from(&self, now: &Limits, rounds: u32) -> Limits {
        let ask_again = self.ask_again.unwrap_or(now.ask_again);
        self.caps.over(&Limits { rounds, ask_again, ..now.clone() })
    }

    /// The cast as a run's first fact names it.
    pub(crate) fn members(&self) -> Vec<CastMember> {
        opening::cast(self)
    }

    /// The roles that programs of ours play.
    pub(crate) fn played_by_ours(&self) -> BTreeSet<Role> {
        let cast = opening::cast(self).into_iter();
        cast.filter(|member| !agents::reads_prompts(&member.agent))
            .map(|member| member.role)
            .collect()
    }
}

/// The iterations of a review when nothing else is said.
pub(crate) const DEFAULT_ITERATIONS: u32 = 3;
