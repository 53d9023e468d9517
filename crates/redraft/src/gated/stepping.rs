//! One step of a session: what is read, asked or passed, at most one transition.
//!
//! Invariant: a step that only waits leaves the journal as it was; a transition is durable, and its files written, before
//! it is told.
//! Absent here: printing.

use super::{casting, desk::Desk, seals::Seals};
use crate::{
    clock::{self, SystemClock},
    commands::review::planning,
    config::{CallFlags, Config},
    exit::{Code, Failure},
    standalone::{self, Players, registration},
};
use redraft_engine::{
    Agent, Answer, BoxFuture, Call, Cancel, Driver, Events, MOST_KEPT, NoAnswer, Policy, Rest,
    Stage,
};
use redraft_loop::{Action, Input, Limits, Role, Served, Stop, Voided};
use redraft_store::RunJournal;
use redraft_workflows::gated::{
    Hold, MANUAL, NotApproved, State, Status, profile::Phase, prompt_path, response_path, seal,
};
use std::{path::PathBuf, sync::Arc};

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

/// What a session waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Waits {
    /// A person writes a response.
    Response { prompt: PathBuf, response: PathBuf },
    /// A person approves what stands in these files.
    Approval { files: Vec<PathBuf>, hold: Option<Hold> },
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
        return drive(desk, company, None, &Players::new(), Policy::STANDARD).await;
    }
    if state.is_gate() {
        let said = said(desk)?;
        return drive(desk, company, said, &Players::new(), Policy::STANDARD).await;
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
    drive(desk, company, None, &Players::from([(Role::from(role), agent)]), policy).await
}

/// What a session waits for that only a person can do; `None` where a step goes on.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn waits(desk: &Desk) -> Result<Option<Waits>, Failure> {
    let session = &desk.session;
    let Some((phase, _)) = session.asked().filter(|_| session.state != State::Initialized) else {
        return Ok(None);
    };
    let iteration = session.iteration();
    if !session.state.is_gate() {
        let waits = session.begun.is_by_hand(phase) && fresh_response(desk, phase)?.is_none();
        return Ok(waits.then(|| Waits::Response {
            prompt: desk.folder.place(&prompt_path(phase, iteration)),
            response: desk.folder.place(&response_path(phase, iteration)),
        }));
    }
    let standing = desk.folder.standing(session)?;
    let bound = session.bound(&standing);
    let hold = session.hold(&standing);
    let goes_on = match session.run.approval() {
        // What was changed since is voided, whatever is waited for.
        Some((_, sealed)) => hold.is_none() || *sealed != seal(&bound),
        None => hold.is_none() && session.is_auto(),
    };
    let files = bound.keys().map(|path| desk.folder.place(path)).collect();
    Ok((!goes_on).then_some(Waits::Approval { files, hold }))
}

/// A response that lies there and was not refused before.
fn fresh_response(desk: &Desk, phase: Phase) -> Result<Option<String>, Failure> {
    let response = desk.folder.response(phase, desk.session.iteration())?;
    let refused = desk.session.refused.as_deref();
    Ok(response.filter(|response| !refused.is_some_and(|refused| is_same(response, refused))))
}

/// Whether a response is the one that was refused, of which the journal keeps no more than a beginning.
fn is_same(response: &str, refused: &str) -> bool {
    let is_cut = refused.len() + char::MAX.len_utf8() > MOST_KEPT;
    response == refused || is_cut && response.starts_with(refused)
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

/// Drives the session until it stands elsewhere or rests, and brings its folder up.
async fn drive(
    desk: &mut Desk,
    company: &Company<'_>,
    input: Option<Input>,
    players: &Players,
    policy: Policy,
) -> Result<Stepped, Failure> {
    let from = desk.session.state;
    let opened = desk.session.run.opened();
    let store = desk.house.store.clone();
    let journal = RunJournal::new(store, opened.run.clone(), registration(opened));
    let files = Seals { folder: &desk.folder, session: &desk.session };
    let stage = Stage {
        workflow: &*desk.session.begun,
        cast: players,
        journal: &journal,
        files: &files,
        clock: &SystemClock,
        policy,
        events: company.events,
        cancel: company.cancel,
    };
    let mut driver = Driver::resume(stage, desk.session.run.clone())?;
    if let Some(input) = input {
        driver.give(input)?;
    }
    let asked = State::of(driver.run());
    let rest = driver
        .drive_until(|run| {
            let state = State::of(run);
            // A decision follows from the passage that led to it.
            let decides = matches!(run.next(), Action::Decide(_));
            (state != asked || from == State::Initialized) && !decides
        })
        .await?;
    drop(driver);
    desk.refresh()?;
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
        let standing = desk.folder.standing(&desk.session)?;
        let edited = desk.session.edited_paths(&standing).into_iter();
        let edited = edited
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

/// What is wrong as it stands there now, with the file that it is wrong in.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn trouble(desk: &Desk) -> Result<Option<String>, Failure> {
    let session = &desk.session;
    let Some((phase, round)) = session.asked() else { return Ok(session.last_error.clone()) };
    let path = response_path(phase, session.iteration());
    if session.state.is_asking() && session.begun.is_by_hand(phase) {
        let response = desk.folder.response(phase, session.iteration())?;
        return Ok(match (response, &session.last_error) {
            (None, _) if desk.folder.place(&path).exists() => Some(format!("{path}: it is empty")),
            (Some(_), Some(error)) => Some(format!("{path}: {error}")),
            (Some(_) | None, _) => None,
        });
    }
    if session.malformed().is_none() || session.run.approval().is_some() {
        return Ok(session.last_error.clone());
    }
    let standing = desk.folder.standing(session)?;
    let response = standing.response.unwrap_or_default();
    let read = session.begun.reading(&session.run, phase, round, &response);
    Ok(read.err().map(|error| format!("{path}: {}", error.why)))
}

/// A response that lies there already. The record says that it came from a file, whoever is cast.
struct Given(String);

impl Agent for Given {
    fn answer<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        let served = Some(Served { model: Some(MANUAL.to_owned()), ..Served::default() });
        let answer = Answer { served, ..Answer::text(self.0.clone()) };
        Box::pin(std::future::ready(Ok(answer)))
    }

    fn costs_nothing(&self) -> bool {
        true
    }
}

/// Gives a session these inputs from a person and makes them durable, with what follows from them by itself.
///
/// # Errors
/// When the session takes no such input now.
pub(crate) async fn give(desk: &mut Desk, inputs: Vec<Input>) -> Result<(), Failure> {
    let opened = desk.session.run.opened();
    let journal =
        RunJournal::new(desk.house.store.clone(), opened.run.clone(), registration(opened));
    let files = Seals { folder: &desk.folder, session: &desk.session };
    let (players, events, cancel) = (Players::new(), Events::new(1), Cancel::default());
    let stage = Stage {
        workflow: &*desk.session.begun,
        cast: &players,
        journal: &journal,
        files: &files,
        clock: &SystemClock,
        policy: Policy::STANDARD,
        events: &events,
        cancel: &cancel,
    };
    let mut driver = Driver::resume(stage, desk.session.run.clone())?;
    for input in inputs {
        driver.give(input)?;
    }
    driver.drive_until(|run| !matches!(run.next(), Action::Decide(_))).await?;
    drop(driver);
    desk.refresh()
}
