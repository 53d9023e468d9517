//! What the journal says about a workspace: its own stream and its runs, folded.
//!
//! Invariant: a refresh reads only what is new, so that many writers of one workspace stay cheap.
//! Absent here: files.

use crate::exit::{Code, Failure};
use redraft_loop::{Fact, Run, RunId};
use redraft_store::{FactError, Filter, Store, StoreError, StreamId, StreamRow, decode_fact};
use redraft_workflows::{
    review::{
        draft, files,
        model::{AssetId, EpisodeWorkspace},
        protocol::{LoopDecision, ProtocolState},
        shape,
        workspace::{self, DecodeError, Released, Workspace, WorkspaceFact},
    },
    summary,
};
use std::collections::BTreeSet;

/// A run of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct StoredRun {
    pub(crate) id: RunId,
    pub(crate) asset: AssetId,
    pub(crate) run: Run,
}

/// What the journal says about a workspace.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    pub(crate) workspace: Workspace,
    stream_facts: u64,
    /// The runs, oldest first.
    pub(crate) runs: Vec<StoredRun>,
    /// Runs that draft, oldest first. What they wrote counts once the workspace's own stream has it.
    pub(crate) drafts: Vec<StoredRun>,
    /// Runs that summarise, oldest first; they count as drafts do.
    pub(crate) summaries: Vec<StoredRun>,
    /// What has to be written down before anything else: the workspace as its files have it.
    pub(crate) pending: Option<WorkspaceFact>,
}

fn damaged(stream: &StreamId, seq: u64, what: impl std::fmt::Display) -> Failure {
    let what = what.to_string();
    StoreError::Damaged { stream: stream.to_string(), seq, what }.into()
}

/// Facts of a later version are no damage: this program is too old for them.
fn newer(error: &dyn std::error::Error) -> Failure {
    Failure::of(Code::Failure, error)
        .help("use the redraft that wrote this journal, or a newer one")
}

/// The facts of a run after the first `after`.
pub(crate) fn facts(store: &Store, stream: &StreamId, after: u64) -> Result<Vec<Fact>, Failure> {
    facts_page(store, stream, after, u64::MAX)
}

/// At most `most` facts of a run, those that follow the first `after`.
pub(crate) fn facts_page(
    store: &Store,
    stream: &StreamId,
    after: u64,
    most: u64,
) -> Result<Vec<Fact>, Failure> {
    let mut facts = Vec::new();
    for entry in store.read_page(stream, after, most)? {
        facts.push(decode_fact(&entry.body).map_err(|error| match error {
            FactError::Version { .. } => newer(&error),
            FactError::Json(_) => damaged(stream, entry.seq, error),
        })?);
    }
    Ok(facts)
}

impl View {
    /// Reads what is new in the journal.
    pub(crate) fn refresh(&mut self, store: &Store, key: &str) -> Result<(), Failure> {
        let filter = Filter { workspace: Some(key.to_owned()), ..Filter::default() };
        let mut rows = store.streams(&filter)?;
        rows.reverse();
        for row in rows {
            match (row.registration.kind.as_str(), row.registration.workflow.as_deref()) {
                ("workspace", _) => self.refresh_stream(store, &row)?,
                (_, Some(shape::NAME)) => refresh_run(&mut self.runs, store, &row)?,
                (_, Some(draft::NAME)) => refresh_run(&mut self.drafts, store, &row)?,
                (_, Some(summary::NAME)) => refresh_run(&mut self.summaries, store, &row)?,
                // Runs of other workflows may share the workspace.
                _ => {}
            }
        }
        Ok(())
    }

    fn refresh_stream(&mut self, store: &Store, row: &StreamRow) -> Result<(), Failure> {
        if row.seq == self.stream_facts {
            return Ok(());
        }
        for entry in store.read_after(&row.stream, self.stream_facts)? {
            let fact = workspace::decode(&entry.body).map_err(|error| match error {
                DecodeError::Version(_) => newer(&error),
                DecodeError::Form(what) => damaged(&row.stream, entry.seq, what),
            })?;
            self.workspace.add(fact);
            self.stream_facts = entry.seq;
        }
        Ok(())
    }

    /// How many facts of the workspace's own stream are known.
    pub(crate) fn stream_facts(&self) -> u64 {
        self.stream_facts
    }

    /// How many facts of the workspace are known, its own and those of its runs.
    pub(crate) fn facts(&self) -> u64 {
        self.stream_facts + self.runs.iter().map(|stored| stored.run.facts()).sum::<u64>()
    }

    /// Whether the journal knows the workspace.
    pub(crate) fn exists(&self) -> bool {
        self.stream_facts > 0
    }

    /// The same runs, and the workspace as it stood when its files were last known to be on disk.
    pub(crate) fn marked(&self) -> Self {
        Self { workspace: self.workspace.marked(), ..self.clone() }
    }

