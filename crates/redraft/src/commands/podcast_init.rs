//! `redraft podcast init`: makes a workspace for an episode.

use crate::{
    clock,
    commands::block_on,
    episode::{Episode, Shared},
    exit::{Code, Failure},
    say,
};
use redraft_store::{Filter, Home, Store, WorkspaceFiles};
use redraft_workflows::review::{
    episode_yaml,
    files::FileChange,
    model::ModelError,
    workspace::{Created, WorkspaceFact},
};
use serde_json::json;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Make a workspace for an episode
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The episode's id: letters, digits, . _ - inside
    #[arg(long, value_name = "ID")]
    episode_id: String,
    /// The workspace's folder [default: episodes/<ID>]
    #[arg(long, short = 'w', value_name = "DIR")]
    workspace: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let template = episode_yaml::template(&args.episode_id);
    let yaml = template.map_err(|error: ModelError| Failure::usage(error.to_string()))?;
    let folder = Path::new("episodes").join(&args.episode_id);
    let root = args.workspace.clone().unwrap_or(folder);
    refuse_existing(&root)?;
    let created_at = jiff::Timestamp::from_microsecond(clock::now().0).unwrap_or_default();
    let files = BTreeMap::from([("episode.yaml".to_owned(), yaml)]);
    make(&root, &args.episode_id, created_at, files)?;
    let place = root.display().to_string();
    if as_json {
        let fields = json!({"workspace": place, "episode_id": args.episode_id});
        say::json("podcast init", Code::Done, fields);
    } else {
        say::out(&format!("Workspace: {place}"));
        say::err(&format!("Next: redraft podcast ingest {} --transcript FILE", say::at(&root)));
    }
    Ok(Code::Done)
}

fn refuse_existing(root: &Path) -> Result<(), Failure> {
    let taken = match std::fs::read_dir(root) {
        Ok(mut entries) => entries.any(|entry| entry.is_ok_and(|e| e.file_name() != ".redraft")),
        Err(_) => root.exists() || root.is_symlink(),
    };
    let above = root.ancestors().skip(1).find(|folder| folder.exists());
    if let Some(file) = above.filter(|above| !above.is_dir()) {
        let message = format!("{}: {} is not a folder", root.display(), file.display());
        return Err(Failure::usage(message));
    }
    if taken {
        return Err(Failure::usage(format!("{}: already exists", root.display()))
            .help("choose another folder with --workspace"));
    }
    Ok(())
}

/// Whether the journal of a home above knows a workspace at this place, though it may be gone.
pub(crate) fn is_known(root: &Path) -> Result<bool, Failure> {
    let Some(home) = Home::find(Path::new("."))? else { return Ok(false) };
    let Some(store) = Store::open_existing(&home)? else { return Ok(false) };
    let workspace = Some(home.workspace_key(root)?);
    Ok(!store.streams(&Filter { workspace, ..Filter::default() })?.is_empty())
}

/// Makes a workspace: its fact first, then its files.
pub(crate) fn make(
    root: &Path,
    episode_id: &str,
    created_at: jiff::Timestamp,
    files: BTreeMap<String, String>,
) -> Result<Episode, Failure> {
    let folder = WorkspaceFiles::create(root)?;
    let yaml = files.get("episode.yaml").cloned().unwrap_or_default();
    // The description of the episode makes the folder a workspace; the rest follows from the journal.
    folder.write("episode.yaml", yaml.as_bytes())?;
    let episode = Episode::open(root)?;
    let changes: Vec<FileChange> = files
        .iter()
        .map(|(path, text)| FileChange::Write { path: path.clone(), text: text.clone() })
        .collect();
    let fact = WorkspaceFact::Created(Created {
        created_at,
        episode_id: episode_id.to_owned(),
        root_dir: root.display().to_string(),
        files,
    });
    let shared = Shared::of(&episode)?;
    block_on(shared.record(None, &fact, Vec::new(), &changes))?;
    folder.sync()?;
    Episode::open(root)
}
