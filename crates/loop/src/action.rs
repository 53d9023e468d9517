//! What a run wants done next; the driver does it and reports back.
//!
//! Invariant: the next action follows from the facts alone; asking for it changes nothing.
//! Absent here: how anything is done, and how long to wait before it.

use crate::{
    CallId, Exit, Failing, Hash, Role, Run, Step, StepId, Time, Turn,
    place::{Place, Stage},
    seat::{Need, Seat, Trouble},
};
use alloc::{format, string::String, vec::Vec};

/// The next action of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Claim any of these calls, then send it once the claim is durable. Never empty.
    Ask(Vec<Ask>),
    /// These calls are in flight; wait for any of them.
    Await(Vec<CallId>),
    /// Let the workflow play this.
    Play(Play),
    /// A person has to approve or reject this turn.
    Wait(Turn),
    /// A person has approved; check that the seal still holds, then pass or void.
    Pass(Turn),
    /// Nothing can be done now, and the run stays open.
    Stop(Stop),
    /// Write down the decision.
    Decide(Exit),
    /// The run is over.
    Done(Exit),
}

/// A call to be claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The round.
    pub round: u32,
    /// The step.
    pub step: StepId,
    /// The seat within the step.
    pub seat: u32,
    /// The role to ask.
    pub role: Role,
    /// Which attempt of the seat it is, from 1.
    pub attempt: u32,
    /// How many calls this role has answered before.
    pub ordinal: u32,
    /// Failed attempts just before this one; the driver backs off by them.
    pub failures: u32,
    /// Before when the other side asked not to be asked again.
    pub not_before: Option<Time>,
    /// The unreadable reply to be repaired: why, and its text.
    pub repair: Option<(String, String)>,
    /// The SHA-256 of the prompt of the attempt before, to tell when prompts have changed since.
    pub earlier: Option<Hash>,
}

/// A step or seat for the workflow to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Play {
    /// The round.
    pub round: u32,
    /// The step.
    pub step: StepId,
    /// The seat whose agent failed, and why; `None` for a step of the workflow's own.
    pub instead: Option<(u32, String)>,
    /// What that agent said last, where nobody could read it.
    pub reply: Option<String>,
    /// Why that agent's last attempt did not do, where it had one.
    pub trouble: Option<String>,
}

/// Why a run rests without being decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// A cap is reached.
    Cap(String),
    /// An agent failed for good.
    Failed {
        /// Who.
        role: Role,
        /// What happened.
        message: String,
    },
    /// A call of an earlier driver may have been answered unseen, and was asked again often enough.
    Ambiguous {
        /// The call.
        call: CallId,
        /// Who was asked.
        role: Role,
    },
    /// A person, or something outside, has to act before an agent can answer.
    Person {
        /// Who was asked.
        role: Role,
        /// What is waited for.
        what: String,
    },
    /// A driver was asked to stop.
    Interrupted,
}

impl Run {
    /// What the run wants done next.
    pub fn next(&self) -> Action {
        match &self.place {
            Place::Decided(exit) => Action::Done(exit.clone()),
            Place::Ended(exit) => Action::Decide(exit.clone()),
            Place::Opening { .. } | Place::Repeating { .. } | Place::Closing { .. } => {
                self.next_in_step()
            }
        }
    }

    fn next_in_step(&self) -> Action {
        let (Some(step), Some(stage)) = (self.step(), self.place.stage()) else {
            return Action::Await(Vec::new());
        };
        match stage {
            Stage::Gated(turn) => Action::Wait(turn.clone()),
            Stage::Approved { turn, .. } => Action::Pass(turn.clone()),
            Stage::Workflow => self.unless_stopped(|| Action::Play(self.play(step))),
            Stage::Seats(seats) => self.next_of_seats(step, seats),
        }
    }

    /// Fallbacks are played first, then calls are made, then heard; only then does a run rest.
    fn next_of_seats(&self, step: &Step, seats: &[Seat]) -> Action {
        let (mut asks, mut waiting, mut stop, mut play) = (Vec::new(), Vec::new(), None, None);
        for (n, seat) in (0u32..).zip(seats) {
            let role = seat.role.clone();
            match seat.need(step, &self.limits, self.epoch) {
                Need::Nothing => {}
                Need::Answer(call) => waiting.push(call),
                Need::Ask => asks.push(self.ask(step, n, seat)),
                Need::Lost(call) if step.failing == Failing::Workflow => {
                    let why = format!("call {call} may have been answered unseen");
                    play = play.or(Some(self.instead_of(step, n, seat, why)));
                }
                Need::Lost(call) => stop = stop.or(Some(Stop::Ambiguous { call, role })),
                Need::Person(what) => stop = stop.or(Some(Stop::Person { role, what })),
                Need::GaveUp { then: Failing::Stop, message } => {
                    stop = stop.or(Some(Stop::Failed { role, message }));
                }
                Need::GaveUp { then: Failing::Workflow, message } => {
                    play = play.or(Some(self.instead_of(step, n, seat, message)));
                }
            }
        }
        let may_ask = self.stop.clone().or(self.cap_for(step).map(Stop::Cap));
        if let (Some(Stop::Cap(cap)), Failing::Workflow, Some(ask)) =
            (&may_ask, step.capped, asks.first())
            && let Some(seat) = seats.get(ask.seat as usize)
        {
            play = play.or(Some(self.instead_of(step, ask.seat, seat, cap.clone())));
        }
        match (play, asks.is_empty(), may_ask) {
            (Some(play), ..) if self.workflow_may_play() => Action::Play(play),
            (_, false, None) => Action::Ask(asks),
            (_, true, None) if waiting.is_empty() => match stop {
                Some(stop) => Action::Stop(stop),
                None => Action::Await(waiting),
            },
            (_, _, Some(why)) if waiting.is_empty() => {
                Action::Stop(self.stop.clone().or(stop).unwrap_or(why))
            }
            _ => Action::Await(waiting),
        }
    }

    fn unless_stopped(&self, action: impl FnOnce() -> Action) -> Action {
        match &self.stop {
            Some(stop) if !self.workflow_may_play() => Action::Stop(stop.clone()),
            _ => action(),
        }
    }

    /// What the workflow plays costs nothing, so that no cap holds it up.
    fn workflow_may_play(&self) -> bool {
        matches!(self.stop, None | Some(Stop::Cap(_)))
    }

    fn play(&self, step: &Step) -> Play {
        Play {
            round: self.round(),
            step: step.id.clone(),
            instead: None,
            reply: None,
            trouble: None,
        }
    }

    fn instead_of(&self, step: &Step, number: u32, seat: &Seat, why: String) -> Play {
        let (reply, trouble) = match &seat.trouble {
            Some(Trouble::Unreadable { why, text }) => (Some(text.clone()), Some(why.clone())),
            Some(Trouble::Failed { message, .. }) => (None, Some(message.clone())),
            None => (None, None),
        };
        Play { instead: Some((number, why)), reply, trouble, ..self.play(step) }
    }

    fn ask(&self, step: &Step, seat_number: u32, seat: &Seat) -> Ask {
        Ask {
            round: self.round(),
            step: step.id.clone(),
            seat: seat_number,
            role: seat.role.clone(),
            attempt: seat.attempts + 1,
            ordinal: self.ordinal(&seat.role),
            failures: seat.failures(),
            not_before: seat.not_before,
            earlier: seat.prompt.clone(),
            repair: match &seat.trouble {
                Some(Trouble::Unreadable { why, text }) => Some((why.clone(), text.clone())),
                Some(Trouble::Failed { .. }) | None => None,
            },
        }
    }
}
