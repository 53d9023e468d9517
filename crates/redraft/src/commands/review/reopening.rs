//! What a person asks to let go of before a review, and whether they may.
//!
//! Invariant: whatever cannot be done is refused before anything is written. A record is reopened once for a reason:
//! the same command goes on with what it began, and reports how that ended, whenever a kill came.
//! Absent here: doing it.

use crate::{
    commands::person,
    episode::{Episode, View},
    exit::Failure,
    play::{self, Reopening},
    say,
};
use redraft_workflows::review::{model::AssetId, workspace::closed_folder};
use std::collections::{BTreeMap, BTreeSet};

/// What is let go of before the review.
#[derive(Debug, Clone, clap::Args)]
#[command(group(clap::ArgGroup::new("letting_go").multiple(true)))]
pub(crate) struct ReopenArgs {
    /// Review decided assets again: the record is closed and kept, the iterations are numbered on
    #[arg(long, requires = "reason", group = "letting_go")]
    reopen: bool,
    /// Why they are reopened; the agents are told
    #[arg(long, value_name = "TEXT", requires = "reopen", value_parser = reason)]
    reason: Option<String>,
    /// Let the locked selection go: it stays until something else is selected, but binds no candidate
    #[arg(long, group = "letting_go")]
    release_selection: bool,
    /// Who reopens or lets go [default: the user's name]
    #[arg(long, value_name = "NAME", requires = "letting_go")]
    by: Option<String>,
}

impl ReopenArgs {
    /// Whether anything is to be let go of; then there has to be a workspace.
    pub(super) fn is_asked(&self) -> bool {
        self.reopen || self.release_selection
    }
}

fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("say why it is reopened".to_owned()),
        reason => Ok(reason.to_owned()),
    }
}

/// One asset's answer: what to do, nothing more to do, or why it cannot be done.
enum Answer<T> {
    Do(T),
    Done,
    Cannot(Failure),
}

/// What is to be let go of; `None` where nothing is asked for.
pub(super) fn reopening(
    args: &super::Args,
    episode: &Episode,
    view: &View,
    assets: &[AssetId],
) -> Result<Option<Reopening>, Failure> {
    let asked = &args.reopening;
    if !asked.is_asked() {
        return Ok(None);
    }
    let reason = asked.reason.clone().unwrap_or_default();
    let (mut records, mut selections) = (BTreeMap::new(), BTreeSet::new());
    if asked.reopen {
        let answer = |asset: &AssetId| record(asset, episode, view, &reason);
        records = answers(assets, args.all, answer)?.into_iter().collect();
    }
    if asked.release_selection {
        let answer = |asset: &AssetId| selection(asset, episode, view, asked.reason.as_deref());
        selections =
            answers(assets, args.all, answer)?.into_iter().map(|(asset, ())| asset).collect();
    }
    for asset in records.keys() {
        check_limit(asset, args.max_iterations(), view)?;
    }
    Ok(Some(Reopening { by: person(asked.by.as_ref()), reason, records, selections }))
}

/// What to do for which asset. With `--all`, what cannot be done for some is left out, unless it is all of them.
fn answers<T>(
    assets: &[AssetId],
    all: bool,
    answer: impl Fn(&AssetId) -> Result<Answer<T>, Failure>,
) -> Result<Vec<(AssetId, T)>, Failure> {
    let (mut to_do, mut refusal, mut able) = (Vec::new(), None, false);
    for asset in assets {
        match answer(asset)? {
            Answer::Do(what) => to_do.push((asset.clone(), what)),
            Answer::Done => able = true,
            Answer::Cannot(failure) => refusal = refusal.or(Some(failure)),
        }
    }
    match refusal {
        Some(refusal) if !all || (to_do.is_empty() && !able) => Err(refusal),
        Some(_) | None => Ok(to_do),
    }
}

