//! `redraft podcast review`: write and review assets until both sides agree.

mod caps;
pub(crate) mod casting;
pub(crate) mod dry_run;
pub(crate) mod home_caps;
pub(crate) mod planning;
mod playing;
mod reopening;
mod report;
pub(crate) mod troupe;

pub(crate) use caps::{Unblocks, unblocks};
pub(crate) use report::{releases, stop_help, stop_text};

use super::{assets, configured, ingest, podcast_init, slips};
use crate::{
    config::{Config, Flags},
    episode::Episode,
    exit::{Code, Failure},
    play::Plan,
};
use redraft_agents::scripted::Script;
use redraft_engine::sha256;
use redraft_loop::Source;
use redraft_workflows::review::{episode_yaml, model::AssetId};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Write and review assets until both sides agree
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// The workspace's folder [default: the current one; with --fake-runner a new demo_workspace]
    #[arg(long, short = 'w', value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// An asset to review, such as slug or description; may be given several times (--all reviews all 13)
    #[arg(long, value_name = "ID", conflicts_with = "all", required_unless_present = "all")]
    pub(crate) asset_id: Vec<String>,
    /// Review all 13 assets, side by side
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) flags: Flags,
    /// How often a call that was cut off by a crash may be asked again [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) ask_again: Option<u32>,
    /// Play the built-in script: no work, for demos and tests
    #[arg(long, conflicts_with = "script")]
    pub(crate) fake_runner: bool,
    /// Play this script (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Wait for another driver of the same run instead of exiting with 7
    #[arg(long)]
    pub(crate) wait: bool,
    /// Show what would be called and written, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    reopening: reopening::ReopenArgs,
}

/// The episode of the built-in script's workspaces.
const DEMO_EPISODE: &str = "demo_ep_001";
const DEMO_TRANSCRIPT: &str = "Host: Hello, this is a two-line episode that shows the loop.\nGuest: And this line is here so that there is something to quote.\n";
const DEMO_CHAPTERS: &str = "00:00:00 Hello\n00:02:00 The quoted line\n";

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let assets = assets(args.all, &args.asset_id)?;
    let config = config(args)?;
    let root = root(args)?;
    let script = script(args, &root, &assets)?;
    let episode = Episode::open(&root)?;
    let view = episode.view()?;
    slips::check(&episode, &view, &assets)?;
    let reopening = reopening::reopening(args, &episode, &view, &assets)?;
    reopening::tell(args, &episode, &view, &assets, reopening.as_ref())?;
    if !args.dry_run
        && reopening.is_none()
        && let Some(outcomes) = playing::all_decided(&episode, &view, &assets)?
    {
        return report::report(&episode, &config, &outcomes, as_json);
    }
    let (script, source) = script.unzip();
    let plan = |asset: &AssetId| {
        let plan = planning::plan(args, &config, &view, asset, source.as_ref());
        Ok(Plan { reopening: reopening.clone(), ..plan })
    };
    let parts = troupe::parted(&assets, plan)?;
    let troupes = casting::cast(&episode, &config, script, &view, parts)?;
    if args.dry_run {
        return dry_run::show(&episode, &troupes, &view, as_json);
    }
    let outcomes = playing::play_all(&episode, &config, view, troupes, &assets, as_json)?;
    report::report(&episode, &config, &outcomes, as_json)
}

impl Args {
    /// The last iteration, where it is given for this command.
    fn max_iterations(&self) -> Option<u32> {
        // The flag takes no more than fits.
        self.flags.max_iterations.map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    }
}

/// The configuration as this command sees it.
fn config(args: &Args) -> Result<Config, Failure> {
    let folder = args.workspace.clone().unwrap_or_else(|| PathBuf::from("."));
    configured(&folder, &args.flags)
}

/// The workspace as it was named; for the built-in script a new one, `demo_workspace`, `demo_workspace_2`, ….
fn root(args: &Args) -> Result<PathBuf, Failure> {
    match &args.workspace {
        Some(root) => Ok(root.clone()),
        None if args.fake_runner && !args.dry_run && !args.reopening.is_asked() => {
            let root = free_demo_root()?;
            make_demo_at(&root)?;
            Ok(root)
        }
        None => Ok(PathBuf::from(".")),
    }
}

/// The first place where nothing stands, and of which no journal has runs.
fn free_demo_root() -> Result<PathBuf, Failure> {
    let name = |n: u32| match n {
        1 => PathBuf::from("demo_workspace"),
        n => PathBuf::from(format!("demo_workspace_{n}")),
    };
    for root in (1..).map(name).filter(|root| !root.exists()) {
        if !podcast_init::is_known(&root)? {
            return Ok(root);
        }
    }
    Ok(name(1))
}

/// A workspace for scripts: everything in it happened at the scripts' fixed time.
pub(crate) fn make_demo_at(root: &Path) -> Result<(), Failure> {
    let yaml = episode_yaml::template(DEMO_EPISODE);
    let yaml = yaml.map_err(|error| Failure::of(Code::Failure, &error))?;
    let files = [
        ("episode.yaml", yaml.as_str()),
        ("transcript/transcript.txt", DEMO_TRANSCRIPT),
        ("transcript/chapters.txt", DEMO_CHAPTERS),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let then = jiff::Timestamp::from_second(946_684_800).unwrap_or_default();
    podcast_init::make(root, DEMO_EPISODE, then, BTreeMap::from(files)).map(drop)
}

/// The script that plays, with its hash for the record.
fn script(
    args: &Args,
    root: &Path,
    assets: &[AssetId],
) -> Result<Option<(Script, Source)>, Failure> {
    let source = |version: &str, bytes: &[u8]| Source {
        name: "script".into(),
        version: version.into(),
        sha256: sha256(bytes),
    };
    if let Some(path) = &args.script {
        let (_, bytes) = ingest::read(path)?;
        let text = String::from_utf8(bytes)
            .map_err(|error| Failure::in_file(Code::Usage, path, &error))?;
        let script =
            Script::parse(&text).map_err(|error| Failure::in_file(Code::Usage, path, &error))?;
        return Ok(Some((script, source("file", text.as_bytes()))));
    }
    if !args.fake_runner {
        return Ok(None);
    }
    let transcript = std::fs::read_to_string(root.join("transcript/transcript.txt"));
    let opening = transcript.unwrap_or_else(|_| DEMO_TRANSCRIPT.to_owned());
    let opening = opening.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let script = Script::builtin(assets.iter().map(AssetId::as_str), opening)
        .map_err(|error| Failure::of(Code::Failure, &error))?;
    Ok(Some((script, source("built-in", opening.as_bytes()))))
}
