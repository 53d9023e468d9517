//! `redraft podcast draft`: writes first candidates without a review.
//!
//! Invariant: whoever is configured to write drafts too; what was answered is paid for once.
//! Absent here: how a run is played.

mod offline;
mod report;

use super::{
    WorkspaceArg, agents, assets, block_on,
    review::{
        casting::{self, Cast},
        home_caps,
    },
    slips,
    together::{settle_programs, together},
    writing,
};
use crate::{
    config::{CallFlags, Config, Flags, Surroundings},
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
    calls: CallFlags,
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
    let flags = Flags::from(args.calls.clone());
    let config = Config::load(&Surroundings::of_process(&args.workspace.workspace), &flags)?;
    let episode = args.workspace.open()?;
    let view = episode.view()?;
    slips::check(&episode, &view, &assets)?;
    let newest = || assets.iter().filter_map(|asset| view.newest_draft(asset));
    let plan = writing::plan(&config, &args.calls, newest(), "drafts")?;
    let (ask_again, wait) = (args.ask_again, args.wait);
    let plan = Plan { max_iterations: args.candidates, ask_again, wait, ..plan };
    if plan.creator == OFFLINE && !args.dry_run {
        let count = args.candidates.unwrap_or(1);
        let candidates = offline::write(&episode, &view, &assets, count)?;
        report::of_offline(&episode, &assets, &candidates, as_json);
        return Ok(Code::Done);
    }
    let named: Vec<&AssetId> = assets.iter().collect();
    let runs: Vec<&Run> = writing::goes_on(newest(), &plan).collect();
    let (plan, cast) = casting::seated(&episode, &config, plan, None, &view, &named, &runs)?;
    let batch = Batch::of(&assets, &plan, &view);
    if args.dry_run {
        return report::dry_run(&episode, &plan, &cast, &view, (&assets, &batch), as_json);
    }
    episode.admit(files::places(&assets))?;
    casting::projects_prompts(&plan, &named).iter().for_each(|note| say::err(note));
    let by = plan.creator.clone();
    let outcomes =
        block_on(play_all(&episode, &config, &view, (plan, cast), (&assets, batch), as_json));
    settle_programs();
    report::report(&episode, &config, &by, &outcomes?, as_json)
}

async fn play_all(
    episode: &Episode,
    config: &Config,
    view: &View,
    (plan, cast): (Plan, Cast),
    (assets, batch): (&[AssetId], Batch),
    as_json: bool,
) -> Result<Outcomes, Failure> {
    let shared = Arc::new(Shared::of(episode)?);
    shared.take_in(view.pending.as_ref()).await?;
    home_caps::hold(&shared.desk.store, config).await?;
    let (plan, batch) = (Arc::new(plan), Arc::new(batch));
    together(agents::company(cast), assets, as_json, |asset, company| {
        let (plan, shared) = (Arc::clone(&plan), Arc::clone(&shared));
        let batch = Arc::clone(&batch);
        async move {
            let lock = format!("draft:{asset}");
            let _guard = play::lock(&lock, &plan, &company.cancel, &shared).await?;
            play::draft(&asset, &batch, &plan, &company, &shared).await
        }
    })
    .await
}
