//! `redraft podcast status`: how each asset stands, what is missing, and what to do next.

mod watch;

use super::{WorkspaceArg, files::is_as_written, findings};
use crate::{
    episode::{Episode, Left, View, expected},
    exit::{Code, Failure},
    play::DEFAULT_ITERATIONS,
    say,
};
use redraft_loop::Verdict;
use redraft_workflows::{
    findings::Finding,
    findings_of,
    review::{
        best::{self, Best},
        model::{AssetId, EpisodeWorkspace, IssueSeverity, ReviewIssue},
        workspace::{Closed, WorkspaceFact},
    },
};
use serde::Serialize;
use serde_json::{Value, json};

/// Show how each asset stands, what is missing, and what to do next
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// Show it again whenever the journal changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

/// How a workspace stands.
struct Status {
    workspace: String,
    episode_id: String,
    assets: Vec<AssetStatus>,
    checklist: Vec<Item>,
    next: Vec<String>,
}

/// One asset, as `--json` shows it.
#[derive(Serialize)]
struct AssetStatus {
    asset_id: AssetId,
    iteration: u32,
    max_iterations: u32,
    verdict: Option<Verdict>,
    outcome: String,
    reason: Option<String>,
    selected_by: Option<String>,
    /// Who let the locked selection go, while nothing is selected anew.
    released_by: Option<String>,
    /// The records that were closed before the present one, oldest first.
    closed: Vec<Closed>,
    /// Whether it was written from another transcript than the one that stands now.
    stale: bool,
    candidates: usize,
    /// The candidate that a person is offered where both sides do not agree; null before the first review.
    best: Option<Best>,
    /// What reviews found and what became of it, oldest first.
    findings: Vec<Finding>,
    blocking: Vec<ReviewIssue>,
    outstanding: Vec<ReviewIssue>,
}

/// One line of the checklist.
#[derive(Serialize)]
struct Item {
    path: String,
    state: &'static str,
}

impl Item {
    fn is_changed(&self) -> bool {
        self.state == "changed"
    }
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let episode = args.workspace.open()?;
    if args.watch {
        return watch::watch(episode, as_json);
    }
    let status = Status::of(&episode)?;
    match as_json {
        true => say::json(COMMAND, Code::Done, status.fields()),
        false => status.lines().iter().for_each(|line| say::out(line)),
    }
    Ok(Code::Done)
}

const COMMAND: &str = "podcast status";

impl Status {
    fn of(episode: &Episode) -> Result<Self, Failure> {
        let (view, checklist) = look(episode)?;
        let state = view.state()?;
        let assets: Vec<AssetStatus> =
            ids(&view, &state).iter().map(|asset| status(asset, &view, &state)).collect();
        let next = next(episode, &view, &assets, &checklist);
        let workspace = episode.root.display().to_string();
        Ok(Self { workspace, episode_id: state.episode_id, assets, checklist, next })
    }

    /// The status as `--json` shows it.
    fn fields(&self) -> Value {
        let Self { workspace, episode_id, assets, checklist, next } = self;
        json!({
            "workspace": workspace,
            "episode_id": episode_id,
            "assets": assets,
            "checklist": checklist,
            "next": next,
        })
    }

    /// The status in words.
    fn lines(&self) -> Vec<String> {
        let mut lines =
            vec![format!("Workspace: {}", self.workspace), format!("Episode: {}", self.episode_id)];
        self.assets.iter().for_each(|asset| asset.tell(&mut lines));
        let odd = self.checklist.iter().filter(|item| item.state != "present");
        lines.extend(odd.map(|item| format!("{}: {}", item.path, item.state)));
        lines.extend(self.next.iter().map(|command| format!("Next: {command}")));
        lines
    }
}

fn ids(view: &View, state: &EpisodeWorkspace) -> Vec<AssetId> {
    let mut ids: Vec<AssetId> = state.assets.iter().map(|asset| asset.asset_id.clone()).collect();
    ids.extend(view.runs.iter().map(|stored| stored.asset.clone()));
    ids.sort();
    ids.dedup();
    ids
}

