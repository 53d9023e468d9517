//! `redraft podcast review`: write and review assets until both sides agree.

mod playing;
mod reopening;
mod report;

pub(crate) use report::stop_text;

use super::{agents, assets, ingest, podcast_init};
use crate::{
    briefing::Briefing,
    episode::{Episode, View},
    exit::{Code, Failure},
    play::{Caps, Plan},
};
use redraft_agents::scripted::Script;
use redraft_engine::{Policy, sha256};
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
    /// The last iteration, counted from the asset's first [default: 3, or 3 after those of a record that is
    /// reopened; an open run keeps its own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) max_iterations: Option<u32>,
    /// The most calls of one asset's run, retries and repairs included
    #[arg(long, value_name = "N")]
    pub(crate) max_calls: Option<u32>,
    /// How often a call that was cut off by a crash may be asked again [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) ask_again: Option<u32>,
    /// Play the built-in script: no work, for demos and tests
    #[arg(long, conflicts_with = "script")]
    pub(crate) fake_runner: bool,
    /// Play this script (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Who writes: offline, scripted
    #[arg(long, value_name = "AGENT")]
    pub(crate) creator: Option<String>,
    /// Who reviews; several review side by side
    #[arg(long, value_name = "AGENT")]
    pub(crate) reviewer: Vec<String>,
    /// End when a candidate comes back that was there before
    #[arg(long)]
    pub(crate) stop_on_stagnation: bool,
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
    args.creator.iter().chain(&args.reviewer).try_for_each(|name| agents::check_name(name))?;
    let root = root(args)?;
    let script = script(args, &root, &assets)?;
    let episode = Episode::open(&root)?;
    let view = episode.view()?;
    let reopening = reopening::reopening(args, &episode, &view, &assets)?;
    reopening::tell(args, &episode, &view, &assets, reopening.as_ref())?;
    let (plan, script) = plan(args, &view, &assets, script)?;
    let plan = Plan { reopening, ..plan };
    if args.dry_run {
        return report::dry_run(&episode, &plan, &view, &assets, as_json);
    }
    let outcomes = match playing::all_decided(&episode, &plan, &view, &assets)? {
        Some(outcomes) => outcomes,
        None => playing::play_all(&episode, view, plan, script, &assets, as_json)?,
    };
    report::report(&episode, &outcomes, as_json)
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

/// Who plays: as asked for, as an open run was opened, or the default.
fn plan(
    args: &Args,
    view: &View,
    assets: &[AssetId],
    script: Option<(Script, Source)>,
) -> Result<(Plan, Option<Script>), Failure> {
    let default = if script.is_some() { agents::SCRIPTED } else { agents::OFFLINE };
    // An open run goes on with the agents it was opened with; a script that was given plays scripted roles only.
    let recorded = recorded_cast(view, assets)?
        .filter(|cast| script.is_none() || cast.iter().all(|agent| agent == agents::SCRIPTED));
    let mut recorded = recorded.unwrap_or_default().into_iter();
    let creator = args.creator.clone().or(recorded.next()).unwrap_or(default.to_owned());
    let recorded: Vec<String> = recorded.collect();
    let reviewers = match (args.reviewer.is_empty(), recorded.is_empty()) {
        (false, _) => args.reviewer.clone(),
        (true, false) => recorded,
        (true, true) => vec![default.to_owned()],
    };
    let scripted = creator == agents::SCRIPTED || reviewers.iter().any(|r| r == agents::SCRIPTED);
    let (script, source) = script.unzip();
    let plan = Plan {
        creator,
        reviewers,
        max_iterations: args.max_iterations,
        caps: Caps { calls: args.max_calls, ..Caps::default() },
        ask_again: args.ask_again,
        stop_on_stagnation: args.stop_on_stagnation,
        // A script says what it says: a repair would only read its next entry out of turn.
        repairs: if scripted { 0 } else { 1 },
        wait: args.wait,
        policy: Policy::STANDARD,
        sources: source.into_iter().collect(),
        reopening: None,
        briefing: Briefing::default(),
    };
    Ok((plan, script))
}

/// The agents that the assets' open runs were opened with, creator first.
fn recorded_cast(view: &View, assets: &[AssetId]) -> Result<Option<Vec<String>>, Failure> {
    let open = assets.iter().filter_map(|asset| view.current_run(asset));
    let open = open.filter(|stored| stored.run.decision().is_none());
    let mut casts = open.map(|stored| {
        stored.run.opened().cast.iter().map(|member| member.agent.clone()).collect::<Vec<_>>()
    });
    let first = casts.next();
    if casts.any(|other| Some(&other) != first.as_ref()) {
        return Err(Failure::usage("the open runs of these assets have different agents")
            .help("review them one by one"));
    }
    Ok(first)
}
