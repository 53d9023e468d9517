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
    Agent, Answer, BoxFuture, Call, Cancel, Driver, Events, NoAnswer, Policy, Rest, Stage,
};
use redraft_loop::{Action, Bounded, Input, Limits, Role, Stop, Voided};
use redraft_store::RunJournal;
use redraft_workflows::gated::{
    Hold, NotApproved, Session, Standing, State, prompt_path, response_path, seal,
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
    /// What holds of its bounds from now on, where somebody says so.
    pub(crate) allowed: Allowed,
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
    let state = desk.session.state;
    if desk.session.run.decision().is_some() {
        return Ok(Stepped { code: ended(desk), ..Stepped::still() });
    }
    allow(desk, company).await?;
    if state.is_gate() {
        return at_gate(desk, company).await;
    }
    let Some((phase, _)) = desk.session.asked() else { return Ok(Stepped::still()) };
    let iteration = desk.session.iteration();
    if state == State::Initialized {
        return drive(desk, company, Vec::new(), &Players::new(), Policy::STANDARD).await;
    }
    let role = desk.session.begun.profile.phase(phase).role.name();
    let refused = desk.session.refused.clone();
    let response =
        desk.folder.response(phase, iteration)?.filter(|it| Some(it) != refused.as_ref());
    let (agent, policy): (Arc<dyn Agent>, _) = match response {
        Some(text) => (Arc::new(Given(text)), Policy::STANDARD),
        None if desk.session.begun.is_by_hand(phase) => {
            let waits = Waits::Response {
                prompt: desk.folder.place(&prompt_path(phase, iteration)),
                response: desk.folder.place(&response_path(phase, iteration)),
            };
            return Ok(Stepped::waiting(desk, waits));
        }
        None => {
            let place = desk.house.place();
            casting::player(&desk.session.run, company.config, company.flags, (role, &place))?
        }
    };
    drive(desk, company, Vec::new(), &Players::from([(Role::from(role), agent)]), policy).await
}

/// Takes in how many iterations there may be from now on, also where the step then waits.
async fn allow(desk: &mut Desk, company: &Company<'_>) -> Result<(), Failure> {
    let rounds = bounds(desk, company)?.rounds;
    let limits = Limits { rounds, ..desk.session.run.limits().clone() };
    match limits == *desk.session.run.limits() {
        true => Ok(()),
        false => give(desk, vec![Input::Bound(Bounded { limits, at: clock::now() })]).await,
    }
}

/// What waits is passed where it was approved, or where the profile lets it pass by itself.
async fn at_gate(desk: &mut Desk, company: &Company<'_>) -> Result<Stepped, Failure> {
    let standing = desk.folder.standing(&desk.session)?;
    let hold = desk.session.hold(&standing, bounds(desk, company)?.rounds);
    match said(&desk.session, &standing, hold.as_ref())? {
        Some(inputs) => drive(desk, company, inputs, &Players::new(), Policy::STANDARD).await,
        None => {
            let bound = desk.session.bound(&standing);
            let files = bound.keys().map(|path| desk.folder.place(path)).collect();
            Ok(Stepped::waiting(desk, Waits::Approval { files, hold }))
        }
    }
}

/// What has been said of what waits, with what follows from how it stands there now; `None` where it waits on.
fn said(
    session: &Session,
    standing: &Standing,
    hold: Option<&Hold>,
) -> Result<Option<Vec<Input>>, Failure> {
    let bound = session.bound(standing);
    match session.run.approval() {
        // What was changed since is voided whatever is waited for.
        Some((_, sealed)) if *sealed != seal(&bound) => {
            let changed = session.changed_since_approval(&bound).join(", ");
            let why = format!("{changed}: it is not as it was approved any more");
            Ok(Some(vec![Input::Void(Voided { why, at: clock::now() })]))
        }
        Some(_) if hold.is_none() => Ok(Some(Vec::new())),
        None if hold.is_none() && session.is_auto() => {
            let approved = session.approve(standing, BY_PROFILE, clock::now());
            let waits = |error: NotApproved| Failure::new(Code::Waiting, error.to_string());
            Ok(Some(vec![Input::Approve(approved.map_err(waits)?)]))
        }
        Some(_) | None => Ok(None),
    }
}

/// Who approves where a profile's gate is open.
const BY_PROFILE: &str = "profile";

/// The bounds of the session as this command leaves them.
fn bounds(desk: &Desk, company: &Company<'_>) -> Result<Limits, Failure> {
    let run = &desk.session.run;
    let Allowed { iterations, ask_again } = company.allowed;
    let raised = standalone::raised(run, planning::of_flags(company.flags));
    let rounds = iterations.unwrap_or(raised.rounds);
    let ask_again = ask_again.unwrap_or(raised.ask_again);
    let begun = desk.session.iteration();
    if rounds < begun {
        let message = format!("--max-iterations {rounds}: iteration {begun} was begun");
        return Err(Failure::usage(message).help(format!("give {begun} or more")));
    }
    Ok(Limits { rounds, ask_again, ..raised })
}

/// Drives the session until it stands elsewhere or rests, and brings its folder up.
async fn drive(
    desk: &mut Desk,
    company: &Company<'_>,
    inputs: Vec<Input>,
    players: &Players,
    policy: Policy,
) -> Result<Stepped, Failure> {
    let from = desk.session.state;
    let bounded = standalone::bound(&desk.session.run, bounds(desk, company)?);
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
    for input in bounded.into_iter().chain(inputs) {
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
    Ok(Stepped::of(desk, from, rest.as_ref()))
}

/// The code of a session that has ended.
fn ended(desk: &Desk) -> Code {
    match desk.session.state {
        State::Complete => Code::Done,
        State::Reviewed => Code::Waiting,
        _ => Code::Ended,
    }
}

impl Stepped {
    fn still() -> Self {
        Self { moved: false, waits: None, stop: None, notes: Vec::new(), code: Code::Done }
    }

    fn waiting(desk: &Desk, waits: Waits) -> Self {
        // A review that was mended since is told as it stands.
        let is_mended = matches!(&waits, Waits::Approval { hold, .. } if *hold != Some(Hold::Malformed))
            && desk.session.malformed().is_some();
        let notes = desk.session.last_error.clone().filter(|_| !is_mended).into_iter().collect();
        Self { moved: false, waits: Some(waits), stop: None, notes, code: Code::Waiting }
    }

    fn of(desk: &Desk, from: State, rest: Option<&Rest>) -> Self {
        let moved = desk.session.state != from;
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
        let stop = match rest {
            Some(Rest::Stopped(stop)) => Some(stop.clone()),
            Some(Rest::Decided(_) | Rest::Waiting(_)) | None => None,
        };
        let notes = desk.session.last_error.clone().into_iter().collect();
        Self { moved, waits: None, stop, notes, code }
    }
}

/// A response that lies there already.
struct Given(String);

impl Agent for Given {
    fn answer<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        Box::pin(std::future::ready(Ok(Answer::text(self.0.clone()))))
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
