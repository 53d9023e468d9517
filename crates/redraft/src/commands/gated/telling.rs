//! How a session is told: one line for scripts, then what there is to do.
//!
//! Absent here: what happened.

use crate::{
    gated::{Desk, Stepped, Waits, trouble},
    say,
};
use redraft_loop::Reading;
use redraft_workflows::gated::{
    Hold, Session, State, meta_of, prompt_path, response_path, warnings_of,
};
use serde_json::{Value, json};

/// The line of a session: where it stands, how it is doing, and in which iteration.
pub(super) fn line(session: &Session) -> String {
    let (phase, status, iteration) = (session.state, session.status(), session.iteration());
    format!("phase={phase} status={status} iteration={iteration}")
}

/// The review that is at hand, as it stands there: `REVIEW: …`.
pub(super) fn review(desk: &Desk) -> Option<Reading> {
    let session = &desk.session;
    if session.state != State::Reviewed {
        return None;
    }
    let turn = session.run.gated()?;
    let (phase, round) = session.asked()?;
    let standing = desk.folder.standing(session).ok()?;
    match standing.response.filter(|response| response != turn.text()) {
        Some(edited) => session.begun.reading(&session.run, phase, round, &edited).ok(),
        None => turn.readings.first().cloned(),
    }
}

/// The line of a review that was read, and what is odd about it.
pub(super) fn tell_review(reading: &Reading) {
    if let Some(meta) = meta_of(reading) {
        say::out(&meta.to_string());
    }
    warnings_of(reading).iter().for_each(|warning| say::err(&format!("warning: {warning}")));
}

/// A step in words.
pub(super) fn tell(desk: &Desk, stepped: &Stepped, acted: Option<&Reading>) {
    let read = review(desk);
    acted.or(read.as_ref()).into_iter().for_each(tell_review);
    let mut told = line(&desk.session);
    match &stepped.waits {
        Some(Waits::Response { .. }) => told.push_str(" noop_awaiting_artifact=true"),
        Some(Waits::Approval { .. }) => told.push_str(" noop_awaiting_approval=true"),
        None => {}
    }
    say::out(&told);
    tell_waits(stepped.waits.as_ref());
    // A stop is told with its help.
    let notes = stepped.notes.iter().filter(|_| stepped.stop.is_none());
    notes.for_each(|note| say::err(&format!("note: {note}")));
    tell_next(desk, stepped.waits.as_ref());
}

/// What there is to do, and why where nothing goes on by itself.
pub(super) fn tell_next(desk: &Desk, waits: Option<&Waits>) {
    if desk.session.run.decision().is_some() {
        return;
    }
    if let Some(Waits::Approval { hold: Some(hold), .. }) = waits {
        say::err(&format!("waits: {hold}"));
    }
    if waits.is_none() {
        awaited(desk).iter().for_each(|line| say::err(line));
    }
    say::err(&next(desk, waits));
}

/// What a person is to read and to write now, where one is asked.
fn awaited(desk: &Desk) -> Vec<String> {
    let session = &desk.session;
    let asked = session.asked().filter(|_| session.state.is_asking());
    let Some((phase, _)) = asked.filter(|(phase, _)| session.begun.is_by_hand(*phase)) else {
        return Vec::new();
    };
    let iteration = session.iteration();
    let place = |path: String| desk.folder.place(&path).display().to_string();
    vec![
        format!("prompt: {}", place(prompt_path(phase, iteration))),
        format!("response goes to: {}", place(response_path(phase, iteration))),
    ]
}

/// The command that goes on, and what a person does before.
fn next(desk: &Desk, waits: Option<&Waits>) -> String {
    let (id, session) = (desk.id(), &desk.session);
    let approves = session.state.is_gate() && session.run.approval().is_none();
    match waits {
        Some(Waits::Response { .. }) => {
            format!("write the response, then: redraft gated step {id}")
        }
        Some(Waits::Approval { hold: Some(Hold::Malformed), .. }) => {
            format!("edit the review, then: redraft gated approve {id}")
        }
        Some(Waits::Approval { hold: Some(Hold::LastIteration { last }), .. }) => {
            format!("then: redraft gated step {id} --max-iterations {}", last + 1)
        }
        Some(Waits::Approval { .. }) => format!("then: redraft gated approve {id}"),
        None if approves && !session.is_auto() => format!("next: redraft gated approve {id}"),
        None => format!("next: redraft gated step {id}"),
    }
}

/// The files that a person is waited for with, a line each.
pub(super) fn tell_waits(waits: Option<&Waits>) {
    match waits {
        Some(Waits::Response { prompt, response }) => {
            [prompt, response].iter().for_each(|path| say::out(&path.display().to_string()));
        }
        Some(Waits::Approval { files, .. }) => {
            files.iter().for_each(|file| say::out(&file.display().to_string()));
        }
        None => {}
    }
}

/// What is waited for, for a program.
pub(super) fn waits_fields(waits: Option<&Waits>) -> Value {
    match waits {
        Some(Waits::Response { prompt, response }) => {
            json!({"for": "response", "prompt": prompt, "response": response})
        }
        Some(Waits::Approval { files, hold }) => {
            let hold = hold.as_ref().map(ToString::to_string);
            json!({"for": "approval", "files": files, "hold": hold})
        }
        None => Value::Null,
    }
}

/// A step for a program.
pub(super) fn fields(desk: &Desk, stepped: &Stepped, acted: Option<&Reading>) -> Value {
    let mut fields = session_fields(desk);
    fields["moved"] = json!(stepped.moved);
    fields["noop_awaiting_artifact"] = json!(matches!(stepped.waits, Some(Waits::Response { .. })));
    fields["waits"] = waits_fields(stepped.waits.as_ref());
    fields["notes"] = json!(stepped.notes);
    let read = review(desk);
    if let Some(meta) = acted.or(read.as_ref()).and_then(meta_of) {
        fields["review"] = json!({
            "verdict": meta.verdict.to_string(),
            "issues_total": meta.issues_total,
            "issues_critical": meta.issues_critical,
            "missing_inputs": meta.missing_inputs,
            "line": meta.to_string(),
        });
    }
    fields
}

/// What every verb tells a program of a session.
pub(super) fn session_fields(desk: &Desk) -> Value {
    let session = &desk.session;
    json!({
        "session_id": desk.id().as_str(),
        "phase": session.state,
        "status": session.status(),
        "iteration": session.iteration(),
        "last_error": trouble(desk).unwrap_or_else(|failure| Some(failure.message)),
    })
}

/// One transition of several.
pub(super) fn tell_passage(desk: &Desk, acted: Option<&Reading>) {
    let read = review(desk);
    acted.or(read.as_ref()).into_iter().for_each(tell_review);
    say::out(&line(&desk.session));
}