fn status(id: &AssetId, view: &View, state: &EpisodeWorkspace) -> AssetStatus {
    let protocol = view.protocol(id);
    let asset = state.asset(id);
    let review = asset.and_then(|asset| asset.reviews.last());
    let decision = protocol.as_ref().and_then(|protocol| protocol.decision.clone());
    let picked = view.workspace.pick_since_end(id).map(|picked| picked.by.clone());
    let closed = view.workspace.closed(id);
    let reopened =
        closed.last().map_or(0, |closed| closed.last_iteration.saturating_add(DEFAULT_ITERATIONS));
    let outstanding = review.map(|review| review.issues.clone()).unwrap_or_default();
    let run = view.current_run(id).map(|stored| &stored.run);
    AssetStatus {
        asset_id: id.clone(),
        iteration: review.map_or(0, |review| review.iteration),
        max_iterations: protocol.as_ref().map_or(reopened, |protocol| protocol.max_iterations),
        verdict: review.map(|review| review.verdict),
        outcome: match (&picked, &decision) {
            (Some(by), _) => format!("selected by {by}"),
            (None, Some(decision)) => decision.outcome.as_str().to_owned(),
            (None, None) if protocol.is_some() || !closed.is_empty() => "in_progress".to_owned(),
            (None, None) => "drafted".to_owned(),
        },
        reason: decision.map(|decision| decision.reason),
        selected_by: picked,
        released_by: view.released(id).map(|released| released.by.clone()),
        closed,
        stale: is_stale(id, view),
        candidates: asset.map_or(0, |asset| asset.candidates.len()),
        best: run.and_then(|run| best::of_run(id, run)),
        findings: run.map(|run| findings_of(run).all().to_vec()).unwrap_or_default(),
        blocking: outstanding
            .iter()
            .filter(|issue| issue.severity == IssueSeverity::Error)
            .cloned()
            .collect(),
        outstanding,
    }
}

fn is_stale(id: &AssetId, view: &View) -> bool {
    let Some(ingested) = view.workspace.ingested() else { return false };
    let sources = view.current_run(id).into_iter().flat_map(|stored| &stored.run.opened().sources);
    let mut transcripts = sources.filter(|source| source.name == "transcript");
    transcripts.any(|source| source.sha256 != ingested.source.sha256)
}

impl AssetStatus {
    fn tell(&self, lines: &mut Vec<String>) {
        lines.push(String::new());
        lines.push(format!("Asset: {}", self.asset_id));
        lines.push(format!("Iteration: {}/{}", self.iteration, self.max_iterations));
        let verdict = self.verdict.map_or("none yet", crate::display::verdict_text);
        lines.push(format!("Verdict: {verdict}"));
        lines.push(match &self.reason {
            Some(reason) => format!("Outcome: {} ({reason})", self.outcome),
            None => format!("Outcome: {}", self.outcome),
        });
        if let Some(closed) = self.closed.last() {
            let (record, by, reason) = (closed.number + 1, &closed.reopened_by, &closed.reason);
            lines.push(format!("Record: {record}, reopened by {by}: {reason}"));
        }
        if let Some(by) = &self.released_by {
            lines.push(format!(
                "Selection: let go by {by}; it stays until something is selected anew"
            ));
        }
        lines.push(format!("Blocking issues: {}", self.blocking.len()));
        if self.stale {
            let stale = "Stale: written from another transcript than the one that stands now";
            lines.push(stale.to_owned());
        }
        for issue in &self.outstanding {
            let weight = match issue.severity {
                IssueSeverity::Error => "error",
                IssueSeverity::Warning => "warning",
            };
            lines.push(format!("  {weight}: {}", issue.message));
        }
        if let Some(sum) = findings::sum(&self.findings) {
            lines.push(format!("Findings: {sum}"));
            lines.extend(findings::table(&self.findings).iter().map(|line| format!("  {line}")));
        }
        if let Some(best) = self.best.filter(|_| self.outcome == "needs_human") {
            let Best { iteration, candidate_id, errors, warnings } = best;
            lines.push(format!(
                "Best so far: iteration {iteration} with {errors} errors and {warnings} warnings, candidate {candidate_id}"
            ));
        }
    }
}

