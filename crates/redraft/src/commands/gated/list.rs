//! `redraft gated list`: the sessions of a home, the newest first.

use super::Where;
use crate::{
    exit::{Code, Failure},
    gated::House,
    say,
};
use redraft_loop::RunId;
use redraft_workflows::{
    gated::{Session, Status},
    time::rfc3339,
};
use serde_json::{Value, json};

/// List the sessions of a home, the one that changed last first
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only those that are doing so
    #[arg(long, value_name = "STATUS", value_parser = clap::builder::PossibleValuesParser::new(STATUSES.map(Status::name)))]
    status: Option<String>,
    /// Only those of this profile
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    #[command(flatten)]
    place: Where,
}

const STATUSES: [Status; 5] =
    [Status::InProgress, Status::Success, Status::Failed, Status::Error, Status::Cancelled];

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let house = House::find(&args.place.workspace)?;
    let mut code = Code::Done;
    let (mut sessions, mut unread) = (Vec::new(), Vec::new());
    for row in house.iter().map(House::rows).collect::<Result<Vec<_>, _>>()?.concat() {
        let id = RunId::new(row.stream.as_str());
        match house.as_ref().map(|house| house.session(&id)) {
            Some(Ok(session)) => sessions.extend(wanted(args, &session).then_some(session)),
            Some(Err(failure)) => {
                code = Code::Damaged;
                unread.push((id, failure));
            }
            None => {}
        }
    }
    // The bound is on what is shown, and so comes after the order.
    sessions.sort_by_key(|session| std::cmp::Reverse(session.run.now()));
    sessions.truncate(args.limit);
    if as_json {
        let rows: Vec<Value> = sessions.iter().map(row).collect();
        let unread: Vec<Value> = unread
            .iter()
            .map(|(id, failure)| json!({"session_id": id.as_str(), "error": failure.message}))
            .collect();
        say::json_line("gated list", code, json!({"sessions": rows, "unreadable": unread}));
        return Ok(code);
    }
    sessions.iter().for_each(|session| say::out(&line(session)));
    for (id, failure) in &unread {
        say::err(&format!("{id}: {}", failure.message));
    }
    if sessions.is_empty() && unread.is_empty() {
        say::err(match args.status.is_some() || args.profile.is_some() {
            true => "No such sessions. Without --status and --profile all are listed.",
            false => "No sessions. Begin one: redraft gated init --profile NAME …",
        });
    }
    Ok(code)
}

fn wanted(args: &Args, session: &Session) -> bool {
    let status = args.status.as_deref().is_none_or(|status| status == session.status().name());
    let profile = args.profile.as_deref();
    status && profile.is_none_or(|profile| profile == session.begun.profile.name())
}

fn line(session: &Session) -> String {
    let id = &session.run.opened().run;
    let (phase, status, iteration) = (session.state, session.status(), session.iteration());
    let (subject, at) = (&session.run.opened().subject, rfc3339(session.run.now()));
    format!("{id}  {phase:<11}  {status:<11}  {iteration}  {at}  {subject}")
}

fn row(session: &Session) -> Value {
    json!({
        "session_id": session.run.opened().run.as_str(),
        "profile": session.begun.profile.name(),
        "subject": session.run.opened().subject,
        "phase": session.state,
        "status": session.status(),
        "iteration": session.iteration(),
        "created_at": rfc3339(session.run.opened().at),
        "updated_at": rfc3339(session.run.now()),
    })
}
