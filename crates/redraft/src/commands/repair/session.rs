//! `redraft repair --session`: restores a gated session's files.
//!
//! Absent here: what of them is damaged.

use crate::{
    exit::{Code, Failure},
    gated::{House, Repaired},
    say,
};
use serde_json::json;
use std::path::Path;

/// How a session's files are restored, for whoever looks for a workspace where there are only sessions.
const HOW: &str =
    "the files of a session: redraft repair --session ID; redraft gated list shows the ids";

pub(super) fn run(from: &Path, id: &str, as_json: bool) -> Result<Code, Failure> {
    let house = House::find(from)?.ok_or_else(|| {
        let at = from.display();
        Failure::usage(format!("there is no session: no home (.redraft) in or above {at}"))
            .help("name a folder of its project with --workspace")
    })?;
    let id = house.named(id)?;
    let Repaired { folder, restored, kept, inputs } = house.repair(&id)?;
    if as_json {
        let fields = json!({"session_id": id.as_str(), "folder": folder, "restored": restored, "kept": kept, "changed_inputs": inputs});
        say::json("repair", Code::Done, fields);
        return Ok(Code::Done);
    }
    say::out(&format!("Session: {id}"));
    say::out(&format!("Folder: {}", folder.display()));
    super::tell(&restored, &kept, &inputs);
    Ok(Code::Done)
}

/// That there is no workspace here, with how a session is repaired where there is one.
pub(super) fn or_session(from: &Path, failure: Failure) -> Failure {
    let house = House::find(from).ok().flatten();
    let has_sessions = house.and_then(|house| house.rows().ok()).is_some_and(|all| !all.is_empty());
    let is_workspace = from.join("episode.yaml").exists();
    if has_sessions && !is_workspace { failure.help(HOW) } else { failure }
}
