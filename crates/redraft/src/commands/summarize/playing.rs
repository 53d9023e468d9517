//! Summaries by a model, a program or a person: playing their run, and taking in what it has.
//!
//! Absent here: telling how it went.

use super::{files_of, record};
use crate::{
    commands::{
        block_on,
        ingest::hashes,
        review::home_caps,
        together::{settle_programs, together},
    },
    config::Config,
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
    play::{self, Cast, Plan, Summaries, Summarising},
};
use redraft_loop::Stop;
use redraft_workflows::{
    Part,
    episode::chunks::Chunk,
    review::{model::AssetId, workspace::WorkspaceFact},
    summary::{self, Summary},
};
use std::{collections::BTreeMap, sync::Arc};

/// Who wrote the files that stand now, and these; or why there are none yet.
type Played = Result<(String, BTreeMap<String, String>), Stop>;

/// The workflow over these chunks.
pub(super) fn workflow(plan: &Plan, chunks: &[Chunk]) -> Summary {
    let none = || Part::new("episode", "{}");
    let brief = plan.briefing.brief.as_ref();
    Summary {
        stretches: chunks.iter().map(|chunk| chunk.text.clone()).collect(),
        episode: brief.map_or_else(none, |brief| brief.episode.clone()),
    }
}

/// Plays the run to its rest; complete summaries are taken into the workspace.
pub(super) fn play(
    episode: &Episode,
    config: &Config,
    view: &View,
    summarising: Summarising,
    (plan, cast): (Plan, Cast),
    as_json: bool,
) -> Result<Played, Failure> {
    let shared = Arc::new(Shared::of(episode)?);
    let subject = AssetId::parse(summary::NAME).map_err(|e| Failure::of(Code::Failure, &e))?;
    let (summarising, plan) = (Arc::new(summarising), Arc::new(plan));
    let played = block_on(async {
        shared.take_in(view.pending.as_ref()).await?;
        home_caps::hold(&shared.desk.store, config).await?;
        let subjects = std::slice::from_ref(&subject);
        let played = together(subjects, as_json, |_, watch| {
            let company = watch.over(cast.clone());
            let (plan, shared) = (Arc::clone(&plan), Arc::clone(&shared));
            let summarising = Arc::clone(&summarising);
            async move {
                let guard = play::lock("summary:episode", &plan, &company.cancel, &shared).await?;
                let rest = play::summarise(&summarising, &plan, &company, &shared).await?;
                Ok::<_, Failure>((rest, guard))
            }
        });
        let mut played = played.await?;
        let (_, played) =
            played.pop().ok_or_else(|| Failure::new(Code::Failure, "nobody played"))?;
        let (rest, _guard) = played?;
        match rest {
            Summaries::Stopped(stop) => Ok(Err(stop)),
            Summaries::Complete(run) => {
                let (by, files) = (play::writer(&run), files_of(&run, &summarising.chunks)?);
                if !stand(&files, &shared).await {
                    record(&shared, view, &by, &files).await?;
                }
                Ok(Ok((by, files)))
            }
        }
    });
    settle_programs();
    played
}

/// Whether these are the summaries that the workspace has now.
async fn stand(files: &BTreeMap<String, String>, shared: &Shared) -> bool {
    let view = shared.view.lock().await;
    let newest = view.workspace.facts().iter().rev().find_map(|fact| {
        if let WorkspaceFact::Summarised(summarised) = fact { Some(summarised) } else { None }
    });
    newest.is_some_and(|newest| newest.files == hashes(files))
}
