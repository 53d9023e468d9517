//! One step of a session: what is read, asked or passed, at most one transition.
//!
//! Invariant: a step that only waits leaves the journal as it was; a transition is durable, and its files written, before
//! it is told.
//! Absent here: printing.

use super::{
    casting,
    desk::Desk,
    driving::{Crew, Given, drive, give},
    waiting::{Waits, fresh_response, trouble, waits},
};
use crate::{
    clock,
    commands::review::planning,
    config::{CallFlags, Config},
    exit::{Code, Failure},
    standalone::{self, Players},
};
use redraft_engine::{Agent, Cancel, Events, Policy, Rest};
use redraft_loop::{Input, Limits, Role, Stop, Voided};
use redraft_workflows::gated::{NotApproved, State, Status, seal};
use std::sync::Arc;

/// How a step went.
#[derive(Debug)]
pub(crate) struct Stepped {
    /// Whether the session stands elsewhere now.
    pub(crate) moved: bool,
    pub(crate) waits: Option<Waits>,
    /// Why it could not go on, where an agent was asked.
    pub(crate) stop: Option<Stop>,
    /// What else there is to tell of it, such as why an approval lost its force.
    pub(crate) notes: Vec<String>,
    pub(crate) code: Code,
}

/// How agents are asked, and who may stop them.
pub(crate) struct Company<'a> {
    pub(crate) config: &'a Config,
    pub(crate) flags: &'a CallFlags,
    pub(crate) events: &'a Events,
    pub(crate) cancel: &'a Cancel,
}

/// What a command allows a session, where it says so.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Allowed {
    /// The last iteration.
    pub(crate) iterations: Option<u32>,
    /// How often a call that a crash cut off may be asked again.
    pub(crate) ask_again: Option<u32>,
}

/// Makes one step.
///
/// # Errors
/// When an agent cannot be made, or journal or folder fail.
pub(crate) async fn step(desk: &mut Desk, company: &Company<'_>) -> Result<Stepped, Failure> {
    if desk.session.run.decision().is_some() {
        return Ok(Stepped { code: ended(desk), ..Stepped::still() });
    }
    if let Some(waits) = waits(desk)? {
        return Stepped::waiting(desk, waits);
    }
    let state = desk.session.state;
    if state == State::Initialized {
        return go(desk, company, None, &Players::new(), Policy::STANDARD).await;
    }
    if state.is_gate() {
        let said = said(desk)?;
        return go(desk, company, said, &Players::new(), Policy::STANDARD).await;
    }
    let Some((phase, _)) = desk.session.asked() else { return Ok(Stepped::still()) };
    let role = desk.session.begun.profile.phase(phase).role.name();
    let (agent, policy): (Arc<dyn Agent>, _) = match fresh_response(desk, phase)? {
        Some(text) => (Arc::new(Given(text)), Policy::STANDARD),
        None => {
            let place = desk.house.place();
            casting::player(&desk.session.run, company.config, company.flags, (role, &place))?
        }
    };
    go(desk, company, None, &Players::from([(Role::from(role), agent)]), policy).await
}

/// What follows for what waits from how it stands there now: an approval of something else is void, and where the gate is
/// open and nobody has approved, the profile does.
fn said(desk: &Desk) -> Result<Option<Input>, Failure> {
    let session = &desk.session;
    let standing = desk.folder.standing(session)?;
    let bound = session.bound(&standing);
    match session.run.approval() {
        Some((_, sealed)) if *sealed != seal(&bound) => {
            let changed = session.changed_since_approval(&bound).join(", ");
            let how = match standing.response {
                Some(_) => "it is not as it was approved any more",
                None => "it is gone",
            };
            let why = format!("{changed}: {how}");
            Ok(Some(Input::Void(Voided { why, at: clock::now() })))
        }
        Some(_) => Ok(None),
        None => {
            let approved = session.approve(&standing, BY_PROFILE, clock::now());
            let waits = |error: NotApproved| Failure::new(Code::Waiting, error.to_string());
            Ok(Some(Input::Approve(approved.map_err(waits)?)))
        }
    }
}

