//! The stage of a run: all that its driver works with.
//!
//! Absent here: the run itself.

use crate::{Agent, Cancel, Clock, Events, Files, Journal, Policy};
use redraft_loop::Role;
use redraft_workflows::Workflow;
use std::{collections::BTreeMap, sync::Arc};

/// Everything a run is played with.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// The workflow's prompts and readers.
    pub workflow: &'a dyn Workflow,
    /// Which agent plays which role.
    pub cast: &'a BTreeMap<Role, Arc<dyn Agent>>,
    /// The run's journal.
    pub journal: &'a dyn Journal,
    /// The files the run is projected to.
    pub files: &'a dyn Files,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Deadlines and delays.
    pub policy: Policy,
    /// Who watches.
    pub events: &'a Events,
    /// How to be stopped.
    pub cancel: &'a Cancel,
}
