//! Who plays the roles of gated sessions: names by role, as one source says them or all together.
//!
//! Invariant: a role that nobody is named for has nobody here; it is played by hand.
//! Absent here: which roles a profile has, and making agents of names.

use super::origin::Sourced;
use redraft_workflows::gated::profile::Role;
use std::collections::BTreeMap;

pub(crate) use redraft_workflows::gated::MANUAL;

/// The names, each with its origin.
pub(crate) type GatedRoles = BTreeMap<Role, Sourced<String>>;

/// Where a file names who plays a role.
pub(super) fn key(role: Role) -> &'static str {
    match role {
        Role::Planner => "gated.planner",
        Role::Generator => "gated.generator",
        Role::Reviewer => "gated.reviewer",
        Role::Reviser => "gated.reviser",
    }
}

/// Whether a key is one of them: there, and nowhere else, a person is called [`MANUAL`].
pub(super) fn is_key(key: &str) -> bool {
    key.starts_with("gated.")
}

/// The flag that names who plays a role.
pub(super) fn flag(role: Role) -> &'static str {
    match role {
        Role::Planner => "--planner",
        Role::Generator => "--generator",
        Role::Reviewer => "--reviewer",
        Role::Reviser => "--reviser",
    }
}
