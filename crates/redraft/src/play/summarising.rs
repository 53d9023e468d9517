//! Summarising an episode: its run is found or opened, driven, and handed over when it is complete.
//!
//! Invariant: what was answered is never asked for again; a transcript that was summarised is summarised again only
//! where a person asks for it, or others are to do it.
//! Absent here: the files of summaries, and the offline agent's.

use super::{
    Company, Plan,
    writing::{self, gives_way},
};
use crate::{
    commands::{ingest::hashes, summarize::files_of},
    episode::{Shared, StoredRun, View},
    exit::{Code, Failure},
};
use redraft_engine::{Rest, sha256};
use redraft_loop::{Opened, Run, Source, Stop};
use redraft_workflows::{
    episode::chunks::Chunk,
    review::workspace::WorkspaceFact,
    summary::{self, Summary},
};
use std::sync::Arc;

/// How the summarising of an episode rests.
pub(crate) enum Summaries {
    /// This run has all of them.
    Complete(Box<Run>),
    /// It cannot go on now.
    Stopped(Stop),
}

/// What is summarised.
pub(crate) struct Summarising {
    pub(crate) workflow: Summary,
    /// The chunks whose texts these are.
    pub(crate) chunks: Vec<Chunk>,
    /// Whether a person asks for it once more.
    pub(crate) again: bool,
}

/// Summarises until the run rests. The caller holds the lock of the summaries.
pub(crate) async fn summarise(
    summarising: &Summarising,
    plan: &Plan,
    company: &Company,
    shared: &Arc<Shared>,
) -> Result<Summaries, Failure> {
    shared.check_state().await?;
    let known = {
        let mut view = shared.view.lock().await;
        view.refresh(&shared.desk.store, &shared.desk.key)?;
        newest(summarising, plan, &view)?.cloned()
    };
    let open = match known {
        Some(stored) if stored.run.decision().is_some() => {
            return Ok(Summaries::Complete(Box::new(stored.run)));
        }
        known => known,
    };
    let (workflow, again) = (&summarising.workflow, summarising.again);
    let rounds = |run: &Run| run.limits().rounds;
    let writing = writing::writing(open, plan, again, rounds, || Ok(opened(workflow, plan)))?;
    match writing::drive(workflow, plan, company, shared, writing).await? {
        (Rest::Stopped(stop), _) => Ok(Summaries::Stopped(stop)),
        // A summary has no gate.
        (Rest::Decided(_) | Rest::Waiting(_), run) => Ok(Summaries::Complete(Box::new(run))),
    }
}

/// The newest run over this transcript that goes on, or that has done what is asked for.
fn newest<'a>(
    summarising: &Summarising,
    plan: &Plan,
    view: &'a View,
) -> Result<Option<&'a StoredRun>, Failure> {
    let transcript = |sources: &[Source]| {
        sources.iter().find(|source| source.name == "transcript").map(|s| s.sha256.clone())
    };
    let over_this =
        |stored: &&StoredRun| transcript(&stored.run.opened().sources) == transcript(&plan.sources);
    let Some(newest) = view.summaries.last().filter(over_this) else { return Ok(None) };
    let stands = match newest.run.decision() {
        None => true,
        Some(_) => {
            let same = newest.run.opened().cast == plan.members();
            let taken_in = is_taken_in(&newest.run, &summarising.chunks, view)?;
            // A command that was killed before its summaries were taken in is made up for first, whoever is
            // configured meanwhile.
            same && !summarising.again || !taken_in && (same || !plan.creator_is_named)
        }
    };
    Ok(Some(newest).filter(|_| stands))
}

/// Whether the summaries of a complete run were ever those of the workspace.
fn is_taken_in(run: &Run, chunks: &[Chunk], view: &View) -> Result<bool, Failure> {
    let files = hashes(&files_of(run, chunks)?);
    let names_them = |fact: &WorkspaceFact| {
        if let WorkspaceFact::Summarised(summarised) = fact {
            summarised.files == files
        } else {
            false
        }
    };
    Ok(view.workspace.facts().iter().any(names_them))
}

/// A new run.
fn opened(workflow: &Summary, plan: &Plan) -> Opened {
    let rounds = u32::try_from(workflow.stretches.len()).unwrap_or(u32::MAX);
    let prompt = |(name, text): (&str, &str)| Source {
        name: format!("prompt/{name}"),
        version: "1".to_owned(),
        sha256: sha256(text),
    };
    let prompts = summary::PROMPTS.map(prompt);
    let sources = plan.sources.iter().cloned().chain(prompts).collect();
    writing::opened(plan, summary::NAME.to_owned(), rounds, summary::shape, sources)
}

/// The run that goes on or would be opened, and how many calls it has left without retries. Nothing is written.
pub(crate) fn rehearsed_summary(
    summarising: &Summarising,
    plan: &Plan,
    view: &View,
) -> Result<(Run, usize), Failure> {
    let goes_on = |stored: &&StoredRun| {
        stored.run.decision().is_some() || !gives_way(stored, plan, summarising.again)
    };
    let run = match newest(summarising, plan, view)?.filter(goes_on) {
        Some(stored) => stored.run.clone(),
        None => Run::open(opened(&summarising.workflow, plan))
            .map_err(|error| Failure::of(Code::Failure, &error))?,
    };
    let left = match run.decision() {
        Some(_) => 0,
        None => (run.limits().rounds as usize + 1).saturating_sub(run.turns().len()),
    };
    Ok((run, left))
}
