//! Folding a fact into a run: total, in memory, never refused.
//!
//! Invariant: nothing but a fact changes a run, and the same fact changes it the same way every time.
//! Absent here: judging whether a fact should have come about. `decide` does that before.

use crate::{
    CallId, Exit, Fact, Gate, Reply, Run, Stop, Turn, Usage,
    place::{Place, Stage},
    seat::Seat,
};
use alloc::vec::Vec;

impl Run {
    /// Folds one fact in. Facts that do not fit where the run stands change nothing but the count.
    pub fn apply(&mut self, fact: &Fact) {
        self.facts += 1;
        let passed = fact.at().0.saturating_sub(self.now.0).max(0);
        if !matches!(fact, Fact::Driven(_)) {
            self.driven_for += passed;
        } else if !self.waits_for_a_person() {
            self.left_for += passed;
        }
        self.now = self.now.max(fact.at());
        match fact {
            Fact::Opened(_) => {}
            Fact::Driven(driven) => self.driven(driven.epoch),
            Fact::Asked(asked) => self.claim(asked),
            Fact::Released(released) => self.release(released),
            Fact::Replied(replied) => self.replied(replied),
            Fact::Failed(failed) => self.failed(failed),
            Fact::Played(played) => self.played(played),
            Fact::Approved(approved) => self.approve(approved),
            Fact::Rejected(rejected) => self.reject(rejected),
            Fact::Voided(_) => self.void(),
            Fact::Passed(_) => self.pass(),
            Fact::CapReached(reached) => self.stop = Some(Stop::Cap(reached.cap.clone())),
            Fact::Bounded(bounded) => {
                self.limits = bounded.limits.clone();
                self.end_if_bound_is_met();
            }
            Fact::Interrupted(_) => self.stop = Some(Stop::Interrupted),
            Fact::Cancelled(_) => {
                if let Some(exit) = self.exit_when_cancelled() {
                    self.place = Place::Ended(exit.clone());
                }
            }
            Fact::Decided(decided) => self.place = Place::Decided(decided.exit.clone()),
        }
    }

    /// Stands the run at its first step; what was played elsewhere may have ended it already.
    pub(crate) fn start(&mut self) {
        if self.opened.shape.opening.is_empty() || self.opened.first_round > 1 {
            self.place = self.round_place(self.opened.first_round.max(1));
        }
        if let Some(exit) = self.exit() {
            self.place = self.end(exit);
        }
        self.enter_step();
    }

    fn driven(&mut self, epoch: crate::Epoch) {
        self.epoch = epoch;
        self.stop = None;
        if let Some(Stage::Seats(seats)) = self.place.stage_mut() {
            seats.iter_mut().for_each(Seat::driven);
        }
    }

    fn claim(&mut self, asked: &crate::Asked) {
        self.calls += u32::from(!asked.house);
        self.claimed = self.claimed.max(asked.call.0);
        if let Some(Stage::Seats(seats)) = self.place.stage_mut()
            && let Some(seat) = seats.get_mut(asked.seat as usize)
        {
            seat.asked(asked);
            self.spent.add(asked.reserve);
        }
    }

    fn release(&mut self, released: &crate::Released) {
        self.calls = self.calls.saturating_sub(u32::from(!self.of_the_house()));
        self.spent.take_back(self.reserved(released.call));
        self.with_seat(released.call, |seat| seat.released(released.waits_for.clone()));
    }

    fn failed(&mut self, failed: &crate::Failed) {
        self.settle(failed.call, failed.usage, failed.cost);
        if failed.unsent && !self.of_the_house() {
            self.calls = self.calls.saturating_sub(1);
        }
        self.with_seat(failed.call, |seat| seat.failed(failed));
    }

    /// What was reserved gives way to what was used, as far as anybody tells.
    fn settle(&mut self, call: CallId, usage: Option<Usage>, cost: Option<u64>) {
        let used = self.used(call, usage, cost);
        self.spent.take_back(self.reserved(call));
        self.spent.add(used);
    }

    fn replied(&mut self, replied: &crate::Replied) {
        let mut role = None;
        self.settle(replied.call, replied.usage, replied.cost);
        self.with_seat(replied.call, |seat| {
            role = Some(seat.role.clone());
            match &replied.reply {
                Reply::Read(reading) => seat.said(reading.clone()),
                Reply::Unreadable { why, text } => seat.unreadable(why.clone(), text.clone()),
            }
        });
        if let Some(role) = role {
            *self.answered.entry(role).or_insert(0) += 1;
        }
        self.finish_if_all_said();
    }

    fn with_seat(&mut self, call: CallId, change: impl FnOnce(&mut Seat)) {
        if let Some(Stage::Seats(seats)) = self.place.stage_mut()
            && let Some(seat) = seats.iter_mut().find(|seat| seat.is_in_flight(call))
        {
            change(seat);
        }
    }

