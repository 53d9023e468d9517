//! The shape of a gated session: plan and generate once, then review and revise in rounds, a gate behind each.
//!
//! A round begins with the review of an iteration and ends with the revision that makes the next, so that round N reviews
//! iteration N.
//!
//! Invariant: nothing passes a gate without an approval; only a review that passes, and was approved, completes.
//! Absent here: prompts, what responses say, and who approves.

use super::profile::{Phase, Role};
use redraft_loop::{
    Condition::{Accepted, Cancelled, LastRound},
    Failing, Gate, Limits, Outcome, Player, Rule, Shape, Step, StepId, Timing,
};

/// The name of the workflow.
pub const NAME: &str = "gated";

/// The reason of a session whose review passed and was approved.
pub const APPROVED: &str = "approved";
/// The reason of a session that a person gave up.
pub const CANCELLED: &str = "cancelled";
/// The reason of a session that would need one iteration more than it may have.
pub const MAX_ITERATIONS: &str = "max_iterations";

/// All roles, in the order of the phases.
pub const ROLES: [Role; 4] = [Role::Planner, Role::Generator, Role::Reviewer, Role::Reviser];

/// What may differ between sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The bounds of the run; its rounds are the iterations.
    pub limits: Limits,
    /// Who plays each phase, and whether by hand: a person is not asked to repair, but waited for.
    pub players: Vec<(Phase, Role, ByHand)>,
}

/// Whether a person writes the responses of a role into files.
pub type ByHand = bool;

/// The step that a phase is played in.
pub fn step_of(phase: Phase) -> StepId {
    StepId::from(phase.name())
}

/// The phase that a step plays.
pub(super) fn phase_of(step: &StepId) -> Option<Phase> {
    Phase::ALL.into_iter().find(|phase| phase.name() == step.as_str())
}

/// The shape of a session.
pub fn shape(bounds: &Bounds) -> Shape {
    let step = |phase: Phase| {
        let player = bounds.players.iter().find(|(of, ..)| *of == phase);
        let (role, by_hand) =
            player.map_or((Role::Planner, true), |(_, role, hand)| (*role, *hand));
        let seat = redraft_loop::Role::from(role.name());
        Step {
            id: step_of(phase),
            // A file that a person wrote is taken in, and no call: no cap counts it, and no crash makes it dubious.
            player: if by_hand { Player::House(seat) } else { Player::Agent(seat) },
            gate: Gate::Person,
            reserve: 0,
            repairs: u32::from(!by_hand),
            failing: Failing::Stop,
            // What nobody can read of a review is for a person to mend; of files there is nothing to go on with.
            unreadable: if phase == Phase::Review { Failing::Workflow } else { Failing::Stop },
            capped: Failing::Stop,
        }
    };
    let review = step_of(Phase::Review);
    Shape {
        workflow: NAME.into(),
        version: 1,
        opening: vec![step(Phase::Planning), step(Phase::Generation)],
        repeating: vec![step(Phase::Review), step(Phase::Revision)],
        closing: Vec::new(),
        rules: vec![
            Rule::new(Cancelled, Outcome::Ended, CANCELLED),
            Rule::new(Accepted(review.clone()), Outcome::Converged, APPROVED),
            Rule::new(LastRound { ends_with: review }, Outcome::NeedsHuman, MAX_ITERATIONS),
        ],
        limits: bounds.limits.clone(),
        timing: Timing::Driven,
    }
}
