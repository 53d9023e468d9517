//! `redraft gated approve`, `reject` and `cancel`: what a person says of a session.
//!
//! Invariant: a person's word is durable before it is told.

use super::{Where, telling};
use crate::{
    clock,
    commands::block_on_one_thread,
    exit::{Code, Failure},
    gated::{BY_PROFILE, Desk, give},
    say,
};
use redraft_loop::{Cancelled, Input, RunId, Time, Voided};
use redraft_workflows::gated::{Approval, NotApproved};
use serde_json::{Value, json};

/// Let what waits pass; an edit that was made before counts, one that is made after voids the approval
#[derive(Debug, clap::Args)]
pub(crate) struct Approve {
    /// The session; the beginning of its id is enough
    id: String,
    #[command(flatten)]
    who: By,
    #[command(flatten)]
    place: Where,
}

/// Have what waits written again
#[derive(Debug, clap::Args)]
pub(crate) struct Reject {
    /// The session; the beginning of its id is enough
    id: String,
    /// What has to be different; it stands in the prompt
    #[arg(long, value_name = "TEXT")]
    feedback: String,
    #[command(flatten)]
    who: By,
    #[command(flatten)]
    place: Where,
}

/// Give a session up
#[derive(Debug, clap::Args)]
pub(crate) struct Cancel {
    /// The session; the beginning of its id is enough
    id: String,
    #[command(flatten)]
    who: By,
    #[command(flatten)]
    place: Where,
}

/// Who speaks.
#[derive(Debug, Clone, clap::Args)]
struct By {
    /// Who says so [default: the session's developer, else your user name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

impl By {
    fn name(&self, desk: &Desk) -> Result<String, Failure> {
        let of_system =
            || ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
        let named = self.by.clone().or(desk.session.begun.settings.developer.clone());
        let name = named.or_else(of_system).unwrap_or_else(|| "a person".to_owned());
        match name.trim() {
            "" => Err(Failure::usage("nobody is named: --by NAME says who decides")),
            // What stands for a gate that a profile opens.
            BY_PROFILE => Err(Failure::usage(format!("{BY_PROFILE} is no person's name"))
                .help("--by NAME says who decides")),
            name => Ok(name.to_owned()),
        }
    }
}

pub(super) fn approve(args: &Approve, as_json: bool) -> Result<Code, Failure> {
    let mut desk = args.place.open(&args.id)?;
    let standing = desk.folder.standing(&desk.session)?;
    let (by, at) = (args.who.name(&desk)?, clock::now());
    let approved = desk.session.approve(&standing, &by, at);
    let approved = approved.map_err(|error| not_approved(&error, desk.id()))?;
    let voided = voided(&desk, "approved anew as it is now", at);
    let inputs = voided.into_iter().chain([Input::Approve(approved)]).collect();
    block_on_one_thread(give(&mut desk, inputs))?;
    let approval = desk.session.approvals.last();
    if as_json {
        let mut fields = telling::session_fields(&desk);
        fields["approval"] = approval.map_or(Value::Null, told);
        say::json_line("gated approve", Code::Done, fields);
        return Ok(Code::Done);
    }
    say::out(&format!("{} approved_by={by}", telling::line(&desk.session)));
    for (path, sha256) in approval.iter().flat_map(|approval| &approval.files) {
        say::out(&format!("{sha256}  {}", desk.folder.place(path).display()));
    }
    say::err(&format!("next: redraft gated step {}", desk.id()));
    Ok(Code::Done)
}

fn told(approval: &Approval) -> Value {
    let Approval { phase, iteration, files, by, .. } = approval;
    json!({"phase": phase, "iteration": iteration, "files": files, "by": by})
}

/// What is not ready is waited for; what nobody asked for is a mistake.
fn not_approved(error: &NotApproved, session: &RunId) -> Failure {
    let code = match error {
        NotApproved::NoGate(_) | NotApproved::Already(_) => Code::Usage,
        NotApproved::NoResponse(_)
        | NotApproved::Unreadable { .. }
        | NotApproved::ChangedInResponse { .. }
        | NotApproved::NoCode(_) => Code::Waiting,
    };
    let failure = Failure::new(code, error.to_string());
    if let NotApproved::NoGate(state) = error
        && state.is_open()
    {
        let help = format!("a step takes in what lies there first: redraft gated step {session}");
        return failure.help(help);
    }
    failure
}

/// Takes an approval back that a word of now stands against.
fn voided(desk: &Desk, why: &str, at: Time) -> Option<Input> {
    let approved = desk.session.run.approval().is_some();
    approved.then(|| Input::Void(Voided { why: why.to_owned(), at }))
}

pub(super) fn reject(args: &Reject, as_json: bool) -> Result<Code, Failure> {
    let mut desk = args.place.open(&args.id)?;
    let feedback = args.feedback.trim();
    if feedback.is_empty() {
        return Err(Failure::usage("--feedback is empty: say what has to be different"));
    }
    let response = match desk.session.asked() {
        Some((phase, _)) => desk.folder.response(phase, desk.session.iteration())?,
        None => None,
    };
    let (by, at) = (args.who.name(&desk)?, clock::now());
    // Whoever has approved may still think better of it, until a step uses the approval.
    let voided = voided(&desk, &format!("rejected by {by}"), at);
    let rejected = desk.session.reject(response, (by, feedback.to_owned()), at);
    let rejected = rejected.map_err(|error| not_approved(&error, desk.id()))?;
    let inputs = voided.into_iter().chain([Input::Reject(rejected)]).collect();
    block_on_one_thread(give(&mut desk, inputs))?;
    tell(&desk, "gated reject", as_json)
}

pub(super) fn cancel(args: &Cancel, as_json: bool) -> Result<Code, Failure> {
    let mut desk = args.place.open(&args.id)?;
    if !desk.session.state.is_open() {
        let state = desk.session.state;
        return Err(Failure::usage(format!("the session has ended: {state}")));
    }
    let (by, at) = (args.who.name(&desk)?, clock::now());
    block_on_one_thread(give(&mut desk, vec![Input::Cancel(Cancelled { by, at })]))?;
    tell(&desk, "gated cancel", as_json)
}

fn tell(desk: &Desk, command: &str, as_json: bool) -> Result<Code, Failure> {
    if as_json {
        say::json_line(command, Code::Done, telling::session_fields(desk));
    } else {
        say::out(&telling::line(&desk.session));
    }
    Ok(Code::Done)
}