    fn played(&mut self, played: &crate::Played) {
        match (self.place.stage_mut(), played.seat) {
            (Some(Stage::Seats(seats)), Some(n)) => {
                if let Some(seat) = seats.get_mut(n as usize) {
                    seat.said(played.reading.clone());
                }
                self.finish_if_all_said();
            }
            (Some(Stage::Workflow), None) => self.finish(Vec::from([played.reading.clone()])),
            _ => {}
        }
    }

    fn finish_if_all_said(&mut self) {
        if let Some(Stage::Seats(seats)) = self.place.stage()
            && let Some(readings) = seats.iter().map(|seat| seat.reading().cloned()).collect()
        {
            self.finish(readings);
        }
    }

    fn finish(&mut self, readings: Vec<crate::Reading>) {
        let Some(step) = self.step() else { return };
        let gate = step.gate;
        let turn = Turn { round: self.round(), step: step.id.clone(), at: self.now, readings };
        match gate {
            Gate::Open => self.advance(turn),
            Gate::Person => self.set_stage(Stage::Gated(turn)),
        }
    }

    fn approve(&mut self, approved: &crate::Approved) {
        if let Some(Stage::Gated(turn)) = self.place.stage() {
            let mut turn = turn.clone();
            if let Some(edited) = &approved.edited {
                turn.readings = Vec::from([edited.clone()]);
            }
            let (by, seal) = (approved.by.clone(), approved.seal.clone());
            self.set_stage(Stage::Approved { turn, by, seal });
        }
    }

    fn reject(&mut self, rejected: &crate::Rejected) {
        if let Some(Stage::Gated(turn)) = self.place.stage() {
            let mut turn = turn.clone();
            if let Some(edited) = &rejected.edited {
                turn.readings = Vec::from([edited.clone()]);
            }
            self.rejected = Some((turn, rejected.feedback.clone()));
            self.enter_step();
        }
    }

    fn void(&mut self) {
        if let Some(Stage::Approved { turn, .. }) = self.place.stage() {
            let turn = turn.clone();
            self.set_stage(Stage::Gated(turn));
        }
    }

    fn pass(&mut self) {
        if let Some(Stage::Approved { turn, .. }) = self.place.stage() {
            let turn = turn.clone();
            self.advance(turn);
        }
    }

    fn set_stage(&mut self, new: Stage) {
        if let Some(stage) = self.place.stage_mut() {
            *stage = new;
        }
    }

    /// Records the turn, asks the rules, and stands the run at what comes next.
    fn advance(&mut self, turn: Turn) {
        self.rejected = None;
        self.turns.push(turn);
        if !matches!(self.place, Place::Closing { .. })
            && let Some(exit) = self.exit()
        {
            self.place = self.end(exit);
        } else {
            self.place = self.after_step();
        }
        self.enter_step();
    }

    /// What the rules say of the newest turn.
    fn exit(&self) -> Option<Exit> {
        let round = self.last_turn()?.round;
        let rules = &self.opened.shape.rules;
        rules.iter().find(|rule| rule.when.holds(self, round)).map(|rule| rule.exit.clone())
    }

    fn end(&self, exit: Exit) -> Place {
        if self.opened.shape.closing.is_empty() {
            return Place::Ended(exit);
        }
        Place::Closing { exit, step: 0, stage: Stage::Workflow }
    }

    fn round_place(&self, round: u32) -> Place {
        Place::Repeating { round, step: 0, stage: Stage::Workflow }
    }

    fn after_step(&self) -> Place {
        let shape = &self.opened.shape;
        let stage = Stage::Workflow;
        match &self.place {
            Place::Opening { step, .. } if step + 1 < shape.opening.len() => {
                Place::Opening { step: step + 1, stage }
            }
            Place::Opening { .. } => self.round_place(self.opened.first_round.max(1)),
            Place::Repeating { round, step, .. } if step + 1 < shape.repeating.len() => {
                Place::Repeating { round: *round, step: step + 1, stage }
            }
            Place::Repeating { round, .. } => self.round_place(round + 1),
            Place::Closing { exit, step, .. } if step + 1 < shape.closing.len() => {
                Place::Closing { exit: exit.clone(), step: step + 1, stage }
            }
            Place::Closing { exit, .. } | Place::Ended(exit) => Place::Ended(exit.clone()),
            Place::Decided(exit) => Place::Decided(exit.clone()),
        }
    }

    /// Sets the stage for the step the run stands at.
    fn enter_step(&mut self) {
        let Some(step) = self.step() else { return };
        let seats: Vec<Seat> = step.player.seats().iter().cloned().map(Seat::new).collect();
        self.set_stage(if seats.is_empty() { Stage::Workflow } else { Stage::Seats(seats) });
    }

    /// A lowered bound may already be met by the rounds that stand.
    fn end_if_bound_is_met(&mut self) {
        let between_rounds = matches!(&self.place, Place::Repeating { round, step: 0, .. }
            if self.rounds_begun() < *round);
        if between_rounds && let Some(exit) = self.exit() {
            self.place = self.end(exit);
            self.enter_step();
        }
    }
}
