//! The driver: takes a run from where it stands to where it rests.
//!
//! Invariant: facts are folded in memory, appended as one batch before the next effect, and only then acted
//! upon. A refused append throws the run in memory away and replays the journal.
//! Absent here: any rule of the loop, and the wording of prompts.

use crate::{
    Answer, AttemptError, Call, JournalError, News, NoAnswer, Settlement, Stage,
    commit::Claimed,
    delay::Delays,
    flight::{Flights, Landed},
    hash,
    policy::later,
};
use redraft_loop::{
    Action, Ask, Asked, Driven, Epoch, Exit, Fact, Failed, Failure, Input, Interrupted, Opened,
    Passed, Play, Played, Refusal, Released, ReplayError, Replied, Reply, Role, Run, Stop, Turn,
    Voided,
};
use redraft_workflows::Prompt;
use std::time::Duration;

/// Where a driven run rests.
#[derive(Debug, Clone, PartialEq)]
pub enum Rest {
    /// It is decided.
    Decided(Exit),
    /// A turn waits for a person.
    Waiting(Turn),
    /// It is open and cannot go on now.
    Stopped(Stop),
}

/// Why a run could not be driven. Nothing is lost: the journal holds what was durable.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The journal failed or refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file could not be written.
    #[error("the files of the run cannot be written: {0}")]
    Files(#[source] std::io::Error),
    /// The journal's facts do not make a run.
    #[error("the run cannot be replayed: {0}")]
    Replay(#[from] ReplayError),
    /// The loop refused what the driver took for its next action; a defect of this program.
    #[error("the loop refused its own next action: {0}")]
    Refused(#[from] Refusal),
    /// No agent is cast for a role.
    #[error("no agent is cast for the role {0}")]
    NotCast(Role),
}

/// Drives one run.
pub struct Driver<'a> {
    pub(crate) stage: Stage<'a>,
    pub(crate) run: Run,
    /// Facts since the last commit, claims apart: they close the batch.
    pub(crate) facts: Vec<Fact>,
    pub(crate) claims: Vec<Claimed>,
    /// What the facts since the last commit settle.
    pub(crate) settlement: Settlement,
    /// How many facts of the run are durable.
    pub(crate) durable: u64,
    /// How many turns stand in files.
    pub(crate) projected: usize,
    pub(crate) flights: Flights<'a>,
    delays: Delays<'a>,
}

impl<'a> Driver<'a> {
    /// Opens a new run; nothing is durable before the first effect is due.
    ///
    /// # Errors
    /// [`DriveError::Replay`] when the shape cannot be run.
    pub fn open(stage: Stage<'a>, opened: Opened) -> Result<Self, DriveError> {
        let run = Run::open(opened.clone())?;
        // What was played elsewhere stands in files already.
        let projected = run.turns().len();
        Ok(Self { facts: vec![Fact::Opened(opened)], ..Self::new(stage, run, 0, projected) })
    }

    /// Takes over a run that stands in the journal. The files of all its turns are written again where they
    /// differ; what was played elsewhere is not touched.
    ///
    /// # Errors
    /// [`DriveError::Refused`] when the run is decided.
    pub fn resume(stage: Stage<'a>, run: Run) -> Result<Self, DriveError> {
        let (durable, elsewhere) = (run.facts(), run.opened().past.len());
        let mut driver = Self::new(stage, run, durable, elsewhere);
        let epoch = Epoch(driver.run.epoch().0 + 1);
        driver.give(Input::Drive(Driven { epoch, at: stage.clock.now() }))?;
        driver.give_back_what_cost_nothing()?;
        Ok(driver)
    }

    fn new(stage: Stage<'a>, run: Run, durable: u64, projected: usize) -> Self {
        Self {
            stage,
            run,
            facts: Vec::new(),
            claims: Vec::new(),
            settlement: Settlement::default(),
            durable,
            projected,
            flights: Flights::default(),
            delays: Delays::default(),
        }
    }

    /// The run as it stands in memory.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Gives the run an input from outside, such as a new limit; it becomes durable with the next batch.
    ///
    /// # Errors
    /// The loop's [`Refusal`].
    pub fn give(&mut self, input: Input) -> Result<(), DriveError> {
        let fact = self.run.decide(input)?;
        self.settlement.add(&self.run, &fact);
        self.run.apply(&fact);
        self.facts.push(fact);
        Ok(())
    }

    /// Steps until the run rests.
    ///
    /// # Errors
    /// See [`Driver::step`].
    pub async fn drive(&mut self) -> Result<Rest, DriveError> {
        loop {
            if let Some(rest) = self.step().await? {
                return Ok(rest);
            }
        }
    }

    /// Steps until the run rests or has come as far as this, and makes durable what has come about; `None` where it does
    /// not rest.
    ///
    /// # Errors
    /// See [`Driver::step`].
    pub async fn drive_until(
        &mut self,
        is_far_enough: impl Fn(&Run) -> bool,
    ) -> Result<Option<Rest>, DriveError> {
        while !is_far_enough(&self.run) {
            if let Some(rest) = self.step().await? {
                return Ok(Some(rest));
            }
        }
        self.commit().await?;
        Ok(None)
    }

    /// Does the next action, at most one effect. `None` while the run does not rest.
    ///
    /// # Errors
    /// When the journal or the files fail; what was durable stays so.
    pub async fn step(&mut self) -> Result<Option<Rest>, DriveError> {
        match self.run.next() {
            Action::Ask(asks) => return self.ask(asks).await,
            Action::Play(play) => self.play(&play)?,
            Action::Decide(_) => self.give(Input::Decide { at: self.now() })?,
            Action::Pass(turn) => self.pass(&turn)?,
            Action::Await(_) => {
                self.commit().await?;
                // A cap or a stop may have kept the claims from leaving; then nothing will be heard.
                if matches!(self.run.next(), Action::Await(_)) {
                    return self.hear_or_stop().await;
                }
            }
            Action::Wait(turn) => return self.rest(Rest::Waiting(turn)).await,
            Action::Stop(stop) => return self.rest(Rest::Stopped(stop)).await,
            Action::Done(exit) => return self.rest(Rest::Decided(exit)).await,
        }
        Ok(None)
    }

    pub(crate) fn now(&self) -> redraft_loop::Time {
        self.stage.clock.now()
    }

    async fn rest(&mut self, rest: Rest) -> Result<Option<Rest>, DriveError> {
        self.commit().await?;
        if let Rest::Stopped(stop) = &rest {
            self.tell(News::Stopped(stop.clone()));
        }
        Ok(Some(rest))
    }

    /// Claims a call that may leave now, or waits until one may. Where an earlier driver was asked for more patience
    /// than there is, nothing is sent before that time.
    async fn ask(&mut self, mut asks: Vec<Ask>) -> Result<Option<Rest>, DriveError> {
        let now = self.now();
        if self.stage.cancel.soon.is_cancelled() {
            return self.give(Input::Interrupt(Interrupted { at: now })).map(|()| None);
        }
        // Once the run's time is over no delay is waited for: the claim finds that the cap is reached.
        let is_up = self.time_left() == Some(Duration::ZERO);
        let policy = self.stage.policy;
        let too_long = |ask: &Ask| ask.not_before.and_then(|until| policy.too_long(now, until));
        let held = asks.iter().find_map(|ask| Some((ask.role.clone(), too_long(ask)?)));
        asks.retain(|ask| too_long(ask).is_none());
        match (asks.iter().position(|ask| is_up || self.delays.is_over(ask, now)), held) {
            (Some(n), _) => self.claim(asks[n].clone())?,
            (None, Some((role, message))) if asks.is_empty() && self.is_idle() => {
                return self.rest(Rest::Stopped(Stop::Failed { role, message })).await;
            }
            (None, _) => self.back_off(&asks).await?,
        }
        Ok(None)
    }

    /// Whether nothing will be heard.
    fn is_idle(&self) -> bool {
        self.claims.is_empty() && self.flights.is_empty()
    }

    fn claim(&mut self, ask: Ask) -> Result<(), DriveError> {
        let Some(agent) = self.stage.cast.get(&ask.role) else {
            return Err(DriveError::NotCast(ask.role));
        };
        let prompt = self.stage.workflow.write(&self.run, &ask);
        let hash = hash::hex(prompt.digest());
        if ask.repair.is_none() && ask.earlier.as_ref().is_some_and(|earlier| *earlier != hash) {
            self.tell(News::PromptChanged);
        }
        let reserve = agent.bound(&prompt);
        let input = Input::Claim { ask: ask.clone(), prompt: hash, reserve, at: self.now() };
        let fact = self.run.decide(input)?;
        self.run.apply(&fact);
        if let Fact::Asked(asked) = fact {
            let call = self.call(&asked, prompt);
            self.delays.leaves(&ask);
            self.claims.push((asked, ask, call));
        } else {
            // A cap of the run's own stands in the claim's place.
            self.facts.push(fact);
        }
        Ok(())
    }

    fn call(&self, asked: &Asked, prompt: Prompt) -> Call {
        Call {
            run: self.run.opened().run.clone(),
            call: asked.call,
            subject: self.run.opened().subject.clone(),
            round: asked.round,
            step: asked.step.clone(),
            role: asked.role.clone(),
            attempt: asked.attempt,
            ordinal: asked.ordinal,
            prompt,
        }
    }

    /// Waits before the first of these retries, while other calls may land, and no longer than the run may take.
    async fn back_off(&mut self, asks: &[Ask]) -> Result<(), DriveError> {
        self.commit().await?;
        for ask in asks {
            if let Some(delay) = self.delays.begin(ask, &self.stage, &self.run.opened().run) {
                self.tell(News::BackingOff { delay });
            }
        }
        let (cancel, clock, left) = (self.stage.cancel, self.stage.clock, self.time_left());
        let time_is_up = async {
            match left {
                Some(left) => clock.sleep(left).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.delays.first() => Ok(()),
            // The next `ask` sees that the time is over.
            () = time_is_up => Ok(()),
            landed = self.flights.land() => self.hear(landed),
            // The next `ask` sees the token and interrupts the run.
            () = cancel.soon.cancelled() => Ok(()),
        }
    }

    async fn hear_or_stop(&mut self) -> Result<Option<Rest>, DriveError> {
        let cancel = self.stage.cancel;
        tokio::select! {
            biased;
            landed = self.flights.land() => self.hear(landed).map(|()| None),
            () = cancel.now.cancelled() => Ok(Some(Rest::Stopped(Stop::Interrupted))),
        }
    }

    /// Folds what came back from a call.
    fn hear(&mut self, (call, result): Landed) -> Result<(), DriveError> {
        let Some(ask) = self.flights.ask_of(call) else { return Ok(()) };
        let at = self.now();
        let result = result.and_then(|answer| {
            let read = self.stage.workflow.read(&self.run, &ask, &answer.text);
            if let Ok(reading) = &read {
                let admitted = self.stage.files.admit(&self.run, reading);
                admitted.map_err(|why| AttemptError::new(Failure::Permanent, why))?;
            }
            Ok((answer, read))
        });
        match result {
            Ok((answer, read)) => {
                let reply = match read {
                    Ok(reading) => Reply::Read(reading),
                    Err(unreadable) => {
                        Reply::Unreadable { why: unreadable.why, text: kept(answer.text) }
                    }
                };
                let Answer { usage, cost, served, .. } = answer;
                self.give(Input::Reply(Replied { call, at, reply, usage, cost, served }))
            }
            Err(NoAnswer::Waits(what)) => {
                self.give(Input::Release(Released { call, waits_for: Some(what), at }))
            }
            Err(NoAnswer::Failed(error)) => {
                let error = self.stage.policy.within_patience(error, at);
                let not_before = error.retry_after.map(|wait| later(at, wait));
                let AttemptError { failure, message, usage, cost, served, unsent, .. } = error;
                let failed =
                    Failed { call, at, failure, message, not_before, usage, cost, served, unsent };
                self.give(Input::Fail(failed))
            }
        }
    }

    fn play(&mut self, play: &Play) -> Result<(), DriveError> {
        let reading = self.stage.workflow.play(&self.run, play);
        let seat = play.instead.as_ref().map(|(seat, _)| *seat);
        self.give(Input::Play(Played { seat, reading, at: self.now() }))
    }

    /// An approval holds only while what was approved is what stands there.
    fn pass(&mut self, turn: &Turn) -> Result<(), DriveError> {
        let at = self.now();
        let found = self.stage.files.seal(&self.run, turn).map_err(DriveError::Files)?;
        match self.run.approval() {
            Some((_, seal)) if *seal == found => self.give(Input::Pass(Passed { at })),
            _ => {
                let why = format!("step {}: what was approved has changed since", turn.step);
                self.give(Input::Void(Voided { why, at }))
            }
        }
    }
}

/// The most bytes that are kept of a reply that nobody can read: more than anybody is shown of it.
pub const MOST_KEPT: usize = 1 << 20;

/// The beginning of an endless reply; a journal is for ever.
fn kept(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MOST_KEPT));
    text.shrink_to_fit();
    text
}
