//! `redraft podcast summarize`: summaries of the chunks and of the episode.
//!
//! Invariant: whoever is configured to write summarises too; what was answered is paid for once.
//! Absent here: how a run is played, and what the files say.

mod files;
mod offline;
mod playing;

use super::{
    WorkspaceArg, agents, block_on, configured,
    files::check_changes,
    ingest::{CHUNK, hashes},
    review::{
        casting::{self, Seats},
        dry_run, stop_help, stop_text,
    },
    writing,
};
use crate::{
    clock,
    config::{Config, Flags, WriterFlags},
    episode::{Episode, Shared, View},
    exit::{Code, Failure},
    play::{self, Outcome, Plan, Summarising},
    players::OFFLINE,
    say,
};
use redraft_agents::offline::EXTRACTIVE_NOTE;
use redraft_loop::{Run, Stop};
use redraft_workflows::{
    episode::chunks::{self, Chunk},
    review::{
        files::FileChange,
        model::AssetId,
        workspace::{Summarised, WorkspaceFact},
    },
    summary,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Summarise the chunks and the episode
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    #[command(flatten)]
    writer: WriterFlags,
    /// Ask, and pay, again for a transcript that was summarised already
    #[arg(long)]
    again: bool,
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

const COMMAND: &str = "podcast summarize";

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let flags = Flags::from(args.writer.clone());
    let config = configured(&args.workspace.workspace, &flags)?;
    let episode = args.workspace.open()?;
    let view = episode.view()?;
    let heard = agents::hear(&episode, &view, episode.store()?.as_ref())?
        .ok_or_else(|| agents::no_transcript(&episode.root))?;
    let chunks = chunks::chunks(&heard.transcript, CHUNK);
    let places = files::places(chunks.iter().map(|chunk| chunk.chunk_id.as_str()));
    let plan =
        writing::plan(&config, &args.writer, view.summaries.last().into_iter(), "summarises")?;
    let plan = Plan { ask_again: args.ask_again, wait: args.wait, ..plan };
    if plan.creator == OFFLINE && !args.dry_run {
        let chapters = view.state()?.chapters.into_iter().map(Into::into).collect();
        let files = offline::write(heard.transcript, chapters, &chunks)?;
        episode.admit(files.keys())?;
        check_changes(&episode, &view, files.keys())?;
        block_on(record(&Shared::of(&episode)?, &view, OFFLINE, &files))?;
        tell(&episode, OFFLINE, chunks.len(), files.keys(), as_json);
        return Ok(Code::Done);
    }
    let runs: Vec<&Run> = writing::goes_on(view.summaries.last().into_iter(), &plan).collect();
    let seats = Seats { episode: &episode, config: &config, script: None, view: &view };
    let (plan, cast) = casting::seated(&seats, plan, &[], &runs)?;
    let workflow = playing::workflow(&plan, &chunks);
    let count = chunks.len();
    let summarising = Summarising { workflow, chunks, again: args.again };
    if args.dry_run {
        let (run, left) = play::rehearsed_summary(&summarising, &plan, &view)?;
        let subject = AssetId::parse(summary::NAME).map_err(|e| Failure::of(Code::Failure, &e))?;
        let open = Some(&run).filter(|run| run.facts() > 1);
        let workflow = &summarising.workflow;
        let mut row = dry_run::bounded(&subject, &plan, &cast, left, open, Some((&run, workflow)));
        row.files = vec!["summaries/".to_owned()];
        return Ok(show_dry_run(&episode, &plan, &row, as_json));
    }
    episode.admit(&places)?;
    check_changes(&episode, &view, &places)?;
    match playing::play(&episode, &config, &view, summarising, (plan, cast), as_json)? {
        Ok((by, files)) => {
            tell(&episode, &by, count, files.keys(), as_json);
            Ok(Code::Done)
        }
        Err(stop) => Ok(tell_stop(&episode, &config, &stop, as_json)),
    }
}

/// Takes the summaries into the workspace.
async fn record(
    shared: &Shared,
    view: &View,
    by: &str,
    files: &BTreeMap<String, String>,
) -> Result<(), Failure> {
    let fact = Summarised { at: clock::now(), by: by.to_owned(), files: hashes(files) };
    let contents = files.values().map(|text| text.clone().into_bytes()).collect();
    let write = |(path, text): (&String, &String)| FileChange::Write {
        path: path.clone(),
        text: text.clone(),
    };
    let changes: Vec<FileChange> = files.iter().map(write).collect();
    let fact = WorkspaceFact::Summarised(fact);
    shared.record(view.pending.as_ref(), &fact, contents, &changes).await
}

fn tell<'a>(
    episode: &Episode,
    by: &str,
    chunks: usize,
    files: impl Iterator<Item = &'a String>,
    as_json: bool,
) {
    let root = episode.root.display().to_string();
    let note = (by == OFFLINE).then_some(EXTRACTIVE_NOTE);
    if as_json {
        let files: Vec<&String> = files.collect();
        let mut fields = json!({"workspace": root, "by": by, "files": files});
        if let Some(note) = note {
            fields["note"] = json!(note);
        }
        return say::json(COMMAND, Code::Done, fields);
    }
    say::out(&format!("Workspace: {root}"));
    say::out(&format!("Summaries: {}, 1 episode", say::count(chunks, "chunk")));
    match note {
        Some(note) => say::err(&format!("The offline agent wrote them. They are {note}.")),
        None => say::err(&format!("{by} wrote them.")),
    }
}

fn tell_stop(episode: &Episode, config: &Config, stop: &Stop, as_json: bool) -> Code {
    let (root, code) = (episode.root.display().to_string(), Outcome::Stopped(stop.clone()).code());
    if as_json {
        say::json(COMMAND, code, json!({"workspace": root, "stopped": stop_text(stop)}));
        return code;
    }
    say::out(&format!("Workspace: {root}"));
    say::err(&format!("stopped: {}", stop_text(stop)));
    say::err(&format!("  help: {}", stop_help(stop, None, Some(config))));
    code
}

fn show_dry_run(episode: &Episode, plan: &Plan, row: &dry_run::Row, as_json: bool) -> Code {
    let (root, by) = (episode.root.display().to_string(), &plan.creator);
    if as_json {
        let fields =
            json!({"workspace": root, "creator": by, "dry_run": [row], "caps": plan.run_caps()});
        say::json(COMMAND, Code::Done, fields);
        return Code::Done;
    }
    say::out(&format!("Would summarise {root} with {by}"));
    dry_run::tell(row);
    Code::Done
}

/// Where summaries that an agent wrote come from, as one provenance entry.
fn provenance(run: &Run) -> Value {
    let by = play::writer(run);
    let model = run.opened().cast.first().and_then(|member| member.model.clone());
    let metadata = json!({"run": run.opened().run, "model": model});
    json!({"kind": "agent", "ref": by, "created_at": null, "metadata": metadata})
}

/// The files of the summaries that a run has.
pub(crate) fn files_of(run: &Run, chunks: &[Chunk]) -> Result<BTreeMap<String, String>, Failure> {
    let at = run.last_turn().map_or(run.opened().at, |turn| turn.at);
    let at = jiff::Timestamp::from_microsecond(at.0).unwrap_or_default();
    let ids = chunks.iter().map(|chunk| chunk.chunk_id.as_str());
    let episode = summary::of_episode(run)
        .ok_or_else(|| Failure::new(Code::Damaged, "the run has no summary of the episode"))?;
    let stretches = ids.zip(summary::of_stretches(run));
    files::files(stretches, &episode, at, &provenance(run))
}
