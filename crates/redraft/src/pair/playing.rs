//! A pair from its task to where it rests: opened, and driven in a worktree of its own.
//!
//! Invariant: the worktree of a run that rests undecided goes with its driver. That of a decided one stays until its
//! change is handed over, so that whoever comes after a kill knows that it was not.
//! Absent here: who plays, and what becomes of the change.

use super::{
    casting::Table,
    tree::{self, tree_of},
};
use crate::{
    briefing::prompt_source,
    clock,
    exit::Failure,
    say,
    standalone::{self, Place, Players, Staging},
};
use redraft_agents::worktree::{Checks, InWorktree, Work, Worktree};
use redraft_engine::{Cancel, Events, Rest};
use redraft_loop::{Epoch, Input, Limits, Opened, Role, Run, RunId};
use redraft_store::Store;
use redraft_workflows::{
    pair::{self, ARCHITECT, BUILDER, Bounds, CHECKS, Pair, Settings},
    review::brief::{Origin, Template},
};
use std::sync::Arc;

/// The longest part of a task that stands in lists, in characters.
const SUBJECT: usize = 60;

/// How lists name a task.
pub(super) fn subject(task: &str) -> String {
    task.lines().next().unwrap_or_default().chars().take(SUBJECT).collect()
}

/// A new run, with everything that a replay needs.
pub(crate) fn opened(run: RunId, settings: Settings, table: &Table) -> Opened {
    let edits = table.work == Work::Edits;
    let told: Vec<&str> = pair::templates(edits).map(|template| template.name).collect();
    let is_told = |template: &&Template| told.contains(&template.name.as_str());
    let own = table.prompts.iter().filter(|template| template.origin != Origin::BuiltIn);
    let prompts = own.map(|template| (template.name.clone(), template.file.clone())).collect();
    let bounds = Bounds { limits: table.limits.clone(), checks: !settings.checks.is_empty() };
    Opened {
        run,
        at: clock::now(),
        epoch: Epoch(1),
        subject: subject(&settings.task),
        shape: pair::shape(&bounds),
        cast: table.members.clone(),
        sources: table.prompts.iter().filter(is_told).map(prompt_source).collect(),
        seed: None,
        past: Vec::new(),
        first_round: 1,
        // These types have string keys only, which JSON always holds.
        settings: serde_json::to_value(Settings { edits, prompts, ..settings }).unwrap_or_default(),
    }
}

/// A run that is about to be driven. The caller holds its lock.
pub(crate) struct Playing<'a> {
    pub(crate) store: &'a Store,
    pub(crate) place: &'a Place,
    pub(crate) begin: Result<Opened, Run>,
    pub(crate) table: &'a Table,
    pub(crate) events: &'a Events,
    pub(crate) cancel: &'a Cancel,
}

/// Drives a run until it rests. Where it is decided, its worktree stays until its change is
/// [`handed_over`](super::handed_over).
///
/// # Errors
/// When the journal fails, or there is no worktree to work in.
pub(crate) async fn play(playing: Playing<'_>) -> Result<(Rest, Run), Failure> {
    let Playing { store, place, begin, table, events, cancel } = playing;
    let opened = match &begin {
        Ok(opened) => opened,
        Err(run) => run.opened(),
    };
    let settings = pair::settings_of(opened);
    let tree = match settings.as_ref().and_then(|settings| settings.repository.as_ref()) {
        Some(repository) => Some(Arc::new(tree_of(repository, place, &opened.run).await?)),
        None => None,
    };
    let checks = settings.map_or(0, |settings| settings.checks.len());
    let players = players(table, tree.as_ref(), checks);
    let staging = Staging {
        workflow: &Pair,
        players: &players,
        policy: table.policy,
        scopes: &[],
        events,
        cancel,
    };
    let played = standalone::drive(store, begin, |run| bounded(run, table), &staging).await;
    let is_decided = matches!(&played, Ok((Rest::Decided(_), _)));
    if let Some(tree) = tree.filter(|_| !is_decided) {
        // Another run has another place: it stands in nobody's way.
        if let Err(failure) = tree::remove(&tree).await {
            say::err(&format!("the worktree stays for now: {}", failure.message));
        }
    }
    played
}

fn players(table: &Table, tree: Option<&Arc<Worktree>>, checks: usize) -> Players {
    let mut players = Players::from([
        (Role::new(ARCHITECT), Arc::clone(&table.architect)),
        (Role::new(BUILDER), Arc::clone(&table.builder)),
    ]);
    if let Some(tree) = tree {
        let site = &table.site;
        let builder = InWorktree::new(
            table.builder.clone(),
            table.work,
            tree.clone(),
            site.protected.clone(),
        )
        .for_as_long_as(site.edit_limit);
        players.insert(Role::new(BUILDER), Arc::new(builder));
        let run = Checks::new(tree.clone(), checks, site.check_limit, site.withheld.clone());
        players.insert(Role::new(CHECKS), Arc::new(run));
    }
    players
}

/// What the command says anew of the bounds of a run that goes on.
fn bounded(run: &Run, table: &Table) -> Option<Input> {
    let Limits { rounds, ask_again, .. } = table.limits;
    standalone::bound(run, Limits { rounds, ask_again, ..standalone::raised(run, table.raised) })
}
