//! What the reviews of one command are told: the episode's names, and for models the whole brief.
//!
//! Invariant: built once, before any call; what plays a part is named with its hash in a run's first fact.
//! Absent here: what the texts say; see the workflow's `brief`.

mod project;
mod sources;
mod summaries;

pub(crate) use project::{all_by_step, built_in_by_step, templates, templates_by_step};
pub(crate) use sources::{names_source, prompt_source, prompt_sources, prompts_of_project};

use crate::{
    episode::{Episode, View},
    exit::Failure,
};
use redraft_workflows::{
    episode::Transcript,
    review::{
        brief::{Brief, EpisodeCard, TRANSCRIPT_BUDGET, excerpt},
        names::Names,
    },
};
use std::sync::Arc;

/// What the reviews of one command are told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Briefing {
    /// The names that every text has to keep to, whoever writes it.
    pub(crate) names: Arc<Names>,
    /// What models and people read; `None` where nobody plays who reads it.
    pub(crate) brief: Option<Arc<Brief>>,
}

/// The names of an episode.
pub(crate) fn names(episode: &Episode, transcript: Option<&Transcript>) -> Names {
    let speakers = transcript.map(Transcript::speakers).unwrap_or_default();
    Names::new(&episode.yaml, &speakers)
}

/// The brief of an episode: templates, the project's own among them, and what is known and was said.
pub(crate) fn brief(
    episode: &Episode,
    view: &View,
    names: &Names,
    transcript: Option<&Transcript>,
) -> Result<Brief, Failure> {
    let chapters = view.state()?.chapters;
    let excerpt = match transcript {
        Some(said) => Some(excerpt(said, &summaries::read(episode, view)?, TRANSCRIPT_BUDGET)),
        None => None,
    };
    Ok(Brief {
        templates: templates(&episode.root)?,
        episode: EpisodeCard::new(&episode.yaml, names, &chapters).part(),
        transcript: excerpt,
    })
}
