//! What must fit together once all sources are merged.
//!
//! Absent here: what one value may be by itself.

use super::{
    Config,
    agent::BUILT_IN,
    cast::Cast,
    complaint::Complaint,
    gated::{self, MANUAL},
    origin::{Origin, Sourced},
    suggest,
};
use redraft_agents::Preset;
#[cfg(unix)]
use redraft_agents::worktree::Protected;

/// All that does not fit.
pub(super) fn complaints(config: &Config) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut names = |key: &str, name: &str, origin: &Origin| {
        complaints.extend(unknown_agent(config, key, name, origin));
    };
    for Cast { key, names: all, origin } in config.cast() {
        all.iter().for_each(|name| names(key, name, origin));
    }
    for (name, lens) in &config.lenses {
        names("lenses", name, &lens.origin);
    }
    complaints.extend(config.cast().iter().filter_map(nobody));
    complaints.extend(config.protected.iter().filter_map(unreadable));
    complaints
}

/// A pattern that protects nothing, for nobody can read it.
#[cfg(unix)]
fn unreadable(pattern: &Sourced<String>) -> Option<Complaint> {
    let error = Protected::new(std::slice::from_ref(&pattern.value)).err()?;
    Some(Complaint::new(pattern.origin.clone(), format!("pair.protected: {error}")))
}

#[cfg(not(unix))]
fn unreadable(_: &Sourced<String>) -> Option<Complaint> {
    None
}

fn unknown_agent(config: &Config, key: &str, name: &str, origin: &Origin) -> Option<Complaint> {
    let mut known: Vec<&str> = config.agents.keys().map(String::as_str).collect();
    known.extend(BUILT_IN);
    known.extend(Preset::ALL.map(Preset::name));
    known.extend(gated::is_key(key).then_some(MANUAL));
    if known.contains(&name) {
        return None;
    }
    let near = suggest::did_you_mean(name, &known);
    Some(Complaint::new(origin.clone(), format!("{key}: there is no agent {name:?}; {near}")))
}

/// One agent may sit on a panel twice: a model does not say the same each time.
fn nobody(cast: &Cast<'_>) -> Option<Complaint> {
    let told = || format!("{}: nobody is named", cast.key);
    cast.names.is_empty().then(|| Complaint::new(cast.origin.clone(), told()))
}