/// Whether the asset's record can be closed, and under which number.
fn record(
    asset: &AssetId,
    episode: &Episode,
    view: &View,
    reason: &str,
) -> Result<Answer<u32>, Failure> {
    if is_repeated(asset, view, reason) {
        return Ok(Answer::Done);
    }
    if view.decision(asset).is_some() {
        return Ok(Answer::Do(number(asset, episode, view)?));
    }
    Ok(match view.workspace.reopened(asset) {
        Some(reopened) => {
            let (by, reason) = (&reopened.by, &reopened.reason);
            let message = format!("{asset}: is reopened already, by {by}: {reason}");
            Answer::Cannot(Failure::usage(message).help("leave --reopen out to go on with it"))
        }
        None => {
            let message = format!("{asset}: is not decided, so there is nothing to reopen");
            Answer::Cannot(Failure::usage(message).help("leave --reopen out to review it"))
        }
    })
}

/// Whether the present record was begun for this reason.
fn is_repeated(asset: &AssetId, view: &View, reason: &str) -> bool {
    view.workspace.reopened(asset).is_some_and(|reopened| reopened.reason == reason)
}

/// The first number that neither the journal nor a folder has.
fn number(asset: &AssetId, episode: &Episode, view: &View) -> Result<u32, Failure> {
    let mut number = view.workspace.reopened(asset).map_or(1, |reopened| reopened.number + 1);
    while episode.files.resolve(&closed_folder(asset, number))?.symlink_metadata().is_ok() {
        number += 1;
    }
    Ok(number)
}

/// Whether the asset has a locked selection that can be let go, by itself or with a reopening for this reason.
fn selection(
    asset: &AssetId,
    episode: &Episode,
    view: &View,
    reason: Option<&str>,
) -> Result<Answer<()>, Failure> {
    let cannot = |why: &str| Ok(Answer::Cannot(Failure::usage(format!("{asset}: {why}"))));
    if !asset.locks_selection() {
        return cannot("its selection is never locked, so there is none to let go");
    }
    if play::selection(asset, &episode.files, view)?.is_none() {
        return cannot("nothing is selected, so there is no selection to let go");
    }
    let repeated = reason.is_some_and(|reason| is_repeated(asset, view, reason));
    let ended = view
        .current_run(asset)
        .filter(|run| run.run.decision().is_some() && (repeated || !view.is_synced(run)))
        .is_some_and(|run| view.was_released_for(run));
    Ok(if ended || view.released(asset).is_some() { Answer::Done } else { Answer::Do(()) })
}

/// The limit counts from the first record on, so it has to leave the new one an iteration.
fn check_limit(asset: &AssetId, limit: Option<u32>, view: &View) -> Result<(), Failure> {
    let last = view.last_iteration(asset)?;
    match limit {
        Some(limit) if limit <= last => {
            let message = format!(
                "{asset}: {}; --max-iterations {limit} leaves none to play",
                play::recorded(last)
            );
            Err(Failure::usage(message).help(format!("give --max-iterations {} or more", last + 1)))
        }
        Some(_) | None => Ok(()),
    }
}

/// Tells what a person may not expect of decisions and locks that stand.
pub(super) fn tell(
    args: &super::Args,
    episode: &Episode,
    view: &View,
    assets: &[AssetId],
    reopening: Option<&Reopening>,
) -> Result<(), Failure> {
    for asset in assets {
        let closes = reopening.is_some_and(|reopening| reopening.records.contains_key(asset));
        let releases = reopening.is_some_and(|reopening| reopening.selections.contains(asset));
        if closes && !releases && play::locked(asset, &episode.files, view)?.is_some() {
            say::err(&format!(
                "{asset}: its selection stays locked; --release-selection lets it go"
            ));
        }
        let reason = reopening.map_or("", |reopening| &reopening.reason);
        if view.decision(asset).is_some() && is_repeated(asset, view, reason) {
            say::err(&format!(
                "{asset}: was reopened for this reason already; another --reason reopens it again"
            ));
            continue;
        }
        let limit = view.protocol(asset).map_or(0, |protocol| protocol.max_iterations);
        let raised = args.max_iterations().is_some_and(|wanted| wanted > limit);
        if raised && !closes && view.decision(asset).is_some() {
            say::err(&format!(
                "{asset}: the decision stands, so --max-iterations changes nothing; --reopen --reason TEXT runs again"
            ));
        }
    }
    Ok(())
}
