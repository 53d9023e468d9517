//! What a configuration says that a review refuses, though each value by itself may be said.
//!
//! Invariant: nothing is sent, started or written, and no key is read.
//! Absent here: what one file may say; the configuration has been read.

use crate::{
    briefing,
    config::{Cast, Complaint, Config, Origin, did_you_mean},
    exit::Failure,
    players::Players,
};
use redraft_agents::llm::Connections;
use std::path::{Path, PathBuf};

/// All of it, for reviews in this folder.
///
/// # Errors
/// When a lens is named and the project's prompts cannot be read.
pub(crate) fn refusals(config: &Config, folder: &Path) -> Result<Vec<Complaint>, Failure> {
    let mut found = lenses(config, folder)?;
    found.extend(unpriced(config));
    Ok(found)
}

/// Lenses that nobody has ground.
fn lenses(config: &Config, folder: &Path) -> Result<Vec<Complaint>, Failure> {
    if config.lenses.is_empty() {
        return Ok(Vec::new());
    }
    let templates = briefing::templates(folder)?;
    let known: Vec<&str> = templates.lenses().collect();
    let unknown = config.lenses.iter().filter(|(_, lens)| !known.contains(&lens.value.as_str()));
    let told = unknown.map(|(agent, lens)| {
        let near = did_you_mean(&lens.value, &known);
        let message = format!("lenses.{agent}: there is no lens {:?}; {near}", lens.value);
        Complaint::new(lens.origin.clone(), message).help("redraft prompts list shows the lenses")
    });
    Ok(told.collect())
}

/// Agents in roles whose price nobody knows, where there is a cap on money.
fn unpriced<'a>(config: &'a Config) -> Vec<Complaint> {
    if config.run.usd.is_none() && config.home.usd.is_none() {
        return Vec::new();
    }
    let players = Players {
        config,
        script: None,
        offline: None,
        inbox: PathBuf::new(),
        workspace: PathBuf::new(),
        transcript: None,
    };
    let connections = Connections::default();
    let names = |cast: Cast<'a>| cast.names.iter().map(move |name| (name, cast.origin));
    let mut roles: Vec<(&String, &Origin)> = config.cast().into_iter().flat_map(names).collect();
    roles.sort_by_key(|(name, _)| *name);
    roles.dedup_by_key(|(name, _)| *name);
    let told = roles.into_iter().filter_map(|(name, origin)| {
        // Whoever cannot be made without an episode is one of ours, and free.
        let failure = players.player(name, &connections).ok()?.unpriced(name)?;
        let complaint = Complaint::new(origin.clone(), failure.message);
        Some(match failure.help {
            Some(help) => complaint.help(help),
            None => complaint,
        })
    });
    told.collect()
}