/// Who approves where a profile's gate is open.
pub(crate) const BY_PROFILE: &str = "profile";

/// Takes in what a command says anew of the session's bounds, where it says something.
///
/// # Errors
/// When iterations were begun that it would forbid.
pub(crate) async fn allow(
    desk: &mut Desk,
    flags: &CallFlags,
    allowed: Allowed,
) -> Result<(), Failure> {
    let run = &desk.session.run;
    let raised = standalone::raised(run, planning::of_flags(flags));
    let rounds = allowed.iterations.unwrap_or(raised.rounds);
    let ask_again = allowed.ask_again.unwrap_or(raised.ask_again);
    let begun = run.least_rounds();
    if rounds < begun {
        let message = format!("--max-iterations {rounds}: iteration {begun} was begun");
        return Err(Failure::usage(message).help(format!("give {begun} or more")));
    }
    let bounded = standalone::bound(run, Limits { rounds, ask_again, ..raised });
    match bounded.filter(|_| run.decision().is_none()) {
        Some(input) => give(desk, vec![input]).await,
        None => Ok(()),
    }
}

/// Drives the session until it stands elsewhere or rests.
async fn go(
    desk: &mut Desk,
    company: &Company<'_>,
    input: Option<Input>,
    players: &Players,
    policy: Policy,
) -> Result<Stepped, Failure> {
    let (from, stood) = (desk.session.state, State::of(&desk.session.run));
    let crew = Crew { players, policy, events: company.events, cancel: company.cancel };
    let inputs = input.into_iter().collect();
    let rest = drive(desk, inputs, &crew, |run| State::of(run) != stood).await?;
    Stepped::of(desk, from, rest.as_ref())
}

/// The code of a session that has ended.
fn ended(desk: &Desk) -> Code {
    match desk.session.status() {
        Status::Success => Code::Done,
        Status::Failed => Code::Waiting,
        Status::Cancelled | Status::InProgress | Status::Error => Code::Ended,
    }
}

impl Stepped {
    fn still() -> Self {
        Self { moved: false, waits: None, stop: None, notes: Vec::new(), code: Code::Done }
    }

    fn waiting(desk: &Desk, waits: Waits) -> Result<Self, Failure> {
        let edited = match waits {
            Waits::Approval { .. } => {
                desk.session.edited_paths(&desk.folder.standing(&desk.session)?)
            }
            Waits::Response { .. } => Vec::new(),
        };
        let edited = edited
            .into_iter()
            .map(|path| format!("{path}: it is not as it came; what stands there is approved"));
        let notes = trouble(desk)?.into_iter().chain(edited).collect();
        Ok(Self { moved: false, waits: Some(waits), stop: None, notes, code: Code::Waiting })
    }

    fn of(desk: &Desk, from: State, rest: Option<&Rest>) -> Result<Self, Failure> {
        let moved = desk.session.state != from;
        let stop = match rest {
            Some(Rest::Stopped(stop)) => Some(stop.clone()),
            Some(Rest::Decided(_) | Rest::Waiting(_)) | None => None,
        };
        // Whoever wrote what nobody can read is a person, and mends the file.
        if matches!(stop, Some(Stop::Failed { .. }))
            && let Some(waits) = waits(desk)?
        {
            return Self::waiting(desk, waits);
        }
        let code = match rest {
            // A review that nobody can read has come, and goes nowhere (contract §7).
            _ if moved && desk.session.malformed().is_some() => Code::Waiting,
            _ if moved && desk.session.state != State::Error => Code::Done,
            Some(Rest::Stopped(Stop::Failed { .. })) if desk.session.state == State::Error => {
                Code::Failure
            }
            Some(Rest::Stopped(Stop::Cap(_))) => Code::Budget,
            Some(Rest::Stopped(Stop::Interrupted)) => Code::Interrupted,
            Some(_) => Code::Waiting,
            None => Code::Done,
        };
        let notes = trouble(desk)?.into_iter().collect();
        Ok(Self { moved, waits: None, stop, notes, code })
    }
}
