//! Judging an input: one fact, or a refusal that changes nothing.
//!
//! Invariant: a fact that `decide` gives is true of the run it was asked of; apply it before the next.
//! A decided run takes no input at all, so a decision is locked whole.
//! Absent here: effects. Nothing is sent, written or waited for.

use crate::{
    Action, Amount, Approved, Ask, Bounded, CallId, Cancelled, CapReached, Decided, Driven, Fact,
    Failed, Hash, Interrupted, Passed, Played, Rejected, Released, Replied, Reply, Run, Time,
    Voided,
    place::{Place, Stage},
};

/// Something that happened to a run, or that a driver or a person wants of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A driver takes the run over.
    Drive(Driven),
    /// The driver claims a call that [`Run::next`] asks for.
    Claim {
        /// The call, one of those that `next` gave.
        ask: Ask,
        /// The SHA-256 of the prompt that will be sent.
        prompt: Hash,
        /// The most the call can use.
        reserve: Amount,
        /// When.
        at: Time,
    },
    /// A claimed call is known not to have left.
    Release(Released),
    /// A call was answered.
    Reply(Replied),
    /// An attempt failed.
    Fail(Failed),
    /// The workflow played what `next` asked for.
    Play(Played),
    /// A person lets the waiting turn pass.
    Approve(Approved),
    /// A person sends the waiting turn back.
    Reject(Rejected),
    /// What was approved has changed since.
    Void(Voided),
    /// What was approved still stands and is used now.
    Pass(Passed),
    /// A shared cap refused a claim.
    Cap(CapReached),
    /// A person sets new limits.
    Bound(Bounded),
    /// The driver is asked to stop.
    Interrupt(Interrupted),
    /// A person gives the run up.
    Cancel(Cancelled),
    /// The driver writes the decision down.
    Decide {
        /// When.
        at: Time,
    },
}

/// Why an input gives no fact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The run is over.
    #[error("the run is decided and takes no further input")]
    Decided,
    /// A driver's epoch must be higher than all before.
    #[error("epoch {0} is not newer than the run's epoch")]
    StaleEpoch(crate::Epoch),
    /// The call is not the one the run asks for.
    #[error("the run does not ask for this call now")]
    NotAsked,
    /// The call is not in flight: never claimed, answered, or given back.
    #[error("call {0} is not in flight")]
    NotInFlight(CallId),
    /// The workflow is not to play now.
    #[error("the run does not ask its workflow to play this now")]
    NotToPlay,
    /// No turn waits for a person.
    #[error("no turn waits for a person")]
    NoGate,
    /// No approval waits to be used.
    #[error("no approval waits to be used")]
    NoApproval,
    /// A reading says `ok` beside an error.
    #[error("the reading says ok beside an error")]
    Contradiction,
    /// Rounds cannot be bounded below those that were begun.
    #[error("{begun} rounds are recorded; the limit cannot be {limit}")]
    BelowRecorded {
        /// Rounds that were begun, or are due.
        begun: u32,
        /// The limit that was asked for.
        limit: u32,
    },
    /// No rule of the run says what happens when it is given up.
    #[error("a run of this workflow cannot be cancelled")]
    NotCancellable,
    /// No rule holds.
    #[error("no rule has ended the run")]
    Undecided,
}

