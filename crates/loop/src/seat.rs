//! A seat: one role's place in the step at hand, and how far its call has come.
//!
//! Invariant: a seat has at most one call in flight.
//! Absent here: whether the seat may be asked at all; caps belong to the run.

use crate::{
    Amount, Asked, CallId, Epoch, Failed, Failing, Failure, Hash, Limits, Reading, Role, Step, Time,
};
use alloc::string::String;

/// One role's place in the step at hand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seat {
    pub(crate) role: Role,
    pub(crate) state: SeatState,
    /// Claims of this seat in this step, given-back ones not counted.
    pub(crate) attempts: u32,
    /// Failed attempts under the present driver.
    failures: u32,
    /// Unreadable replies in this step.
    unreadable: u32,
    /// Calls that an earlier driver left unanswered and that were asked again.
    lost: u32,
    /// Why the last attempt did not do, for the repair or the message to quote.
    pub(crate) trouble: Option<Trouble>,
    /// The prompt of the newest claim.
    pub(crate) prompt: Option<Hash>,
    /// What its agent waits for, as the present driver was told.
    waits_for: Option<String>,
    /// Until when the other side of the last attempt asked to wait, whoever drives.
    pub(crate) not_before: Option<Time>,
}

/// How far a seat's call has come.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SeatState {
    /// Nothing is asked.
    Idle,
    /// A claim stands and no answer.
    InFlight { call: CallId, epoch: Epoch, reserve: Amount },
    /// The seat has said what it says in this turn.
    Said(Reading),
}

/// Why an attempt did not do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    Unreadable { why: String, text: String },
    Failed { failure: Failure, message: String },
}

/// What a seat needs next.
pub(crate) enum Need {
    Nothing,
    Answer(CallId),
    Ask,
    /// The claim of an earlier driver may have been answered unseen; it was asked again often enough.
    Lost(CallId),
    /// Its agent waits for somebody.
    Person(String),
    /// Its agent has failed for good, or cannot be understood.
    GaveUp {
        then: Failing,
        message: String,
    },
}

impl Seat {
    pub(crate) fn new(role: Role) -> Self {
        Self {
            role,
            state: SeatState::Idle,
            attempts: 0,
            failures: 0,
            unreadable: 0,
            lost: 0,
            trouble: None,
            prompt: None,
            waits_for: None,
            not_before: None,
        }
    }

    pub(crate) fn need(&self, step: &Step, limits: &Limits, epoch: Epoch) -> Need {
        if let Some(what) = &self.waits_for {
            return Need::Person(what.clone());
        }
        match &self.state {
            SeatState::Said(_) => Need::Nothing,
            SeatState::InFlight { call, epoch: asked, .. } if *asked >= epoch => {
                Need::Answer(*call)
            }
            SeatState::InFlight { call, .. } if self.lost >= limits.ask_again => Need::Lost(*call),
            SeatState::InFlight { .. } => Need::Ask,
            SeatState::Idle => self.need_when_idle(step, limits),
        }
    }

    fn need_when_idle(&self, step: &Step, limits: &Limits) -> Need {
        match &self.trouble {
            Some(Trouble::Unreadable { why, .. }) if self.unreadable > step.repairs => {
                Need::GaveUp { then: step.unreadable, message: why.clone() }
            }
            Some(Trouble::Failed { failure, message })
                if self.failures >= limits.attempts
                    || (self.failures > 0 && *failure == Failure::Permanent) =>
            {
                Need::GaveUp { then: step.failing, message: message.clone() }
            }
            _ => Need::Ask,
        }
    }

    /// Whether its agent waits for somebody.
    pub(crate) fn waits(&self) -> bool {
        self.waits_for.is_some()
    }

    pub(crate) fn asked(&mut self, asked: &Asked) {
        self.prompt = Some(asked.prompt.clone());
        self.not_before = None;
        if matches!(self.state, SeatState::InFlight { .. }) {
            self.lost += 1;
        }
        self.attempts += 1;
        let Asked { call, epoch, reserve, .. } = *asked;
        self.state = SeatState::InFlight { call, epoch, reserve };
    }

    pub(crate) fn released(&mut self, waits_for: Option<String>) {
        self.waits_for = waits_for;
        self.attempts = self.attempts.saturating_sub(1);
        self.state = SeatState::Idle;
    }

    pub(crate) fn said(&mut self, reading: Reading) {
        self.state = SeatState::Said(reading);
    }

    pub(crate) fn unreadable(&mut self, why: String, text: String) {
        self.unreadable += 1;
        self.trouble = Some(Trouble::Unreadable { why, text });
        self.state = SeatState::Idle;
    }

    pub(crate) fn failed(&mut self, failed: &Failed) {
        let (failure, message) = (failed.failure, failed.message.clone());
        self.failures += 1;
        self.not_before = failed.not_before;
        self.trouble = Some(Trouble::Failed { failure, message });
        self.state = SeatState::Idle;
    }

    /// A new driver tries again where the last one gave up.
    pub(crate) fn driven(&mut self) {
        self.failures = 0;
        self.unreadable = 0;
        self.waits_for = None;
    }

    pub(crate) fn in_flight(&self) -> Option<CallId> {
        match self.state {
            SeatState::InFlight { call, .. } => Some(call),
            SeatState::Idle | SeatState::Said(_) => None,
        }
    }

    pub(crate) fn is_in_flight(&self, call: CallId) -> bool {
        self.in_flight() == Some(call)
    }

    /// What is reserved for this call while it is in flight.
    pub(crate) fn reserved(&self, wanted: CallId) -> Option<Amount> {
        match self.state {
            SeatState::InFlight { call, reserve, .. } if call == wanted => Some(reserve),
            SeatState::InFlight { .. } | SeatState::Idle | SeatState::Said(_) => None,
        }
    }

    pub(crate) fn reading(&self) -> Option<&Reading> {
        match &self.state {
            SeatState::Said(reading) => Some(reading),
            SeatState::Idle | SeatState::InFlight { .. } => None,
        }
    }

    /// How many attempts have failed since the last success, for the back-off.
    pub(crate) fn failures(&self) -> u32 {
        self.failures
    }
}