    /// `state.json` as the journal has it.
    pub(crate) fn state(&self) -> Result<EpisodeWorkspace, Failure> {
        let mut workspace = self.workspace.clone();
        if let Some(pending) = &self.pending {
            workspace.add(pending.clone());
        }
        workspace.state(&self.runs_of_assets()).ok_or_else(|| {
            Failure::new(
                Code::Damaged,
                "the journal has runs of this workspace and not its beginning",
            )
            .help("redraft verify names the first bad fact")
        })
    }

    /// The runs with their assets, oldest first.
    fn runs_of_assets(&self) -> Vec<(AssetId, &Run)> {
        self.runs.iter().map(|stored| (stored.asset.clone(), &stored.run)).collect()
    }

    /// The run whose record is the asset's present one: its newest, unless that was closed.
    pub(crate) fn current_run(&self, asset: &AssetId) -> Option<&StoredRun> {
        let newest = self.runs.iter().rev().find(|stored| stored.asset == *asset)?;
        Some(newest).filter(|newest| !self.workspace.is_closed(&newest.id))
    }

    /// The places that runs share and where one that is newer than this has written.
    pub(crate) fn written_by_newer(&self, run: &RunId) -> BTreeSet<String> {
        let newer = self.runs.iter().rev().take_while(|stored| stored.id != *run);
        let turns = newer.flat_map(|stored| &stored.run.turns()[stored.run.opened().past.len()..]);
        turns.flat_map(files::shared_places).collect()
    }

    /// The newest run that drafts an asset.
    pub(crate) fn newest_draft(&self, asset: &AssetId) -> Option<&StoredRun> {
        self.drafts.iter().rev().find(|stored| stored.asset == *asset)
    }

    /// How a person let the asset's selection go, if nothing was selected since.
    pub(crate) fn released(&self, asset: &AssetId) -> Option<&Released> {
        self.workspace.released(asset, &self.runs_of_assets())
    }

    /// Whether that was so when this run ended.
    pub(crate) fn was_released_for(&self, run: &StoredRun) -> bool {
        self.workspace.was_released_for(&run.id, &run.asset, &self.runs_of_assets())
    }

    /// The loop protocol of an asset: of its present run, or as it was taken in.
    pub(crate) fn protocol(&self, asset: &AssetId) -> Option<ProtocolState> {
        if let Some(stored) = self.current_run(asset) {
            return Some(files::protocol(asset, &stored.run));
        }
        self.adopted_protocol(asset).cloned()
    }

    /// The loop protocol of an asset as it was taken in, or is about to be, while its record is not closed.
    pub(crate) fn adopted_protocol(&self, asset: &AssetId) -> Option<&ProtocolState> {
        if self.workspace.reopened(asset).is_some() {
            return None;
        }
        let adopted = match &self.pending {
            Some(WorkspaceFact::Adopted(adopted)) => Some(&**adopted),
            _ => self.workspace.adopted(),
        };
        adopted?.protocols.iter().find(|protocol| protocol.asset_id == *asset)
    }

    /// The last iteration that an asset has, those of closed records included; 0 before the first.
    pub(crate) fn last_iteration(&self, asset: &AssetId) -> Result<u32, Failure> {
        let state = self.state()?;
        let reviews = state.asset(asset).map_or(&[][..], |asset| &asset.reviews);
        let protocol = self.protocol(asset);
        let recorded = protocol.as_ref().and_then(|protocol| protocol.iterations.last());
        let all = [
            reviews.last().map_or(0, |review| review.iteration),
            recorded.map_or(0, |iteration| iteration.iteration),
            self.decision(asset).map_or(0, |decision| decision.final_iteration),
            self.workspace.reopened(asset).map_or(0, |reopened| reopened.last_iteration),
        ];
        Ok(all.into_iter().max().unwrap_or(0))
    }

    /// The decision that locks an asset, if any.
    pub(crate) fn decision(&self, asset: &AssetId) -> Option<LoopDecision> {
        self.protocol(asset)?.decision.filter(LoopDecision::is_terminal)
    }

    /// Whether all files of a run were synced as it stands now.
    pub(crate) fn is_synced(&self, stored: &StoredRun) -> bool {
        self.workspace.synced(&stored.id) >= stored.run.facts()
    }
}

fn refresh_run(runs: &mut Vec<StoredRun>, store: &Store, row: &StreamRow) -> Result<(), Failure> {
    let known = runs.iter().position(|run| run.id.as_str() == row.stream.as_str());
    let have = known.map_or(0, |n| runs[n].run.facts());
    if row.seq == have {
        return Ok(());
    }
    let facts = facts(store, &row.stream, have)?;
    match known {
        Some(n) => facts.iter().for_each(|fact| runs[n].run.apply(fact)),
        None => runs.push(stored(row, facts)?),
    }
    Ok(())
}

fn stored(row: &StreamRow, facts: Vec<Fact>) -> Result<StoredRun, Failure> {
    let run = Run::replay(facts).map_err(|error| damaged(&row.stream, 1, error))?;
    let asset =
        AssetId::parse(&run.opened().subject).map_err(|error| damaged(&row.stream, 1, error))?;
    Ok(StoredRun { id: RunId::new(row.stream.as_str()), asset, run })
}
