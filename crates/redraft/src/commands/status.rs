//! `redraft podcast status`: how each asset stands, what is missing, and what to do next.

mod asset;
mod next;
mod watch;

use super::{WorkspaceArg, files::is_as_written};
use crate::{
    episode::{Episode, Left, View, expected},
    exit::{Code, Failure},
    say,
};
use asset::AssetStatus;
use redraft_workflows::review::model::{AssetId, EpisodeWorkspace};
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
    /// Show only this asset, with all there is to tell; may be given several times
    #[arg(long, value_name = "ID")]
    asset_id: Vec<String>,
}

/// How a workspace stands.
struct Status {
    workspace: String,
    episode_id: String,
    assets: Vec<AssetStatus>,
    checklist: Vec<Item>,
    next: Vec<String>,
    /// Whether each asset is told whole, or in one line.
    is_whole: bool,
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
    let only = super::assets(false, &args.asset_id)?;
    let episode = args.workspace.open()?;
    if args.watch {
        return watch::watch(episode, only, as_json);
    }
    let status = Status::of(&episode, &only)?;
    match as_json {
        true => say::json(COMMAND, Code::Done, status.fields()),
        false => status.lines().iter().for_each(|line| say::out(line)),
    }
    Ok(Code::Done)
}

const COMMAND: &str = "podcast status";

impl Status {
    /// How it stands; with assets named, those alone.
    fn of(episode: &Episode, only: &[AssetId]) -> Result<Self, Failure> {
        let (view, checklist) = look(episode)?;
        let state = view.state()?;
        let ids = ids(&view, &state);
        if let Some(unknown) = only.iter().find(|asset| !ids.contains(asset)) {
            return Err(Failure::usage(format!("{unknown}: nothing is known of this asset yet"))
                .help(format!("redraft podcast status {} shows all", say::at(&episode.root))));
        }
        let ids = ids.iter().filter(|id| only.is_empty() || only.contains(id));
        let assets: Vec<AssetStatus> = ids.map(|id| asset::status(id, &view, &state)).collect();
        let next = next::next(episode, &view, &assets, &checklist)?;
        let is_whole = !only.is_empty() || assets.len() == 1;
        let workspace = episode.root.display().to_string();
        let episode_id = state.episode_id;
        Ok(Self { workspace, episode_id, assets, checklist, next, is_whole })
    }

    /// The status as `--json` shows it.
    fn fields(&self) -> Value {
        let Self { workspace, episode_id, assets, checklist, next, is_whole: _ } = self;
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
        for asset in &self.assets {
            match self.is_whole {
                true => asset.tell(&mut lines),
                false => asset.tell_shortly(&mut lines),
            }
        }
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
