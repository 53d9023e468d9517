//! A run, folded from its facts, and the questions one may ask of it.
//!
//! Invariant: two runs folded from the same facts are equal.
//! Absent here: changing anything. Facts change a run, in `apply`.

use crate::{
    Amount, Asked, CallId, Epoch, Exit, Fact, Limits, Opened, Reading, Role, Shape, Spent, Step,
    StepId, Stop, Time, Turn, Usage,
    place::{Place, Stage},
    seat::Seat,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// One execution of a workflow, as its facts tell it.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub(crate) opened: Opened,
    pub(crate) limits: Limits,
    pub(crate) epoch: Epoch,
    pub(crate) facts: u64,
    pub(crate) now: Time,
    pub(crate) place: Place,
    /// Why the present driver has to stop, when a fact says so.
    pub(crate) stop: Option<Stop>,
    pub(crate) turns: Vec<Turn>,
    /// Claims that count against the caps; the highest call number is `claimed`.
    pub(crate) calls: u32,
    pub(crate) claimed: u32,
    pub(crate) answered: BTreeMap<Role, u32>,
    pub(crate) spent: Spent,
    /// Microseconds in which a driver was at work.
    pub(crate) driven_for: i64,
    /// Microseconds from a driver's last fact to the next driver, waiting for a person aside.
    pub(crate) left_for: i64,
    /// The turn of the step at hand that a person sent back, and the feedback.
    pub(crate) rejected: Option<(Turn, String)>,
}

