//! Drafts: first candidates of one asset, each asked for afresh and reviewed by nobody.
//!
//! Invariant: no candidate is shown to the writer of the next one, so that they do not grow alike.
//! Absent here: which of them are kept.

use super::{
    kept,
    model::Candidate,
    shape::{CREATE, CREATOR},
    workflow::Review,
};
use crate::{Prompt, Unreadable, Workflow};
use redraft_loop::{
    Ask, Condition::LastRound, Failing, Gate, Limits, Outcome, Play, Player, Reading, Rule, Run,
    Shape, Step, Timing,
};

/// The workflow's name.
pub const NAME: &str = "draft";
/// The reason of a run that has written all it was asked for.
pub const DRAFTED: &str = "drafted";

/// The drafting of one asset. What its writer is told is what the creator of a review is told first.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft(pub Review);

/// The shape of a run that writes one candidate a round.
pub fn shape(limits: Limits, repairs: u32) -> Shape {
    let create = Step {
        id: CREATE.into(),
        player: Player::Agent(CREATOR.into()),
        gate: Gate::Open,
        reserve: 0,
        repairs,
        failing: Failing::Stop,
        unreadable: Failing::Stop,
        capped: Failing::Stop,
    };
    let all = LastRound { ends_with: CREATE.into() };
    Shape {
        workflow: NAME.into(),
        version: 1,
        opening: vec![],
        repeating: vec![create],
        closing: vec![],
        rules: vec![Rule::new(all, Outcome::Ended, DRAFTED)],
        limits,
        timing: Timing::Driven,
    }
}

impl Draft {
    /// The candidates that a run has written, oldest first.
    pub fn candidates(&self, run: &Run) -> Vec<Candidate> {
        let readings = run.turns().iter().flat_map(|turn| &turn.readings);
        readings.filter_map(|reading| kept::candidate_of(&self.0.asset, reading)).collect()
    }
}

impl Workflow for Draft {
    fn write(&self, run: &Run, ask: &Ask) -> Prompt {
        self.0.asked(run, ask, None)
    }

    fn read(&self, run: &Run, ask: &Ask, text: &str) -> Result<Reading, Unreadable> {
        self.0.read(run, ask, text)
    }

    /// Its step stops where its writer fails, so that nobody has to be stood in for.
    fn play(&self, _: &Run, _: &Play) -> Reading {
        Reading::text("")
    }
}
