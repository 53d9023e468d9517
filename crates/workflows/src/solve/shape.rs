//! The shape of a solve: plan, generate, critique; at most one revision with a second critique; assemble.
//!
//! Invariant: the critic's calls are kept back while anything else is asked, and no step stops the run: where an agent
//! fails, cannot be understood or may not be asked, the workflow stands in and says so.
//! Absent here: prompts, and what replies say.

use redraft_loop::{
    Condition::{Accepted, Found, LastRound},
    Failing, Gate, Limits, Outcome, Player, Role, Rule, Shape, Step, StepId, Timing,
};

/// The name of the workflow.
pub const NAME: &str = "solve";
/// Who plans.
pub const PLANNER: &str = "planner";
/// Who writes the answer, and revises it.
pub const GENERATOR: &str = "generator";

pub(super) const PLAN: &str = "plan";
pub(super) const GENERATE: &str = "generate";
pub(super) const CRITIQUE: &str = "critique";
pub(super) const REVISE: &str = "revise";
pub(super) const RECRITIQUE: &str = "recritique";
pub(super) const ASSEMBLE: &str = "assemble";

/// The code of the issue that tells that there is no draft at all.
pub(super) const NOTHING: &str = "nothing_generated";
/// The code of the issue that tells that the draft stands as it was.
pub(super) const NOT_REVISED: &str = "not_revised";

/// The reason of an answer that its critique accepts.
pub const ACCEPTED: &str = "accepted";
/// The reason of an answer that is accepted after its revision.
pub const ACCEPTED_REVISED: &str = "accepted_after_revision";
/// The reason of an answer with blockers or majors that are told with it.
pub const ISSUES_REMAIN: &str = "issues_remain";
/// The reason of a response without an answer.
pub const NOTHING_GENERATED: &str = "nothing_generated";

/// Calls in all when nothing else is said; a plan, an answer, a critique, a revision, a second critique, one repair.
pub const DEFAULT_CALLS: u32 = 6;

/// What a person may set of a solve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Critics side by side, at least 1.
    pub critics: u32,
    /// The bounds of the run; its rounds are 1, the one revision.
    pub limits: Limits,
    /// How often an unreadable reply is asked for again before it is taken as text.
    pub repairs: u32,
}

/// The roles of so many critics: `critic`, `critic_2`, …
pub fn critic_roles(count: u32) -> Vec<Role> {
    let name = |n: u32| if n == 1 { "critic".to_owned() } else { format!("critic_{n}") };
    (1..=count.max(1)).map(|n| Role::new(name(n))).collect()
}

/// The step in which a role is asked first.
pub fn first_step(role: &Role) -> StepId {
    match role.as_str() {
        PLANNER => PLAN.into(),
        GENERATOR => GENERATE.into(),
        _ => CRITIQUE.into(),
    }
}

/// The fewest calls that a solve with so many critics can be had for: a plan, an answer and its critique.
pub fn fewest_calls(critics: u32) -> u32 {
    critics.max(1).saturating_add(2)
}

/// The shape of a solve.
pub fn shape(bounds: &Bounds) -> Shape {
    let critics = bounds.critics.max(1);
    let step = |id: &str, player, reserve| Step {
        id: id.into(),
        player,
        gate: Gate::Open,
        reserve,
        repairs: bounds.repairs,
        failing: Failing::Workflow,
        unreadable: Failing::Workflow,
        capped: Failing::Workflow,
    };
    let agent = |role: &str| Player::Agent(role.into());
    let panel = || Player::Panel(critic_roles(critics));
    Shape {
        workflow: NAME.into(),
        version: 1,
        opening: vec![
            step(PLAN, agent(PLANNER), critics.saturating_add(1)),
            step(GENERATE, agent(GENERATOR), critics),
            step(CRITIQUE, panel(), 0),
        ],
        repeating: vec![step(REVISE, agent(GENERATOR), 0), step(RECRITIQUE, panel(), 0)],
        closing: vec![step(ASSEMBLE, Player::Workflow, 0)],
        rules: rules(),
        limits: Limits { rounds: 1, ..bounds.limits.clone() },
        // Somebody waits for the answer, also while a server is down.
        timing: Timing::SinceOpened,
    }
}

fn rules() -> Vec<Rule> {
    let found = |step: &str, code: &str| Found { step: step.into(), code: code.into() };
    vec![
        Rule::new(found(GENERATE, NOTHING), Outcome::Ended, NOTHING_GENERATED),
        Rule::new(Accepted(CRITIQUE.into()), Outcome::Converged, ACCEPTED),
        Rule::new(Accepted(RECRITIQUE.into()), Outcome::Converged, ACCEPTED_REVISED),
        Rule::new(found(REVISE, NOT_REVISED), Outcome::Ended, ISSUES_REMAIN),
        Rule::new(LastRound { ends_with: RECRITIQUE.into() }, Outcome::Ended, ISSUES_REMAIN),
    ]
}