/// Why facts do not make a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A journal without facts is no run.
    #[error("the journal is empty")]
    Empty,
    /// Every journal begins with `opened`.
    #[error("the first fact is {0}, not opened")]
    NotOpened(&'static str),
    /// A run opens once.
    #[error("fact {0} opens the run a second time")]
    OpenedTwice(u64),
    /// The shape in the first fact cannot be run.
    #[error("the first fact has an unusable shape: {0}")]
    Shape(#[from] crate::ShapeError),
}

impl Run {
    /// Opens a run from its first fact.
    ///
    /// # Errors
    /// [`ReplayError::Shape`] when the shape cannot be run.
    pub fn open(opened: Opened) -> Result<Self, ReplayError> {
        opened.shape.check()?;
        let mut run = Self {
            limits: opened.shape.limits.clone(),
            epoch: opened.epoch,
            facts: 1,
            now: opened.at,
            place: Place::Opening { step: 0, stage: Stage::Workflow },
            stop: None,
            turns: opened.past.clone(),
            calls: 0,
            claimed: 0,
            answered: answered_elsewhere(&opened),
            spent: Spent::default(),
            driven_for: 0,
            left_for: 0,
            rejected: None,
            opened,
        };
        run.start();
        Ok(run)
    }

    /// Folds a journal.
    ///
    /// # Errors
    /// When the facts are none, do not begin with `opened`, or open twice.
    pub fn replay(facts: impl IntoIterator<Item = Fact>) -> Result<Self, ReplayError> {
        let mut facts = facts.into_iter();
        let mut run = match facts.next() {
            None => return Err(ReplayError::Empty),
            Some(Fact::Opened(opened)) => Self::open(opened)?,
            Some(other) => return Err(ReplayError::NotOpened(other.kind())),
        };
        for fact in facts {
            if matches!(fact, Fact::Opened(_)) {
                return Err(ReplayError::OpenedTwice(run.facts + 1));
            }
            run.apply(&fact);
        }
        Ok(run)
    }

    /// The first fact.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The shape the run plays.
    pub fn shape(&self) -> &Shape {
        &self.opened.shape
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The epoch of the newest driver.
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// How many facts the run is folded from.
    pub fn facts(&self) -> u64 {
        self.facts
    }

    /// The time of the newest fact.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The decision, once there is one.
    pub fn decision(&self) -> Option<&Exit> {
        match &self.place {
            Place::Decided(exit) => Some(exit),
            Place::Opening { .. }
            | Place::Repeating { .. }
            | Place::Closing { .. }
            | Place::Ended(_) => None,
        }
    }

    /// The finished turns, those of the past included.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The newest finished turn.
    pub fn last_turn(&self) -> Option<&Turn> {
        self.turns.last()
    }

    /// The finished turn of a step in a round.
    pub fn turn(&self, round: u32, step: &StepId) -> Option<&Turn> {
        let start = self.turns.partition_point(|turn| turn.round < round);
        self.turns[start..].iter().take_while(|turn| turn.round == round).find(|t| t.step == *step)
    }

    /// What the seats of the step at hand have said so far.
    pub fn said(&self) -> impl Iterator<Item = &Reading> {
        let seats = match self.place.stage() {
            Some(Stage::Seats(seats)) => seats.as_slice(),
            Some(Stage::Workflow | Stage::Gated(_) | Stage::Approved { .. }) | None => &[],
        };
        seats.iter().filter_map(|seat| seat.reading())
    }

    /// The newest finished turn of a step.
    pub fn newest(&self, step: &StepId) -> Option<&Turn> {
        self.turns.iter().rev().find(|turn| turn.step == *step)
    }

    /// The round being played, or the last one played; 0 while the run is opening.
    pub fn round(&self) -> u32 {
        match &self.place {
            Place::Opening { .. } => 0,
            Place::Repeating { round, .. } => *round,
            Place::Closing { .. } | Place::Ended(_) | Place::Decided(_) => {
                self.last_turn().map_or(0, |turn| turn.round)
            }
        }
    }

    /// The last round in which anything was asked or said.
    pub fn rounds_begun(&self) -> u32 {
        if let Place::Repeating { round, stage: Stage::Seats(seats), .. } = &self.place
            && seats.iter().any(|seat| seat.attempts > 0)
        {
            return *round;
        }
        self.last_turn().map_or(0, |turn| turn.round)
    }

    /// The least bound of rounds that can be set, at least 1: behind the step that ends the last round, the next round
    /// is due whatever the bound.
    pub fn least_rounds(&self) -> u32 {
        let begun = self.rounds_begun().max(1);
        let Place::Repeating { round, step, .. } = &self.place else { return begun };
        let Shape { repeating, rules, .. } = self.shape();
        let ending = rules.iter().filter_map(|rule| {
            let crate::Condition::LastRound { ends_with } = &rule.when else { return None };
            repeating.iter().position(|step| step.id == *ends_with)
        });
        match ending.max() {
            Some(ending) if *step > ending => round + 1,
            Some(ending) if ending + 1 < repeating.len() => begun.max(*round),
            Some(_) | None => begun,
        }
    }

    /// What a person said when sending the step at hand back.
    pub fn feedback(&self) -> Option<&str> {
        self.rejected.as_ref().map(|(_, feedback)| feedback.as_str())
    }

    /// The turn of the step at hand that a person sent back last.
    pub fn rejected(&self) -> Option<&Turn> {
        self.rejected.as_ref().map(|(turn, _)| turn)
    }

    /// The turn that waits at its gate, approved or not.
    pub fn gated(&self) -> Option<&Turn> {
        match self.place.stage() {
            Some(Stage::Gated(turn) | Stage::Approved { turn, .. }) => Some(turn),
            Some(Stage::Workflow | Stage::Seats(_)) | None => None,
        }
    }

    /// The step that is asked, played or waiting at its gate; `None` once the run has ended.
    pub fn step_at_hand(&self) -> Option<&StepId> {
        self.step().map(|step| &step.id)
    }

    /// Calls that count against the caps.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// What its calls were charged with: what they used, or what is reserved for them.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// The calls in flight and who was asked; those that an earlier driver left are among them.
    pub fn unanswered(&self) -> Vec<(CallId, Role)> {
        let Some(Stage::Seats(seats)) = self.place.stage() else { return Vec::new() };
        let asked = |seat: &Seat| Some((seat.in_flight()?, seat.role.clone()));
        seats.iter().filter_map(asked).collect()
    }

    /// Whether somebody outside has to act before a seat of the step at hand can answer, or a gate lets its turn pass.
    pub(crate) fn waits_for_a_person(&self) -> bool {
        match self.place.stage() {
            Some(Stage::Seats(seats)) => seats.iter().any(Seat::waits),
            Some(Stage::Gated(_)) => true,
            Some(Stage::Workflow | Stage::Approved { .. }) | None => false,
        }
    }

    /// What is reserved for a call in flight; nothing for any other.
    pub fn reserved(&self, call: CallId) -> Amount {
        let Some(Stage::Seats(seats)) = self.place.stage() else { return Amount::FREE };
        seats.iter().find_map(|seat| seat.reserved(call)).unwrap_or(Amount::FREE)
    }

    /// What a call in flight is charged with once its result tells this much; what nobody tells stays as reserved.
    pub fn used(&self, call: CallId, usage: Option<Usage>, cost: Option<u64>) -> Amount {
        self.reserved(call).settled(usage, cost)
    }

    /// Microseconds between the first fact and the newest.
    pub fn elapsed(&self) -> i64 {
        self.now.0.saturating_sub(self.opened.at.0)
    }

    /// Calls of this role that were answered so far.
    pub fn ordinal(&self, role: &Role) -> u32 {
        self.answered.get(role).copied().unwrap_or(0)
    }

    /// The hash and person of the approval that waits to be used.
    pub fn approval(&self) -> Option<(&str, &crate::Hash)> {
        match self.place.stage() {
            Some(Stage::Approved { by, seal, .. }) => Some((by, seal)),
            _ => None,
        }
    }

    /// The step at hand.
    pub(crate) fn step(&self) -> Option<&Step> {
        let shape = &self.opened.shape;
        match &self.place {
            Place::Opening { step, .. } => shape.opening.get(*step),
            Place::Repeating { step, .. } => shape.repeating.get(*step),
            Place::Closing { step, .. } => shape.closing.get(*step),
            Place::Ended(_) | Place::Decided(_) => None,
        }
    }

    /// Whether the step at hand is a program's of the house.
    pub fn of_the_house(&self) -> bool {
        self.step().is_some_and(|step| matches!(step.player, crate::Player::House(_)))
    }

    pub(crate) fn asked(
        &self,
        ask: crate::Ask,
        prompt: crate::Hash,
        reserve: Amount,
        at: Time,
    ) -> Asked {
        Asked {
            call: CallId(self.claimed + 1),
            epoch: self.epoch,
            round: ask.round,
            step: ask.step,
            seat: ask.seat,
            role: ask.role,
            attempt: ask.attempt,
            ordinal: ask.ordinal,
            house: self.of_the_house(),
            prompt,
            reserve,
            at,
        }
    }
}

/// Rounds that were played elsewhere were answered there, once by each seat.
fn answered_elsewhere(opened: &Opened) -> BTreeMap<Role, u32> {
    let mut answered = BTreeMap::new();
    for turn in &opened.past {
        let step = opened.shape.steps().find(|step| step.id == turn.step);
        for role in step.into_iter().flat_map(|step| step.player.seats()) {
            *answered.entry(role.clone()).or_insert(0) += 1;
        }
    }
    answered
}
