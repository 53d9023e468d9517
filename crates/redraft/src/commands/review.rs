//! `redraft podcast review`: write and review assets until both sides agree.

use super::{agents, ingest, podcast_init};
use crate::{
    display,
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
    play::{self, Company, Outcome, Plan},
    say,
};
use redraft_agents::{offline, scripted::Script};
use redraft_engine::{Policy, sha256};
use redraft_loop::{Source, Stop};
use redraft_store::LockGuard;
use redraft_workflows::review::{
    episode_yaml, files,
    model::{ASSET_KINDS, AssetId},
    workspace::{Synced, WorkspaceFact},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Write and review assets until both sides agree
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// The workspace's folder [default: the current one; with --fake-runner a new demo_workspace]
    #[arg(long, short = 'w', value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// An asset to review; may be given several times
    #[arg(long, value_name = "ID", conflicts_with = "all", required_unless_present = "all")]
    pub(crate) asset_id: Vec<String>,
    /// Review all 13 assets, side by side
    #[arg(long)]
    pub(crate) all: bool,
    /// The last iteration [default: 3; an open run keeps its own]
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
}

/// The episode of the built-in script's workspaces.
const DEMO_EPISODE: &str = "demo_ep_001";
const DEMO_TRANSCRIPT: &str = "Host: Hello, this is a two-line episode that shows the loop.\nGuest: And this line is here so that there is something to quote.\n";
const DEMO_CHAPTERS: &str = "00:00:00 Hello\n00:02:00 The quoted line\n";

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let assets = assets(args)?;
    args.creator.iter().chain(&args.reviewer).try_for_each(|name| agents::check_name(name))?;
    let root = root(args)?;
    let script = script(args, &root, &assets)?;
    let episode = Episode::open(&root)?;
    let view = episode.view()?;
    let (plan, script) = plan(args, &view, &assets, script)?;
    if args.dry_run {
        return dry_run(&episode, &plan, &view, &assets, as_json);
    }
    let outcomes = match all_decided(&episode, &view, &assets)? {
        Some(outcomes) => outcomes,
        None => play_all(&episode, view, plan, script, &assets, as_json)?,
    };
    report(&episode, &outcomes, as_json)
}

fn assets(args: &Args) -> Result<Vec<AssetId>, Failure> {
    let names: Vec<&str> = match args.all {
        true => ASSET_KINDS.to_vec(),
        false => args.asset_id.iter().map(String::as_str).collect(),
    };
    let mut assets = Vec::new();
    for name in names {
        let asset = AssetId::parse(name).map_err(|error| Failure::usage(error.to_string()))?;
        if !assets.contains(&asset) {
            assets.push(asset);
        }
    }
    Ok(assets)
}

