//! `redraft gated status`: where a session stands, and what it waits for.
//!
//! Invariant: it changes nothing, but for making up for a command that was killed; what is damaged is told, with exit
//! code 6.

use super::{Where, telling};
use crate::{
    exit::{Code, Failure},
    gated::{trouble, waits},
    say,
};
use serde_json::json;

/// Where a session stands, what was approved, and what it waits for
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session; the beginning of its id is enough
    id: String,
    #[command(flatten)]
    place: Where,
}

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let desk = args.place.look(&args.id)?;
    let session = &desk.session;
    if as_json {
        let mut fields = telling::session_fields(&desk);
        fields["waits"] = telling::waits_fields(waits(&desk)?.as_ref());
        fields["busy"] = json!(desk.is_busy);
        fields["session"] = json!(session.told());
        fields["folder"] = json!(desk.folder.place(""));
        say::json_line("gated status", Code::Done, fields);
        return Ok(Code::Done);
    }
    if let Some(review) = telling::review(&desk) {
        telling::tell_review(&review);
    }
    say::out(&telling::line(session));
    say::out(&format!("session: {}", desk.id()));
    say::out(&format!("profile: {}", session.begun.profile.name()));
    for (key, value) in &session.begun.settings.context {
        say::out(&format!("  {key}: {value}"));
    }
    for (role, agent) in session.providers() {
        say::out(&format!("{role}: {agent}"));
    }
    for approval in &session.approvals {
        let (phase, iteration, by) = (approval.phase, approval.iteration, &approval.by);
        say::out(&format!("approved: {phase} of iteration {iteration} by {by}"));
    }
    if let Some(error) = trouble(&desk)? {
        say::out(&format!("last error: {error}"));
    }
    say::out(&format!("folder: {}", desk.folder.place("").display()));
    let waits = waits(&desk)?;
    telling::tell_waits(waits.as_ref());
    match desk.is_busy {
        true => say::err("another process works on it"),
        false => telling::tell_next(&desk, waits.as_ref()),
    }
    Ok(Code::Done)
}