impl Run {
    /// Judges an input against where the run stands.
    ///
    /// # Errors
    /// A [`Refusal`]; the run is as it was.
    pub fn decide(&self, input: Input) -> Result<Fact, Refusal> {
        if self.decision().is_some() {
            return Err(Refusal::Decided);
        }
        match input {
            Input::Drive(driven) if driven.epoch > self.epoch => Ok(Fact::Driven(driven)),
            Input::Drive(driven) => Err(Refusal::StaleEpoch(driven.epoch)),
            Input::Claim { ask, prompt, reserve, at } => self.may_claim(ask, prompt, reserve, at),
            Input::Release(released) => self.in_flight(released.call, Fact::Released(released)),
            Input::Reply(replied) => self.reply(replied),
            Input::Fail(failed) => self.in_flight(failed.call, Fact::Failed(failed)),
            Input::Play(played) => self.may_play(played),
            Input::Approve(approved) => self.at_gate(Fact::Approved(approved)),
            Input::Reject(rejected) => self.at_gate(Fact::Rejected(rejected)),
            Input::Void(voided) => self.at_approval(Fact::Voided(voided)),
            Input::Pass(passed) => self.at_approval(Fact::Passed(passed)),
            Input::Cap(reached) => Ok(Fact::CapReached(reached)),
            Input::Bound(bounded) => self.bound(bounded),
            Input::Interrupt(interrupted) => Ok(Fact::Interrupted(interrupted)),
            Input::Cancel(cancelled) => match self.exit_when_cancelled() {
                Some(_) => Ok(Fact::Cancelled(cancelled)),
                None => Err(Refusal::NotCancellable),
            },
            Input::Decide { at } => self.exit_to_decide(at),
        }
    }

    /// The call that is asked for is claimed, unless it might use more than the run has left.
    fn may_claim(
        &self,
        ask: Ask,
        prompt: Hash,
        reserve: Amount,
        at: Time,
    ) -> Result<Fact, Refusal> {
        let Action::Ask(wanted) = self.next() else { return Err(Refusal::NotAsked) };
        if !wanted.contains(&ask) {
            return Err(Refusal::NotAsked);
        }
        Ok(match self.cap_on(reserve, at) {
            Some(cap) => Fact::CapReached(CapReached { cap, at }),
            None => Fact::Asked(self.asked(ask, prompt, reserve, at)),
        })
    }

    fn exit_to_decide(&self, at: Time) -> Result<Fact, Refusal> {
        let Place::Ended(exit) = &self.place else { return Err(Refusal::Undecided) };
        Ok(Fact::Decided(Decided { exit: exit.clone(), at }))
    }

    fn in_flight(&self, call: CallId, fact: Fact) -> Result<Fact, Refusal> {
        match self.place.stage() {
            Some(Stage::Seats(seats)) if seats.iter().any(|seat| seat.is_in_flight(call)) => {
                Ok(fact)
            }
            _ => Err(Refusal::NotInFlight(call)),
        }
    }

    fn reply(&self, replied: Replied) -> Result<Fact, Refusal> {
        if matches!(&replied.reply, Reply::Read(reading) if reading.is_contradiction()) {
            return Err(Refusal::Contradiction);
        }
        self.in_flight(replied.call, Fact::Replied(replied))
    }

    fn may_play(&self, played: Played) -> Result<Fact, Refusal> {
        if played.reading.is_contradiction() {
            return Err(Refusal::Contradiction);
        }
        let Action::Play(play) = self.next() else { return Err(Refusal::NotToPlay) };
        match play.instead.map(|(seat, _)| seat) == played.seat {
            true => Ok(Fact::Played(played)),
            false => Err(Refusal::NotToPlay),
        }
    }

    fn at_gate(&self, fact: Fact) -> Result<Fact, Refusal> {
        match (self.place.stage(), &fact) {
            (Some(Stage::Gated(_)), Fact::Approved(Approved { edited: Some(reading), .. }))
                if reading.is_contradiction() =>
            {
                Err(Refusal::Contradiction)
            }
            (Some(Stage::Gated(_)), _) => Ok(fact),
            _ => Err(Refusal::NoGate),
        }
    }

    fn at_approval(&self, fact: Fact) -> Result<Fact, Refusal> {
        match self.place.stage() {
            Some(Stage::Approved { .. }) => Ok(fact),
            _ => Err(Refusal::NoApproval),
        }
    }

    fn bound(&self, bounded: Bounded) -> Result<Fact, Refusal> {
        let (begun, limit) = (self.least_rounds(), bounded.limits.rounds);
        if limit < begun {
            return Err(Refusal::BelowRecorded { begun, limit });
        }
        Ok(Fact::Bounded(bounded))
    }
}