/// How often a file that seems changed is looked at again while the journal grows.
const LOOKS: usize = 10;

/// What the journal says, and how the files stand to it. Reviews may be at work: a file that was written after the
/// journal was read is not changed.
fn look(episode: &Episode) -> Result<(View, Vec<Item>), Failure> {
    let view = episode.view()?;
    let items = checklist(episode, &view)?;
    let mut seen = (view, items);
    for _ in 0..LOOKS {
        let view = episode.view()?;
        if !seen.1.iter().any(Item::is_changed) || view.facts() == seen.0.facts() {
            break;
        }
        let items = checklist(episode, &view)?;
        seen = (view, items);
    }
    Ok(seen)
}

/// The workspace's artifacts: what the journal has, and what every episode needs.
fn checklist(episode: &Episode, view: &View) -> Result<Vec<Item>, Failure> {
    let mut items = Vec::new();
    let needed = [
        "episode.yaml",
        "state.json",
        "transcript/transcript.txt",
        "transcript/chapters.txt",
        "summaries/episode/episode_summary.json",
    ];
    let store = episode.store()?.filter(|_| view.exists());
    let written = match &store {
        Some(store) => expected(view, store)?,
        None => Default::default(),
    };
    for path in needed.into_iter().filter(|path| !written.contains_key(*path)) {
        let found = episode.files.read(path, crate::episode::LARGEST_FILE)?;
        items.push(Item {
            path: path.to_owned(),
            state: if found.is_some() { "present" } else { "missing" },
        });
    }
    for (path, file) in &written {
        let state = match is_as_written(&episode.files, path, file)? {
            true => "present",
            false if episode.files.root().join(path).exists() => "changed",
            false => "missing",
        };
        items.push(Item { path: path.clone(), state });
    }
    if let Some(store) = store.filter(|_| items.iter().any(Item::is_changed)) {
        // What a command that was killed, or is at work, has not written again yet is nobody's change.
        let left = Left::of(view, &store, &episode.files)?;
        for item in items.iter_mut().filter(|item| item.is_changed()) {
            if left.has(&episode.files, &item.path)? {
                item.state = "present";
            }
        }
    }
    items.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(items)
}

fn next(episode: &Episode, view: &View, assets: &[AssetStatus], checklist: &[Item]) -> Vec<String> {
    let at = say::at(&episode.root);
    let missing = |path: &str| checklist.iter().any(|i| i.path == path && i.state == "missing");
    let summarised =
        view.workspace.facts().iter().any(|f| matches!(f, WorkspaceFact::Summarised(_)));
    let damaged = checklist
        .iter()
        .any(|item| item.state != "present" && view.exists() && item.path.starts_with("copy/"));
    let mut next = Vec::new();
    if damaged {
        next.push(format!("redraft repair {at}"));
        let changed =
            checklist.iter().filter(|i| i.state == "changed" && i.path.starts_with("copy/"));
        let texts = changed.filter(|i| !i.path.ends_with(".json"));
        next.extend(texts.map(|i| format!("redraft adopt {at} {} (keeps your change)", i.path)));
    }
    if missing("transcript/transcript.txt") {
        next.push(format!("redraft podcast ingest {at} --transcript FILE"));
        return next;
    }
    if !summarised && missing("summaries/episode/episode_summary.json") {
        next.push(format!("redraft podcast summarize {at}"));
    }
    if assets.iter().all(|asset| asset.outcome == "drafted") {
        next.push(format!("redraft podcast review {at} --all"));
    }
    for asset in assets {
        let id = &asset.asset_id;
        match asset.outcome.as_str() {
            "in_progress" => next.push(format!("redraft podcast review {at} --asset-id {id}")),
            "needs_human" => {
                let offer = say::offer(asset.best);
                next.push(format!("redraft podcast pick {at} --asset-id {id}{offer}"));
            }
            _ => {}
        }
    }
    let exported = view.workspace.facts().iter().any(|f| matches!(f, WorkspaceFact::Exported(_)));
    if next.is_empty() && !exported {
        next.push(format!("redraft podcast export {at}"));
    }
    next
}
