//! A session driven: by a step as far as the next place, or by a person's word.
//!
//! Invariant: the folder is brought up before anything is told of what became durable.
//! Absent here: who plays, and what is told.

use super::{desk::Desk, seals::Seals};
use crate::{
    clock::SystemClock,
    exit::Failure,
    standalone::{Players, registration},
};
use redraft_engine::{
    Agent, Answer, BoxFuture, Call, Cancel, Driver, Events, NoAnswer, Policy, Rest, Stage,
};
use redraft_loop::{Action, Input, Run, Served};
use redraft_store::RunJournal;
use redraft_workflows::gated::MANUAL;

/// Who plays, how patiently, and who watches.
pub(super) struct Crew<'a> {
    pub(super) players: &'a Players,
    pub(super) policy: Policy,
    pub(super) events: &'a Events,
    pub(super) cancel: &'a Cancel,
}

/// Gives a session these inputs, drives it until it has come so far or rests, and brings its folder up. A decision that
/// follows is written down with what led to it.
///
/// # Errors
/// When the session takes no such input now, or journal or folder fail.
pub(super) async fn drive(
    desk: &mut Desk,
    inputs: Vec<Input>,
    crew: &Crew<'_>,
    is_far_enough: impl Fn(&Run) -> bool,
) -> Result<Option<Rest>, Failure> {
    let opened = desk.session.run.opened();
    let store = desk.house.store.clone();
    let journal = RunJournal::new(store, opened.run.clone(), registration(opened));
    let files = Seals { folder: &desk.folder, session: &desk.session };
    let stage = Stage {
        workflow: &*desk.session.begun,
        cast: crew.players,
        journal: &journal,
        files: &files,
        clock: &SystemClock,
        policy: crew.policy,
        events: crew.events,
        cancel: crew.cancel,
    };
    let mut driver = Driver::resume(stage, desk.session.run.clone())?;
    for input in inputs {
        driver.give(input)?;
    }
    let decides = |run: &Run| matches!(run.next(), Action::Decide(_));
    let rest = driver.drive_until(|run| is_far_enough(run) && !decides(run)).await?;
    drop(driver);
    desk.refresh()?;
    Ok(rest)
}

/// Gives a session these inputs from a person and makes them durable.
///
/// # Errors
/// When the session takes no such input now.
pub(crate) async fn give(desk: &mut Desk, inputs: Vec<Input>) -> Result<(), Failure> {
    let (players, events, cancel) = (Players::new(), Events::new(1), Cancel::default());
    let policy = Policy::STANDARD;
    let crew = Crew { players: &players, policy, events: &events, cancel: &cancel };
    drive(desk, inputs, &crew, |_| true).await.map(drop)
}

/// A response that lies there already. The record says that it came from a file, whoever is cast.
pub(super) struct Given(pub(super) String);

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
