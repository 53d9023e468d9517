//! `redraft podcast draft`: writes first candidates without a review.
//!
//! Invariant: whoever is configured to write drafts too; what was answered is paid for once.
//! Absent here: how a run is played.

mod offline;
mod report;

use super::{
    WorkspaceArg, assets, block_on, configured,
    review::{
        casting::{self, Seats},
        home_caps,
        troupe::{self, Troupe, Troupes},
    },
    slips,
    together::{settle_programs, together},
    writing,
};
use crate::{
    config::{Config, Flags, WriterFlags},
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
    play::{self, Batch, Plan},
    players::OFFLINE,
    say,
};
use redraft_loop::Run;
use redraft_workflows::review::{files, model::AssetId};
use report::Outcomes;
use std::sync::Arc;

/// Write first candidates; a later review starts from the newest
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// An asset to draft; may be given several times
    #[arg(long, value_name = "ID", conflicts_with = "all", required_unless_present = "all")]
    asset_id: Vec<String>,
    /// Draft all 13 assets
    #[arg(long)]
    all: bool,
    /// How many candidates of each; fewer when there is nothing new to say [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    candidates: Option<u32>,
    #[command(flatten)]
    writer: WriterFlags,
    /// How often a call that was cut off by a crash may be asked again [default: 1]
    #[arg(long, value_name = "N")]
    ask_again: Option<u32>,
    /// Wait for another driver of the same run instead of exiting with 7
    #[arg(long)]
    wait: bool,
    /// Show what would be called and written, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let assets = assets(args.all, &args.asset_id)?;
    let flags = Flags::from(args.writer.clone());
    let config = configured(&args.workspace.workspace, &flags)?;
    let episode = args.workspace.open()?;
    let view = episode.view()?;
    slips::check(&episode, &view, &assets)?;
    let plans = troupe::parted(&assets, |asset| plan(args, &config, &view, asset))?;
    let Some((first, _)) = plans.first() else { return Ok(Code::Done) };
    let batch = Arc::new(Batch::of(&assets, first, &view));
    let is_offline = |plan: &Plan| plan.creator == OFFLINE && !args.dry_run;
    let (extracted, asked): (Vec<_>, Vec<_>) =
        plans.into_iter().partition(|(plan, _)| is_offline(plan));
    let troupes = cast(&episode, &config, &view, asked)?;
    if args.dry_run {
        return report::dry_run(&episode, &troupes, &batch, &view, as_json);
    }
    let extracted = extracted.into_iter().flat_map(|(_, assets)| assets);
    let extracted: Vec<AssetId> = extracted.filter(|asset| !batch.done().contains(asset)).collect();
    let mut candidates = Vec::new();
    if !extracted.is_empty() {
        candidates = offline::write(&episode, &view, &extracted, args.candidates.unwrap_or(1))?;
    }
    if troupes.is_empty() {
        report::of_offline(&episode, &extracted, &candidates, as_json);
        return Ok(Code::Done);
    }
    let mut outcomes = play(&episode, &config, &view, (&troupes, &batch), as_json)?;
    outcomes.extend(report::drafted_offline(&extracted, &candidates));
    report::report(&episode, &config, &troupes, &outcomes, as_json)
}

/// Who drafts the assets that somebody is asked about.
fn cast(
    episode: &Episode,
    config: &Config,
    view: &View,
    parts: Vec<(Plan, Vec<AssetId>)>,
) -> Result<Troupes, Failure> {
    let seats = Seats { episode, config, script: None, view };
    let troupe = |(plan, assets): (Plan, Vec<AssetId>)| {
        let named: Vec<&AssetId> = assets.iter().collect();
        let newest = assets.iter().filter_map(|asset| view.newest_draft(asset));
        let runs: Vec<&Run> = writing::goes_on(newest, &plan).collect();
        let (plan, cast) = casting::seated(&seats, plan, &named, &runs)?;
        Ok(Arc::new(Troupe { plan, cast, assets }))
    };
    parts.into_iter().map(troupe).collect()
}

/// Who writes and within which bounds: as flags say, as the asset's open run was opened, or as it is configured.
fn plan(args: &Args, config: &Config, view: &View, asset: &AssetId) -> Result<Plan, Failure> {
    let newest = view.newest_draft(asset).into_iter();
    let plan = writing::plan(config, &args.writer, newest, "drafts")?;
    let (ask_again, wait) = (args.ask_again, args.wait);
    Ok(Plan { max_iterations: args.candidates, ask_again, wait, ..plan })
}

/// Plays the drafts of all troupes side by side.
fn play(
    episode: &Episode,
    config: &Config,
    view: &View,
    (troupes, batch): (&Troupes, &Arc<Batch>),
    as_json: bool,
) -> Result<Outcomes, Failure> {
    let assets: Vec<AssetId> = troupes.iter().flat_map(|troupe| troupe.assets.clone()).collect();
    episode.admit(files::places(&assets))?;
    for troupe in troupes {
        let named: Vec<&AssetId> = troupe.assets.iter().collect();
        casting::projects_prompts(&troupe.plan, &named).iter().for_each(|note| say::err(note));
    }
    let outcomes =
        block_on(play_together(episode, config, view, (troupes, batch), &assets, as_json));
    settle_programs();
    outcomes
}

async fn play_together(
    episode: &Episode,
    config: &Config,
    view: &View,
    (troupes, batch): (&Troupes, &Arc<Batch>),
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    let shared = Arc::new(Shared::of(episode)?);
    shared.take_in(view.pending.as_ref()).await?;
    home_caps::hold(&shared.desk.store, config).await?;
    together(assets, as_json, |asset, watch| {
        let (troupe, shared) = (troupe::of(troupes, &asset), Arc::clone(&shared));
        let batch = Arc::clone(batch);
        async move {
            let troupe = troupe?;
            let company = watch.over(troupe.cast.clone());
            let lock = format!("draft:{asset}");
            let _guard = play::lock(&lock, &troupe.plan, &company.cancel, &shared).await?;
            play::draft(&asset, &batch, &troupe.plan, &company, &shared).await
        }
    })
    .await
}
