//! What commands have in common whose runs nobody reviews: drafts and summaries.
//!
//! Absent here: playing them.

use super::review::planning;
use crate::{
    config::{Config, WriterFlags},
    episode::StoredRun,
    exit::Failure,
    play::{self, Plan},
    players::SCRIPTED,
};
use redraft_loop::Run;

/// Who writes and within which bounds: as flags say, as the first of these runs that is open was opened, or as it is
/// configured. `does` is what the command does, as in "a script drafts nothing".
pub(super) fn plan<'a>(
    config: &Config,
    flags: &WriterFlags,
    mut runs: impl Iterator<Item = &'a StoredRun>,
    does: &str,
) -> Result<Plan, Failure> {
    let open = runs.find(|stored| stored.run.decision().is_none());
    let recorded = open.and_then(|stored| stored.run.opened().cast.first());
    let asked = flags.creator.clone().or(recorded.map(|member| member.agent.clone()));
    let creator = asked.unwrap_or_else(|| config.creator.value.clone());
    let creator = planning::plain(config, &creator);
    if creator == SCRIPTED {
        let message = format!("a script {does} nothing: it plays reviews only");
        return Err(Failure::usage(message).help("name another agent with --creator"));
    }
    let plan = planning::of_calls(config, &flags.calls, creator);
    Ok(Plan { creator_is_named: flags.creator.is_some(), ..plan })
}

/// The runs whose caps may hold for this command: not those that give way to another writer.
pub(super) fn goes_on<'a>(
    runs: impl Iterator<Item = &'a StoredRun>,
    plan: &Plan,
) -> impl Iterator<Item = &'a Run> {
    let by_them = |run: &&Run| play::writer(run) == plan.creator || !plan.creator_is_named;
    runs.map(|stored| &stored.run).filter(by_them)
}