/// The workspace as it was named; for the built-in script a new one, `demo_workspace`, `demo_workspace_2`, ….
fn root(args: &Args) -> Result<PathBuf, Failure> {
    match &args.workspace {
        Some(root) => Ok(root.clone()),
        None if args.fake_runner && !args.dry_run => {
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
        max_calls: args.max_calls,
        ask_again: args.ask_again,
        stop_on_stagnation: args.stop_on_stagnation,
        // A script says what it says: a repair would only read its next entry out of turn.
        repairs: if scripted { 0 } else { 1 },
        wait: args.wait,
        policy: Policy::STANDARD,
        sources: source.into_iter().collect(),
    };
    Ok((plan, script))
}

/// The agents that the assets' open runs were opened with, creator first.
fn recorded_cast(view: &View, assets: &[AssetId]) -> Result<Option<Vec<String>>, Failure> {
    let open = assets.iter().filter_map(|asset| view.newest_run(asset));
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

/// The outcomes, when every asset is decided without a journal: then nothing at all is written.
fn all_decided(
    episode: &Episode,
    view: &View,
    assets: &[AssetId],
) -> Result<Option<Outcomes>, Failure> {
    if view.pending.is_none() || episode.store()?.is_some() {
        return Ok(None);
    }
    let mut outcomes = Outcomes::new();
    for asset in assets {
        match play::outcome(asset, view)? {
            Some(outcome) => outcomes.push((asset.clone(), Ok(outcome))),
            None => return Ok(None),
        }
    }
    Ok(Some(outcomes))
}

type Outcomes = Vec<(AssetId, Result<Outcome, Failure>)>;

fn play_all(
    episode: &Episode,
    view: View,
    mut plan: Plan,
    script: Option<Script>,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    episode.admit(files::places(assets))?;
    let undecided = assets.iter().any(|asset| view.decision(asset).is_none());
    let needs_offline = undecided
        && std::iter::once(&plan.creator)
            .chain(&plan.reviewers)
            .any(|name| name == agents::OFFLINE);
    let heard = match needs_offline {
        true => agents::hear(episode, &view, episode.store()?.as_ref())?,
        false => None,
    };
    let chapters = view.state()?.chapters.into_iter().map(Into::into).collect();
    let offline = heard.map(|heard| {
        plan.sources.push(heard.source);
        offline::Episode::new(heard.transcript, chapters)
    });
    let cast = match undecided {
        true => agents::cast(&plan, script, offline)?,
        false => BTreeMap::new(),
    };
    if undecided && let Some(note) = agents::note(&plan) {
        say::err(&note);
    }
    let company = agents::company(cast);
    // One thread is enough: calls wait, they do not compute. It also gives a run one order of writes.
    super::block_on(play_together(episode, view, plan, company, assets, as_json))
}

async fn play_together(
    episode: &Episode,
    view: View,
    plan: Plan,
    company: Company,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Outcomes, Failure> {
    let shared = Arc::new(Shared::of(episode)?);
    shared.take_in(view.pending.as_ref()).await?;
    let (plan, company) = (Arc::new(plan), Arc::new(company));
    let screen = display::show(&company.events, assets, as_json);
    let signals = tokio::spawn(crate::display::listen_for_ctrl_c(company.cancel.clone()));
    let mut tasks = Vec::new();
    for asset in assets {
        let (asset, plan, company, shared) =
            (asset.clone(), Arc::clone(&plan), Arc::clone(&company), Arc::clone(&shared));
        tasks.push(tokio::spawn(async move {
            match play::lock(&asset, &plan, &company.cancel, &shared).await {
                Ok(guard) => {
                    let outcome = play::review(&asset, &plan, &company, &shared).await;
                    (asset, outcome, Some(guard))
                }
                Err(failure) => (asset, Err(failure), None),
            }
        }));
    }
    let mut outcomes = Outcomes::new();
    // Until all is settled nobody else drives these runs: the mark speaks of what was written here.
    let mut guards: Vec<Option<LockGuard>> = Vec::new();
    for task in tasks {
        let (asset, outcome, guard) =
            task.await.map_err(|error| Failure::of(Code::Failure, &error))?;
        outcomes.push((asset, outcome));
        guards.push(guard);
    }
    signals.abort();
    drop(company);
    screen.finish().await;
    settle(&shared, &outcomes).await?;
    drop(guards);
    Ok(outcomes)
}

/// Before the command reports its end: all files on disk, and a mark in the journal that they are.
async fn settle(shared: &Shared, outcomes: &Outcomes) -> Result<(), Failure> {
    let played = |asset: &AssetId| outcomes.iter().any(|(a, o)| a == asset && o.is_ok());
    let mut view = shared.view.lock().await;
    view.refresh(&shared.desk.store, &shared.desk.key)?;
    let new = view.runs.iter().filter(|run| played(&run.asset) && !view.is_synced(run));
    let runs: BTreeMap<_, _> = new.map(|run| (run.id.clone(), run.run.facts())).collect();
    let workspace = view.stream_facts();
    drop(view);
    if runs.is_empty() {
        return Ok(());
    }
    shared.write_state().await?;
    shared.files.sync()?;
    let synced = WorkspaceFact::Synced(Synced { runs, workspace });
    shared.desk.append(&synced, Vec::new()).await?;
    Ok(shared.desk.store.checkpoint().await?)
}

fn report(episode: &Episode, outcomes: &Outcomes, as_json: bool) -> Result<Code, Failure> {
    let codes = outcomes.iter().map(|(_, outcome)| match outcome {
        Ok(outcome) => outcome.code(),
        Err(failure) => failure.code,
    });
    let code = Code::worst(codes);
    let root = episode.root.display().to_string();
    if as_json {
        let assets: Vec<Value> = outcomes.iter().map(|(a, o)| as_value(&root, a, o)).collect();
        say::json("podcast review", code, json!({"workspace": root, "assets": assets}));
        return Ok(code);
    }
    say::out(&format!("Workspace: {root}"));
    for (asset, outcome) in outcomes {
        if outcomes.len() > 1 {
            say::out(&format!("Asset: {asset}"));
        }
        match outcome {
            Ok(outcome) => tell(&episode.root, outcome),
            Err(failure) => say::failure("podcast review", failure, false),
        }
    }
    Ok(code)
}

fn tell(root: &Path, outcome: &Outcome) {
    match outcome {
        Outcome::Selected { by, path } => {
            say::out(&format!("Outcome: selected by {by}"));
            say::out(&format!("Selected: {}", root.join(path).display()));
        }
        Outcome::Decided { decision, selected } => {
            let (outcome, reason) = (decision.outcome.as_str(), &decision.reason);
            say::out(&format!("Outcome: {outcome} ({reason})"));
            if let Some(path) = selected {
                say::out(&format!("Selected: {}", root.join(path).display()));
            }
        }
        Outcome::Stopped(stop) => {
            say::out("Outcome: in_progress");
            say::err(&format!("stopped: {}", stop_text(stop)));
            say::err("  help: the same command goes on where it stopped; nothing is asked twice");
        }
    }
}

/// Why a run rests, in words.
pub(crate) fn stop_text(stop: &Stop) -> String {
    match stop {
        Stop::Cap(cap) => cap.clone(),
        Stop::Failed { role, message } => format!("{role} failed: {message}"),
        Stop::Ambiguous { call, role } => format!(
            "call {call} to {role} may have been answered unseen, and may not be asked again; --ask-again N allows it"
        ),
        Stop::Interrupted => "interrupted".to_owned(),
    }
}

fn as_value(root: &str, asset: &AssetId, outcome: &Result<Outcome, Failure>) -> Value {
    let place = |path: &String| format!("{root}/{path}");
    match outcome {
        Ok(Outcome::Selected { by, path }) => {
            json!({"asset_id": asset, "outcome": "selected", "by": by, "selected": place(path)})
        }
        Ok(Outcome::Decided { decision, selected }) => json!({
            "asset_id": asset,
            "outcome": decision.outcome,
            "reason": decision.reason,
            "final_iteration": decision.final_iteration,
            "selected": selected.as_ref().map(place),
        }),
        Ok(Outcome::Stopped(stop)) => {
            json!({"asset_id": asset, "outcome": "in_progress", "stopped": stop_text(stop)})
        }
        Err(failure) => json!({
            "asset_id": asset,
            "error": {"message": failure.message, "causes": failure.causes, "help": failure.help},
            "exit_code": failure.code as u8,
        }),
    }
}

fn dry_run(
    episode: &Episode,
    plan: &Plan,
    view: &View,
    assets: &[AssetId],
    as_json: bool,
) -> Result<Code, Failure> {
    let mut rows = Vec::new();
    for asset in assets {
        let run = view.newest_run(asset).map(|stored| &stored.run);
        let limit = run.map(|run| run.limits().rounds);
        let rounds = plan.max_iterations.or(limit).unwrap_or(play::DEFAULT_ITERATIONS);
        let reviewers = plan.reviewers.len();
        let made: usize = run.map_or(0, |run| {
            run.turns().iter().map(|turn| turn.readings.len()).sum::<usize>() + run.said().count()
        });
        let decided = play::outcome(asset, view)?.is_some();
        let left = (rounds as usize * (1 + reviewers)).saturating_sub(made);
        let calls = if decided { 0 } else { left };
        rows.push(json!({
            "asset_id": asset,
            "calls_without_retries": calls,
            "calls_at_most": plan.max_calls.map_or(calls * (3 + plan.repairs as usize), |cap| cap as usize),
            "files": [
                format!("copy/candidates/{asset}/"),
                format!("copy/reviews/{asset}/"),
                format!("copy/protocol/{asset}/"),
                format!("copy/selected/{asset}.*"),
            ],
        }));
    }
    let (creator, reviewers) = (&plan.creator, &plan.reviewers);
    if as_json {
        let root = episode.root.display().to_string();
        let fields = json!({"workspace": root, "creator": creator, "reviewers": reviewers, "dry_run": rows, "money": "0: these agents are free"});
        say::json("podcast review", Code::Done, fields);
        return Ok(Code::Done);
    }
    say::out(&format!(
        "Would review {} with {creator}, reviewed by {}",
        episode.root.display(),
        reviewers.join(", ")
    ));
    for row in rows {
        let (asset, calls, most) =
            (&row["asset_id"], &row["calls_without_retries"], &row["calls_at_most"]);
        let asset = asset.as_str().unwrap_or_default();
        say::out(&format!("{asset}: up to {calls} calls, {most} with every retry; free of charge"));
    }
    Ok(Code::Done)
}
