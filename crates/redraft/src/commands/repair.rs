//! `redraft repair`: restores the files of a workspace or a session from the journal, and keeps what stood there.

mod session;

use super::{WorkspaceArg, files::is_as_written};
use crate::{
    episode::{Left, expected},
    exit::{Code, Failure},
    say,
};
use serde_json::json;
use std::collections::BTreeSet;

/// Restore the files of a workspace or a session from the journal; what differs is kept as NAME.damaged-N
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    workspace: WorkspaceArg,
    /// The files of this gated session; the beginning of its id is enough
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    if let Some(id) = &args.session {
        return session::run(&args.workspace.workspace, id, as_json);
    }
    let episode = args
        .workspace
        .open()
        .map_err(|failure| session::or_session(&args.workspace.workspace, failure))?;
    let none = |place: String| {
        Failure::usage(format!("nothing to repair from: {place}"))
            .help("without a journal the files are all there is; nothing was written")
    };
    let at = episode.root.display();
    let home =
        episode.home().ok_or_else(|| none(format!("no home (.redraft) in or above {at}")))?;
    let place = home.dir().display().to_string();
    let store = episode.store()?.ok_or_else(|| none(format!("{place} has no journal")))?;
    let view = episode.view()?;
    if !view.exists() {
        return Err(none(format!("the journal in {place} does not know {at}")));
    }
    // Nobody drives a run or writes to the workspace meanwhile, and the view is what stands then.
    let desk = episode.desk()?;
    let assets: BTreeSet<_> = view.runs.iter().map(|run| run.asset.clone()).collect();
    let drivers: Result<Vec<_>, _> = assets.iter().map(|a| desk.lock_run(a.as_str())).collect();
    let (_drivers, _lock) = (drivers?, desk.lock_shared()?);
    let view = episode.view()?;
    let left = Left::of(&view, &store, &episode.files)?;
    let (mut restored, mut kept, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    for (path, file) in expected(&view, &store)? {
        if is_as_written(&episode.files, &path, &file)? {
            continue;
        }
        let there = episode.files.root().join(&path).symlink_metadata().is_ok();
        // What a killed command left behind is nobody's change.
        let changed = there && !left.has(&episode.files, &path)?;
        if changed && file.is_input {
            inputs.push(path);
            continue;
        }
        if changed {
            kept.push(episode.files.rename_damaged(&path)?);
        }
        episode.files.write(&path, &file.bytes)?;
        restored.push(path);
    }
    episode.files.sync()?;
    if as_json {
        let fields = json!({"workspace": episode.root.display().to_string(), "restored": restored, "kept": kept, "changed_inputs": inputs});
        say::json("repair", Code::Done, fields);
        return Ok(Code::Done);
    }
    say::out(&format!("Workspace: {}", episode.root.display()));
    tell(&restored, &kept, &inputs);
    Ok(Code::Done)
}

/// What was done, a line for each file.
fn tell(restored: &[String], kept: &[String], inputs: &[String]) {
    restored.iter().for_each(|path| say::out(&format!("Restored: {path}")));
    kept.iter().for_each(|path| say::out(&format!("Kept: {path}")));
    for path in inputs {
        say::out(&format!("Yours: {path} (changed by you; left as it is)"));
    }
    if restored.is_empty() {
        say::out("Every file is as the journal has it.");
    }
}
