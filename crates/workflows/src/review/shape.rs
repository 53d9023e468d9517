//! The shape of a review: a creator writes, reviewers judge, until both agree or the last iteration.
//!
//! Absent here: prompts and files.

use redraft_loop::{
    Condition::{Accepted, After, All, Cycle, Done, Found, LastRound},
    Failing, Gate, Limits, Outcome, Player, Role, Rule, Shape, Step, Timing,
};

/// The name of the workflow.
pub const NAME: &str = "review";
/// The step in which the creator writes.
pub const CREATE: &str = "create";
/// The step in which the reviewers judge.
pub const REVIEW: &str = "review";
/// The role of the creator.
pub const CREATOR: &str = "creator";
/// The reason of a decision at the last iteration.
pub const ITERATION_LIMIT: &str = "iteration_limit";
/// The reason of agreement.
pub const AGREED: &str = "reviewer_ok_and_creator_done";
/// The reason of going in circles; only where it was asked for.
pub const NO_IMPROVEMENT: &str = "no_improvement";

/// The reason of a dispute that neither side gives up.
pub const DISPUTE: &str = "dispute";
/// The code of the issue that tells so.
pub const UPHELD_TWICE: &str = "dispute_upheld_twice";

/// What a person may set of a review's shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The bounds of the run.
    pub limits: Limits,
    /// How often an unreadable reply is asked for again.
    pub repairs: u32,
    /// Whether going in circles ends the run.
    pub stop_on_stagnation: bool,
}

/// The roles of a panel of `count` reviewers: `reviewer`, `reviewer_2`, …
pub fn reviewer_roles(count: usize) -> Vec<Role> {
    let name = |n: usize| match n {
        1 => "reviewer".to_owned(),
        n => format!("reviewer_{n}"),
    };
    (1..=count).map(|n| Role::new(name(n))).collect()
}

/// The shape of a review with this many reviewers side by side.
pub fn shape(reviewers: usize, bounds: &Bounds) -> Shape {
    let step = |id: &str, player, unreadable| Step {
        id: id.into(),
        player,
        gate: Gate::Open,
        reserve: 0,
        repairs: bounds.repairs,
        failing: Failing::Stop,
        unreadable,
        capped: Failing::Stop,
    };
    Shape {
        workflow: NAME.into(),
        version: 2,
        opening: vec![],
        repeating: vec![
            step(CREATE, Player::Agent(CREATOR.into()), Failing::Stop),
            // A review that nobody can read is a case for a person, not for a guess.
            step(REVIEW, Player::Panel(reviewer_roles(reviewers)), Failing::Workflow),
        ],
        closing: vec![],
        rules: rules(bounds),
        limits: bounds.limits.clone(),
        timing: Timing::Driven,
    }
}

/// The contract's order (§3.3): agreement first, also on the last iteration; then a dispute for a person; then the
/// limit.
fn rules(bounds: &Bounds) -> Vec<Rule> {
    let agreed = All(vec![Accepted(REVIEW.into()), Done(CREATE.into())]);
    let stuck = Found { step: REVIEW.into(), code: UPHELD_TWICE.into() };
    let mut rules = vec![
        Rule::new(agreed, Outcome::Converged, AGREED),
        // Two who have told each other twice are not helped by a third round.
        Rule::new(stuck, Outcome::NeedsHuman, DISPUTE),
        Rule::new(LastRound { ends_with: REVIEW.into() }, Outcome::NeedsHuman, ITERATION_LIMIT),
    ];
    if bounds.stop_on_stagnation {
        let circles = All(vec![After(REVIEW.into()), Cycle(vec![CREATE.into()])]);
        rules.push(Rule::new(circles, Outcome::NeedsHuman, NO_IMPROVEMENT));
    }
    rules
}
